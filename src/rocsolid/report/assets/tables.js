/** The summary table: sorted by a click on a heading, copied as Markdown or CSV. */
import { word } from "./state.js";

/** @typedef {import("./state.js").Page} Page */

/**
 * The text of a cell as it is shown, without the headings that only narrow screens show.
 * @param {Element} cell
 * @returns {string}
 */
export function shownText(cell) {
  const copy = /** @type {HTMLElement} */ (cell.cloneNode(true)), hidden = document.documentElement.lang === "zh" ? "en" : "zh";
  for (const part of copy.querySelectorAll(`.lab, [lang="${hidden}"]`)) part.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** @param {HTMLTableElement} table @returns {string[][]} */
export function grid(table) {
  return [...table.rows].map((row) => [...row.cells].map(shownText));
}

/** @param {string[][]} rows @returns {string} */
export function markdown(rows) {
  /** @param {string[]} row */
  const line = (row) => "| " + row.map((text) => text.replace(/[\\`*_{}[\]<>|#~]/g, "\\$&")).join(" | ") + " |";
  return [line(rows[0]), "|" + " --- |".repeat(rows[0].length), ...rows.slice(1).map(line)].join("\n") + "\n";
}

/** @param {string[][]} rows @returns {string} */
export function csv(rows) {
  /** @param {string} text a leading sign of a formula is made harmless, unless it is a number's */
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+(e[-+]?\d+)?$/.test(text) ? "'" + text : text;
    return ['"', ",", "\n"].some((c) => safe.includes(c)) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/**
 * Put rows in the order of a column: numbers from high to low, then the other way round; names by alphabet.
 * @param {HTMLTableElement} table
 * @param {number} column
 */
export function sortBy(table, column) {
  const heads = table.tHead?.rows[0].cells, body = table.tBodies[0];
  if (!heads) return;
  const first = column === 0 ? "ascending" : "descending", other = column === 0 ? "descending" : "ascending";
  const order = heads[column].getAttribute("aria-sort") === first ? other : first;
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[column].setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  /** @param {HTMLTableRowElement} row */
  const value = (row) => {
    const text = shownText(row.cells[column]);
    return column === 0 ? text : Number.parseFloat(text.replace(/[^\d.eE+-].*$/, "").replace(/^[×\s]+/, "") || text.replace(/^[^\d-]+/, ""));
  };
  const rows = [...body.rows].map((row) => ({ row, value: value(row) }));
  rows.sort((a, b) => {
    if (typeof a.value === "string" || typeof b.value === "string") return sign * String(a.value).localeCompare(String(b.value));
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value));
    return sign * (a.value - b.value);
  });
  body.append(...rows.map((r) => r.row));
}

/** Let the keyboard scroll what is wider than its place. */
function reachable() {
  for (const box of document.querySelectorAll(".scroll")) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
}

/**
 * Make the headings of the summary sort it, and its buttons copy it.
 * @param {Page} page
 */
export function attachTables(page) {
  reachable();
  addEventListener("resize", reachable);
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector(".overview table"));
  if (!table?.tHead) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, column));
  });
  for (const [id, write] of /** @type {[string, (rows: string[][]) => string][]} */ ([["copy_markdown", markdown], ["copy_csv", csv]])) {
    document.getElementById(id)?.addEventListener("click", () => copy(page, write(grid(table))));
  }
}

/**
 * @param {Page} page
 * @param {string} text
 */
function copy(page, text) {
  const done = document.getElementById("copied"), box = document.createElement("textarea");
  box.value = text;
  box.setAttribute("readonly", "");
  box.className = "hidden";
  document.body.append(box);
  box.select();
  const copied = document.execCommand("copy");
  if (!copied) navigator.clipboard?.writeText(text);
  box.remove();
  if (done) {
    done.textContent = word(page, "copied");
    done.dataset.text = text;
  }
}
