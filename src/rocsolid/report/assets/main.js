/** Take the page over: read the data, listen to every control, and show what follows. */
import { percent, number } from "./numbers.js";
import { numeric } from "./cuts.js";
import { fillCards, shown } from "./cards.js";
import { attach, drawPanels, findPanels } from "./panels.js";
import { RULES, fresh, fromHash, given, open, toHash, word } from "./state.js";
import { attachTables } from "./tables.js";

/** @typedef {import("./state.js").Page} Page */

/** @param {string} id @returns {HTMLInputElement} */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/**
 * The stops of the operating point under the present rule.
 * @param {Page} page
 * @returns {(number | string)[]}
 */
function stopsOf({ data, state }) {
  if (state.rule === "precision") return data.stops.recall;
  return data.stops[state.rule] ?? data.stops.flagged;
}

/**
 * The slider's place: the last stop that is no more lenient than what is asked.
 * @param {Page} page
 * @returns {number}
 */
function placeOf(page) {
  const stops = stopsOf(page).map(numeric), { asked, rule } = page.state;
  const falling = rule === "score" && page.data.higher;
  if (rule === "cost") return 0;
  return Math.max(0, stops.filter((stop) => (falling ? stop >= asked : stop <= asked)).length - 1);
}

/**
 * Show the state in everything that shows it.
 * @param {Page} page
 * @param {import("./panels.js").Panel[]} panels
 */
function show(page, panels) {
  const { state, data } = page, { p, ratio } = given(page), root = document.documentElement;
  root.lang = state.lang;
  if (state.theme) root.dataset.theme = state.theme;
  else delete root.dataset.theme;
  input(`lang-${state.lang}`).checked = true;
  for (const button of document.querySelectorAll("[data-rule]")) {
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.rule === state.rule));
  }
  for (const button of document.querySelectorAll("[data-band]")) {
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.band === state.band));
  }
  const roc = document.getElementById("p-roc");
  for (const kind of ["pointwise", "simultaneous"]) roc?.classList.toggle(kind, state.band === kind);
  const point = input("slide-point");
  point.max = String(stopsOf(page).length - 1);
  point.value = String(placeOf(page));
  input("slide-prevalence").value = String(state.p);
  input("slide-cost").value = String(state.c);
  const texts = {
    point: state.rule === "cost" ? word(page, "rule_cost") : `${word(page, "rule_" + state.rule)} ${shown(state.rule, state.asked)}`,
    prevalence: percent(p) + (p === data.own ? ` (${word(page, "as_data")})` : ""),
    cost: String(ratio),
  };
  for (const [key, text] of Object.entries(texts)) {
    const output = document.getElementById(`out-${key}`);
    if (output) output.textContent = text;
    input(`slide-${key}`).setAttribute("aria-valuetext", text);
    input(`slide-${key}`).setAttribute("value", input(`slide-${key}`).value);
  }
  const share = state.rule !== "score";
  if (document.activeElement !== input("asked")) {
    input("asked").value = state.rule === "cost" ? "" : share ? String(Number((100 * state.asked).toPrecision(6))) : String(state.asked);
  }
  const sign = document.getElementById("asked-unit"), dark = document.getElementById("dark");
  if (sign) sign.textContent = share ? "%" : "";
  if (dark) dark.textContent = word(page, isDark() ? "light" : "dark");
  fillCards(page);
  drawPanels(page, panels);
  try {
    history.replaceState(null, "", toHash(page));
  } catch {
    // a page inside a sandboxed frame has no address of its own
  }
}

/** @returns {boolean} */
function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/**
 * Read what was typed; null and a message where it is no such number.
 * @param {Page} page
 * @param {HTMLInputElement} box
 * @param {string} trouble
 * @param {(v: number) => boolean} fine
 * @returns {number | null}
 */
function typed(page, box, trouble, fine) {
  const text = box.value.trim().replace("%", "").replace(/,/g, "."), value = Number(text);
  const good = text !== "" && Number.isFinite(value) && fine(value), message = document.getElementById("trouble");
  box.setAttribute("aria-invalid", String(!good));
  if (message) message.textContent = good ? "" : word(page, trouble);
  return good ? value : null;
}

/**
 * Listen to the controls.
 * @param {Page} page
 * @param {() => void} changed
 */
function attachControls(page, changed) {
  const { data, state } = page;
  /** @param {string} id @param {string} event @param {(target: HTMLInputElement) => void} act */
  const on = (id, event, act) => input(id).addEventListener(event, () => (act(input(id)), changed()));
  on("slide-point", "input", (slide) => {
    if (state.rule === "cost") state.rule = "flagged";
    state.asked = numeric(stopsOf(page)[Number(slide.value)]);
    state.pin = null;
  });
  on("slide-prevalence", "input", (slide) => (state.p = Number(slide.value)));
  on("slide-cost", "input", (slide) => (state.c = Number(slide.value)));
  on("asked", "change", (box) => {
    const share = state.rule !== "score";
    if (state.rule === "cost") state.rule = "flagged";
    const value = typed(page, box, share ? "expected_share" : "expected_number", (v) => !share || (v >= 0 && v <= 100));
    if (value !== null) Object.assign(state, { asked: share ? value / 100 : value, pin: null });
  });
  on("top-k", "change", (box) => {
    const rows = page.models[0].pos + page.models[0].neg;
    const k = typed(page, box, "expected_rows", (v) => Number.isInteger(v) && v >= 1);
    if (k !== null) Object.assign(state, { rule: "flagged", asked: Math.min(1, k / rows), pin: null });
  });
  for (const rule of RULES) {
    document.querySelector(`[data-rule="${rule}"]`)?.addEventListener("click", () => {
      const asked = { flagged: data.own, fpr: 0.05, recall: 0.9, precision: 0.5, score: middle(data.stops.score), cost: 0 }[rule];
      Object.assign(state, { rule, asked, pin: null });
      changed();
    });
  }
  for (const button of document.querySelectorAll("[data-band]")) {
    button.addEventListener("click", () => {
      state.band = /** @type {HTMLElement} */ (button).dataset.band ?? "none";
      changed();
    });
  }
  on("reset", "click", () => {
    const { lang, theme } = state;
    Object.assign(state, fresh(data), { lang, theme });
    input("top-k").value = "";
  });
  on("dark", "click", () => (state.theme = isDark() ? "light" : "dark"));
  on("print", "click", () => window.print());
  on("json", "click", () => download(JSON.stringify({ ...data, models: page.models }, null, 1)));
  for (const lang of /** @type {("en" | "zh")[]} */ (["en", "zh"])) on(`lang-${lang}`, "change", () => (state.lang = lang));
}

/** @param {(number | string)[]} stops @returns {number} */
function middle(stops) {
  return stops.length ? numeric(stops[stops.length >> 1]) : 0;
}

/** @param {string} text */
function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Start. */
export function start() {
  const held = document.getElementById("data");
  if (!held) return;
  const page = open(JSON.parse(held.textContent ?? "")), panels = findPanels(page);
  if (document.querySelector("#lang-zh:checked")) page.state.lang = "zh";
  fromHash(page, location.hash);
  let waiting = false;
  const changed = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show(page, panels);
    });
  };
  document.documentElement.classList.add("live");
  for (const panel of panels) attach(page, panels, panel, changed);
  attachControls(page, changed);
  attachTables(page);
  addEventListener("hashchange", () => {
    fromHash(page, location.hash);
    changed();
  });
  show(page, panels);
}

if (typeof document !== "undefined") start();
