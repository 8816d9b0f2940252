/** Lines that follow the sliders, as panels.py and svg.py draw them. */
import { INNER, LEFT, TOP, unit } from "./scales.js";
import { precisionAt, relativeCost } from "./cuts.js";

/** @typedef {import("./scales.js").Scale} Scale */
/** @typedef {import("./cuts.js").Model} Model */

/**
 * The path through points in whole units, without those one unit from the last one drawn.
 * @param {number[]} x
 * @param {number[]} y
 * @returns {string}
 */
export function pathData(x, y) {
  if (!x.length) return "";
  let ax = x[0], ay = y[0];
  const steps = [], last = x.length - 1;
  for (let i = 0; i <= last; i++) {
    const dx = x[i] - ax, dy = ay - y[i];
    if (Math.max(Math.abs(dx), Math.abs(dy)) > 1 || (i === last && (dx || dy))) {
      steps.push(dx === 0 ? `v${dy}` : dy === 0 ? `h${dx}` : `l${dx} ${dy}`);
      ax = x[i];
      ay = y[i];
    }
  }
  return `M${LEFT + x[0]} ${TOP + INNER - y[0]}${steps.join("")}`;
}

/**
 * The path of a curve on two axes.
 * @param {[Scale, Scale]} axes
 * @param {number[]} across
 * @param {number[]} up
 * @returns {string}
 */
export function line([x, y], across, up) {
  return pathData(across.map((v) => unit(x, v)), up.map((v) => unit(y, v)));
}

/**
 * Steps of precision over recall at a prevalence.
 * @param {Model} m
 * @param {number} p
 * @returns {[number[], number[]]}
 */
export function precisionSteps(m, p) {
  const across = [], up = [];
  for (let i = 1; i < m.tp.length; i++) {
    const precision = precisionAt(m, i, p) ?? 0;
    across.push(m.tp[i - 1] / m.pos, m.tp[i] / m.pos);
    up.push(precision, precision);
  }
  return [across, up];
}

/**
 * Cost of every cut against the share that it flags at a prevalence.
 * @param {Model} m
 * @param {number} p
 * @param {number} ratio
 * @returns {[number[], number[]]}
 */
export function costs(m, p, ratio) {
  const across = m.tp.map((tp, i) => p * (tp / m.pos) + (1 - p) * (m.fp[i] / m.neg));
  return [across, m.tp.map((_, i) => relativeCost(m, i, p, ratio))];
}

/**
 * Precision of one cut at every prevalence.
 * @param {Model} m
 * @param {number} i
 * @param {number[]} prevalences
 * @returns {[number[], number[]]}
 */
export function precisionByPrevalence(m, i, prevalences) {
  return [prevalences, prevalences.map((p) => precisionAt(m, i, p) ?? 0)];
}
