/** The cards of the operating point: counts, rates with intervals, and what was asked and attained. */
import { count, exactly, number, percent, rounded, span, wilson } from "./numbers.js";
import { attained, precisionAt, rates, relativeCost } from "./cuts.js";
import { cutsOf, given, word } from "./state.js";

/** @typedef {import("./state.js").Page} Page */
/** @typedef {import("./cuts.js").Model} Model */

/**
 * A rule's number as people read it.
 * @param {import("./cuts.js").Rule} rule
 * @param {number | null} value
 * @returns {string}
 */
export function shown(rule, value) {
  if (value === null) return "–";
  return rule === "score" || rule === "cost" ? String(rule === "cost" ? number(value) : value) : exactly(value);
}

/**
 * The decision of a cut, such as "Score ≥ 0.5".
 * @param {Page} page
 * @param {number} model
 * @param {number} cut
 * @returns {string}
 */
export function ruleText(page, model, cut) {
  const m = page.models[model], t = m.thresholds[cut];
  if (t === null) return word(page, "flags_nothing");
  return `${word(page, "rule_score")} ${page.data.higher ? "≥" : "≤"} ${plain(t, m.floats)}`;
}

/**
 * A threshold in full, as Python writes it.
 * @param {number | string} t
 * @param {boolean} float whether a whole number is written with a point
 * @returns {string}
 */
export function plain(t, float) {
  if (typeof t === "string") return t;
  const size = Math.abs(t);
  if (t !== 0 && (size < 1e-4 || size >= 1e16)) {
    return t.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return float && Number.isInteger(t) ? t + ".0" : String(t);
}

/**
 * The intervals of the rates at a cut, as of independent rows.
 * @param {Model} m
 * @param {number} i
 * @param {number} z
 * @returns {Record<string, [number, number] | null>}
 */
export function limits(m, i, z) {
  if (!m.intervals) return { recall: null, specificity: null, precision: null, f1: null };
  const tp = m.tp[i], fp = m.fp[i], j = wilson(tp, m.pos + fp, z);
  return {
    recall: wilson(tp, m.pos, z), specificity: wilson(m.neg - fp, m.neg, z), precision: wilson(tp, tp + fp, z),
    f1: j && [(2 * j[0]) / (1 + j[0]), (2 * j[1]) / (1 + j[1])],
  };
}

/**
 * What was asked and what the cut has.
 * @param {Page} page
 * @param {number} model
 * @param {number} cut
 * @returns {string}
 */
export function askedText(page, model, cut) {
  const { rule, asked } = page.state, name = word(page, "rule_" + rule);
  const got = attained(page.models[model], cut, rule, given(page)), text = shown(rule, got);
  if (rule === "cost") return word(page, "attained_plain", { rule: name, attained: text });
  const sign = rule === "score" ? name + (page.data.higher ? " ≥" : " ≤") : name;
  const met = got === null || (rule === "recall" || rule === "precision" ? got >= asked : rule === "score" ? true : got <= asked);
  return word(page, met ? "attained" : "not_attained", { rule: sign, asked: shown(rule, asked), attained: text });
}

/**
 * Fill the cards.
 * @param {Page} page
 */
export function fillCards(page) {
  const { p, ratio } = given(page);
  cutsOf(page).forEach((i, model) => {
    const card = document.querySelector(`.card[data-model="${model}"]`), m = page.models[model];
    const r = rates(m, i), around = limits(m, i, page.data.z);
    /** @type {Record<string, string>} */
    const texts = {
      rule: ruleText(page, model, i), asked: askedText(page, model, i),
      tp: count(m.tp[i]), fp: count(m.fp[i]),
      fn: count(m.pos - m.tp[i]), tn: count(m.neg - m.fp[i]),
      "per-tp": rounded(1e4 * p * r.recall), "per-fp": rounded(1e4 * (1 - p) * r.fpr),
      "per-fn": rounded(1e4 * p * (1 - r.recall)), "per-tn": rounded(1e4 * (1 - p) * (1 - r.fpr)),
      "per-caption": word(page, "per_10000", { prevalence: percent(p) }),
      recall: number(r.recall), specificity: number(r.specificity), precision: number(r.precision), f1: number(r.f1),
      flagged_share: percent(r.flagged), precision_here: number(precisionAt(m, i, p)),
      ap_here: number(m.ap[page.state.p]), cost_here: number(relativeCost(m, i, p, ratio)),
    };
    for (const key of ["recall", "specificity", "precision", "f1"]) texts[key + "-limits"] = span(around[key]);
    for (const [key, text] of Object.entries(texts)) {
      const cell = card?.querySelector(`[data-k="${key}"]`);
      if (cell && cell.textContent !== text) cell.textContent = text;
    }
  });
}
