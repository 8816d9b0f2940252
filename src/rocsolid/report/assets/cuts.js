/** The table of cuts of a model: rates at a cut, and the cut that a rule asks for. Everything is counted, nothing read off a picture. */

/** @typedef {number | string | null} Threshold */
/** @typedef {{thresholds: Threshold[], tp: number[], fp: number[], pos: number, neg: number, floats: boolean, intervals: boolean, ap: number[]}} Model */
/** @typedef {"flagged" | "fpr" | "recall" | "precision" | "score" | "cost"} Rule */
/** @typedef {{recall: number, fpr: number, flagged: number, precision: number | null, specificity: number, f1: number}} Rates */

/**
 * Read a model as the page holds it: thresholds as bytes or as a list, counts as steps or as sums.
 * @param {any} raw
 * @returns {Model}
 */
export function unpack(raw) {
  /** @param {string} text */
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  let cuts = raw.thresholds;
  if (typeof cuts === "string") {
    const view = new DataView(bytesOf(cuts).buffer);
    cuts = Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
  }
  /** @param {string | number[]} held @returns {number[]} */
  const counts = (held) => {
    if (typeof held !== "string") return held;
    const found = [0];
    let step = 0, place = 1;
    for (const byte of bytesOf(held)) {
      step += (byte % 128) * place;
      place *= 128;
      if (byte < 128) {
        found.push(found[found.length - 1] + step);
        step = 0;
        place = 1;
      }
    }
    return found;
  };
  const tp = counts(raw.tp), fp = counts(raw.fp);
  return {
    thresholds: [null, ...cuts], tp, fp, pos: tp[tp.length - 1], neg: fp[fp.length - 1],
    floats: raw.floats, intervals: raw.intervals, ap: raw.ap,
  };
}

/**
 * A threshold as a number, to compare with.
 * @param {Threshold} t
 * @returns {number}
 */
export function numeric(t) {
  if (t === "inf") return Infinity;
  if (t === "-inf") return -Infinity;
  return t === null ? NaN : Number(t);
}

/**
 * @param {Model} m
 * @param {number} i
 * @returns {Rates}
 */
export function rates(m, i) {
  const tp = m.tp[i], fp = m.fp[i];
  return {
    recall: tp / m.pos, fpr: fp / m.neg, flagged: (tp + fp) / (m.pos + m.neg),
    precision: tp + fp > 0 ? tp / (tp + fp) : null, specificity: (m.neg - fp) / m.neg, f1: (2 * tp) / (tp + fp + m.pos),
  };
}

/**
 * Precision at a prevalence; null where nothing is flagged.
 * @param {Model} m
 * @param {number} i
 * @param {number} p
 * @returns {number | null}
 */
export function precisionAt(m, i, p) {
  const hit = p * (m.tp[i] / m.pos), alarm = (1 - p) * (m.fp[i] / m.neg);
  return hit + alarm > 0 ? hit / (hit + alarm) : null;
}

/**
 * Expected cost as a multiple of that of the better of flagging nobody and everybody.
 * @param {Model} m
 * @param {number} i
 * @param {number} p prevalence
 * @param {number} ratio what a miss costs, in false alarms
 * @returns {number}
 */
export function relativeCost(m, i, p, ratio) {
  const nobody = p * ratio, everybody = 1 - p;
  return (nobody * (1 - m.tp[i] / m.pos) + everybody * (m.fp[i] / m.neg)) / Math.min(nobody, everybody);
}

/**
 * The first position for which a test holds that fails before it and holds after it.
 * @param {number} n
 * @param {(i: number) => boolean} test
 * @returns {number} n if there is none
 */
export function firstWhere(n, test) {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The cut of a model that a rule asks for.
 * @param {Model} m
 * @param {Rule} rule
 * @param {number} asked a share; for the rule "score" a score
 * @param {{higher: boolean, p: number, ratio: number}} given
 * @returns {number}
 */
export function find(m, rule, asked, given) {
  const n = m.tp.length;
  if (rule === "fpr") {
    const last = firstWhere(n, (i) => m.fp[i] / m.neg > asked) - 1;
    return firstWhere(n, (i) => m.tp[i] >= m.tp[last]); // of cuts with as much recall the strictest
  }
  if (rule === "recall") return Math.min(n - 1, firstWhere(n, (i) => m.tp[i] / m.pos >= asked));
  if (rule === "flagged") return firstWhere(n, (i) => (m.tp[i] + m.fp[i]) / (m.pos + m.neg) > asked) - 1;
  if (rule === "score") {
    const sign = given.higher ? 1 : -1;
    return firstWhere(n - 1, (i) => sign * numeric(m.thresholds[i + 1]) < sign * asked);
  }
  let best = 0;
  if (rule === "cost") {
    for (let i = 1; i < n; i++) {
      if (relativeCost(m, i, given.p, given.ratio) < relativeCost(m, best, given.p, given.ratio)) best = i;
    }
    return best;
  }
  let met = false, top = -1;
  for (let i = 1; i < n; i++) {
    const precision = precisionAt(m, i, given.p) ?? -1;
    if (precision >= asked) {
      if (!met || m.tp[i] > m.tp[best]) best = i;
      met = true;
    } else if (!met && precision > top) {
      best = i;
      top = precision;
    }
  }
  return best;
}

/**
 * What a model has of that by which the models are linked.
 * @param {Model} m
 * @param {number} i
 * @param {Rule} rule
 * @param {{p: number, ratio: number}} given
 * @returns {number | null}
 */
export function attained(m, i, rule, given) {
  if (rule === "score") return i === 0 ? null : numeric(m.thresholds[i]);
  if (rule === "cost") return relativeCost(m, i, given.p, given.ratio);
  if (rule === "precision") return precisionAt(m, i, given.p);
  return rates(m, i)[rule];
}
