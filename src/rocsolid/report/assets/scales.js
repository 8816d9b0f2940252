/** From numbers to positions on an axis, as in scales.py. */

/** @typedef {[kind: string, low: number, high: number]} Scale */

/** Whole units along each axis of a picture, and its margins, as in svg.py. */
export const INNER = 600, LEFT = 116, TOP = 16, RIGHT = 28, BOTTOM = 92;

/**
 * The normal quantile (Wichura 1988, algorithm AS 241, PPND16).
 * @param {number} p
 * @returns {number}
 */
export function probit(p) {
  const q = p - 0.5;
  /** @param {number[]} c @param {number} x */
  const poly = (c, x) => c.reduceRight((sum, a) => sum * x + a, 0);
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * poly([3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
      45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727], r)
      / poly([1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
        39307.89580009271061, 28729.085735721942674, 5226.495278852545925], r);
  }
  let r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  let z;
  if (r <= 5) {
    r -= 1.6;
    z = poly([1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
      1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4], r)
      / poly([1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
        0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9], r);
  } else {
    r -= 5;
    z = poly([6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
      0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7], r)
      / poly([1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
        1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15], r);
  }
  return q < 0 ? -z : z;
}

/** @type {Record<string, (v: number) => number>} */
const STRETCH = {
  linear: (v) => v,
  log: (v) => Math.log10(v),
  probit,
  logit: (v) => Math.log(v / (1 - v)),
};

/**
 * The position of a number in [0, 1] along an axis; what lies beyond its ends is put on them.
 * @param {Scale} scale
 * @param {number} value
 * @returns {number}
 */
export function place([kind, low, high], value) {
  const f = STRETCH[kind];
  const a = f(low);
  return (f(Math.min(Math.max(value, low), high)) - a) / (f(high) - a);
}

/**
 * A position in whole units.
 * @param {Scale} scale
 * @param {number} value
 * @returns {number}
 */
export function unit(scale, value) {
  return Math.floor(place(scale, value) * INNER + 0.5);
}
