/** What the reader has chosen: one object, its form in the address, and the cut of every model that follows from it. */
import { attained, find, unpack } from "./cuts.js";

/** @typedef {import("./cuts.js").Model} Model */
/** @typedef {import("./cuts.js").Rule} Rule */
/**
 * @typedef {{rule: Rule, asked: number, pin: [number, number] | null, p: number, c: number, lang: "en" | "zh", theme: string, band: string}} State
 * A pinned model stands at its cut exactly; the others follow by the rule.
 */
/** @typedef {{data: any, models: Model[], state: State}} Page */

export const RULES = /** @type {Rule[]} */ (["flagged", "fpr", "recall", "precision", "score", "cost"]);

/**
 * @param {any} data
 * @returns {Page}
 */
export function open(data) {
  return { data, models: data.models.map(unpack), state: fresh(data) };
}

/**
 * @param {any} data
 * @returns {State}
 */
export function fresh(data) {
  return {
    rule: data.start.rule, asked: data.start.asked, pin: null, p: data.prevalence.indexOf(data.own),
    c: data.ratio.indexOf(data.start.cost_ratio), lang: "en", theme: "", band: "none",
  };
}

/**
 * Prevalence and cost ratio as numbers, and the direction of scores.
 * @param {Page} page
 */
export function given({ data, state }) {
  return { p: data.prevalence[state.p], ratio: data.ratio[state.c], higher: data.higher };
}

/**
 * The cut of every model.
 * @param {Page} page
 * @returns {number[]}
 */
export function cutsOf(page) {
  const { rule, asked, pin } = page.state;
  return page.models.map((m, i) => (pin && pin[0] === i ? pin[1] : find(m, rule, asked, given(page))));
}

/**
 * Put one model at a cut, and link the others by a rule.
 * @param {Page} page
 * @param {number} model
 * @param {number} cut
 * @param {Rule} rule
 */
export function pinTo(page, model, cut, rule) {
  const m = page.models[model], at = Math.min(Math.max(cut, 0), m.tp.length - 1);
  const linked = rule === "cost" || (rule === "score" && at === 0) ? "flagged" : rule;
  page.state.rule = linked;
  page.state.asked = attained(m, at, linked, given(page)) ?? 1;
  page.state.pin = [model, at];
}

/**
 * @param {Page} page
 * @returns {string}
 */
export function toHash({ data, state }) {
  const parts = [`rule=${state.rule}`, `asked=${state.asked}`];
  if (state.pin) parts.push(`pin=${state.pin.join(".")}`);
  parts.push(`prevalence=${data.prevalence[state.p]}`, `cost=${data.ratio[state.c]}`, `lang=${state.lang}`);
  if (state.band !== "none") parts.push(`band=${state.band}`);
  if (state.theme) parts.push(`theme=${state.theme}`);
  return "#" + parts.join("&");
}

/**
 * Take over what an address says; what can not be read is left as it is.
 * @param {Page} page
 * @param {string} hash
 */
export function fromHash(page, hash) {
  const { data, models, state } = page;
  const said = new Map(hash.slice(1).split("&").map((part) => /** @type {[string, string]} */ (part.split("=", 2))));
  const rule = RULES.find((r) => r === said.get("rule")), asked = Number(said.get("asked"));
  if (rule && Number.isFinite(asked)) Object.assign(state, { rule, asked, pin: null });
  const pin = /^(\d+)\.(\d+)$/.exec(said.get("pin") ?? "");
  if (pin && models[+pin[1]] && +pin[2] < models[+pin[1]].tp.length) state.pin = [+pin[1], +pin[2]];
  const p = data.prevalence.indexOf(Number(said.get("prevalence"))), c = data.ratio.indexOf(Number(said.get("cost")));
  if (p >= 0) state.p = p;
  if (c >= 0) state.c = c;
  if (said.get("lang") === "zh" || said.get("lang") === "en") state.lang = /** @type {"en" | "zh"} */ (said.get("lang"));
  const band = said.get("band") ?? "";
  if (["none", "pointwise", "simultaneous"].includes(band)) state.band = band;
  if (said.get("theme") === "dark" || said.get("theme") === "light") state.theme = said.get("theme") ?? "";
}

/**
 * The words of a key in the reader's language, with its blanks filled.
 * @param {Page} page
 * @param {string} key
 * @param {Record<string, string>} [blanks]
 * @returns {string}
 */
export function word({ data, state }, key, blanks = {}) {
  return data.words[key][state.lang === "zh" ? 1 : 0].replace(/\{(\w+)\}/g, (/** @type {string} */ _, /** @type {string} */ name) => blanks[name]);
}
