/** Numbers as Python writes them on the page (text.py), and the interval of a proportion. */

/**
 * A number with d decimals, exact ties to even as Python does.
 * @param {number} v
 * @param {number} d
 * @returns {string}
 */
export function fixed(v, d) {
  const exact = Math.abs(v).toFixed(Math.min(100, d + 60));
  const cut = exact.length - (Math.min(100, d + 60) - d);
  let text = Math.abs(v).toFixed(d);
  if (/^50*$/.test(exact.slice(cut)) && Number(text[text.length - 1]) % 2 === 1) {
    text = exact.slice(0, cut).replace(/\.$/, "");
  }
  return v < 0 ? "-" + text : text;
}

/**
 * Like Python's "g": so many significant digits, without zeros at the end.
 * @param {number} v
 * @param {number} digits
 * @returns {string}
 */
export function general(v, digits) {
  if (v === 0) return "0";
  const [head, power] = v.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  /** @param {string} s */
  const bare = (s) => (s.includes(".") ? s.replace(/\.?0+$/, "") : s);
  if (exponent >= -4 && exponent < digits) return bare(v.toFixed(Math.max(0, digits - 1 - exponent)));
  return bare(head) + "e" + (exponent < 0 ? "-" : "+") + String(Math.abs(exponent)).padStart(2, "0");
}

/**
 * Four decimals, more where it is close to 0 or 1; a dash where there is none.
 * @param {number | null} v
 * @returns {string}
 */
export function number(v) {
  if (v === null || Number.isNaN(v)) return "–";
  if (!Number.isFinite(v)) return v > 0 ? "inf" : "-inf";
  if (v === 0 || v === 1) return v.toFixed(4);
  const size = Math.abs(v);
  if (size < 1e-3) return general(v, 3);
  if (size < 1 && 1 - size < 0.5e-4) return fixed(v, Math.min(16, 2 - Math.floor(Math.log10(1 - size))));
  return fixed(v, 4);
}

/**
 * A share as a percentage with three significant digits at least, never a false 0 % or 100 %.
 * @param {number} share
 * @returns {string}
 */
export function percent(share) {
  if (share === 0 || share === 1) return share * 100 + "%";
  const rest = Math.min(share, 1 - share);
  if (rest >= 0.001) return fixed(100 * share, 1) + "%";
  if (share === rest && rest < 1e-5) return general(100 * share, 2) + "%";
  return fixed(100 * share, Math.min(14, -Math.floor(Math.log10(100 * rest)) + 1)) + "%";
}

/**
 * A share that was asked for or attained, as a percentage with four significant digits.
 * @param {number} share
 * @returns {string}
 */
export function exactly(share) {
  return general(100 * share, 4) + "%";
}

/**
 * A count with thousands separators; a sum of weights with six digits.
 * @param {number} v
 * @returns {string}
 */
export function count(v) {
  const [whole, rest] = (Number.isInteger(v) ? v.toFixed(0) : general(v, 6)).split(".");
  const grouped = whole.includes("e") ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? grouped : grouped + "." + rest;
}

/**
 * A number of rows: whole from 100 on, with one decimal below.
 * @param {number} v
 * @returns {string}
 */
export function rounded(v) {
  return v >= 99.95 ? count(Number(fixed(v, 0))) : fixed(v, 1);
}

/**
 * An interval in brackets; nothing where there is none.
 * @param {[number, number] | null} limits
 * @returns {string}
 */
export function span(limits) {
  return limits === null ? "–" : `[${number(limits[0])}, ${number(limits[1])}]`;
}

/**
 * Wilson's interval of a proportion (Wilson 1927), within [0, 1].
 * @param {number} hits
 * @param {number} n
 * @param {number} z
 * @returns {[number, number] | null}
 */
export function wilson(hits, n, z) {
  if (n === 0) return null;
  const p = hits / n, z2 = z * z;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return [hits === 0 ? 0 : Math.max(0, middle - half), hits === n ? 1 : Math.min(1, middle + half)];
}
