/** The pictures once the script runs: lines that follow the sliders, a mark a model, dragging, hovering and keys. */
import { INNER, LEFT, TOP, unit } from "./scales.js";
import { attained, numeric, precisionAt, rates, relativeCost } from "./cuts.js";
import { costs, line, precisionByPrevalence, precisionSteps } from "./draw.js";
import { number } from "./numbers.js";
import { ruleText } from "./cards.js";
import { cutsOf, given, pinTo, word } from "./state.js";

/** @typedef {import("./state.js").Page} Page */
/** @typedef {import("./cuts.js").Rule} Rule */
/** @typedef {import("./scales.js").Scale} Scale */
/** @typedef {{svg: SVGSVGElement, kind: string, axes: [Scale, Scale], model: number | null, rule: Rule | "prevalence" | "cost_ratio"}} Panel */

/**
 * What dragging in a picture links the models by, or moves.
 * @type {Record<string, Panel["rule"]>}
 */
const RULE_OF = {
  roc: "fpr", log_roc: "fpr", det: "fpr", precision_recall: "recall", flagged_cost: "flagged", cost_curve: "cost_ratio",
  decision: "score", scores: "score", reliability: "score", ap_prevalence: "prevalence", precision_prevalence: "prevalence",
};
const COLOURS = 6;

/**
 * @param {Page} page
 * @returns {Panel[]}
 */
export function findPanels(page) {
  return [...document.querySelectorAll("svg.panel")].map((element) => {
    const svg = /** @type {SVGSVGElement} */ (element), kind = svg.dataset.panel ?? "";
    const model = svg.dataset.model === undefined ? null : Number(svg.dataset.model);
    return { svg, kind, model, axes: model === null ? page.data.axes[kind] : page.data.scoreAxes[model], rule: RULE_OF[kind] };
  });
}

/**
 * Where a cut of a model lies on a picture's axes; null where it is not shown.
 * @param {Page} page
 * @param {Panel} panel
 * @param {number} model
 * @param {number} i
 * @returns {[number, number] | null}
 */
export function spot(page, panel, model, i) {
  const m = page.models[model], r = rates(m, i), { p, ratio } = given(page);
  switch (panel.kind) {
    case "roc": case "log_roc": return [r.fpr, r.recall];
    case "det": return [r.fpr, 1 - r.recall];
    case "precision_recall": return [r.recall, precisionAt(m, i, p) ?? 1];
    case "flagged_cost": return [p * r.recall + (1 - p) * r.fpr, relativeCost(m, i, p, ratio)];
    case "ap_prevalence": return [p, m.ap[page.state.p]];
    case "precision_prevalence": return [p, precisionAt(m, i, p) ?? 0];
    case "cost_curve": {
      const pc = (p * ratio) / (p * ratio + 1 - p);
      return [pc, (1 - pc) * r.fpr + pc * (1 - r.recall)];
    }
    default: {
      const t = numeric(m.thresholds[i]);
      const [, low, high] = panel.axes[0], other = panel.model !== null && panel.model !== model;
      return Number.isNaN(t) || other || t < low || t > high ? null : [t, NaN];
    }
  }
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * A dot where the cut has a height, otherwise an upright line.
 * @param {Panel} panel
 * @param {[number, number]} at
 * @param {string} look
 * @returns {SVGElement}
 */
function mark(panel, at, look) {
  const x = LEFT + unit(panel.axes[0], at[0]);
  if (Number.isNaN(at[1])) return shape("path", { class: `at ${look}`, d: `M${x} ${TOP}v${INNER}` });
  return shape("circle", { class: `at ${look}`, cx: x, cy: TOP + INNER - unit(panel.axes[1], at[1]), r: 11 });
}

/**
 * The end of the line from a to b, at 0 or 1 of its way or, where it leaves the picture, at the frame.
 * @param {number} a
 * @param {number} b
 * @param {number} end
 * @returns {number}
 */
function within(a, b, end) {
  return (end ? b : a) <= INNER ? end : Math.min(1, Math.max(0, (INNER - a) / (b - a)));
}

/**
 * Draw the marks of all models at some cuts into a picture, the first model on top.
 * @param {Page} page
 * @param {Panel} panel
 * @param {number[]} cuts
 * @param {string} extra
 * @returns {SVGElement[]}
 */
export function marks(page, panel, cuts, extra = "") {
  const made = [];
  for (let model = cuts.length - 1; model >= 0; model--) {
    const at = spot(page, panel, model, cuts[model]), look = `m${model % COLOURS}${extra}`;
    if (!at) continue;
    if (panel.kind === "cost_curve" && !extra) {
      const r = rates(page.models[model], cuts[model]), base = TOP + INNER;
      const top = panel.axes[1][2], [a, b] = [r.fpr, 1 - r.recall].map((v) => (v / top) * INNER);
      const [from, to] = [0, 1].map((x) => within(a, b, x));
      made.push(shape("path", { class: `cutline ${look}`,
        d: `M${LEFT + from * INNER} ${base - a - from * (b - a)}L${LEFT + to * INNER} ${base - a - to * (b - a)}` }));
    }
    made.push(mark(panel, at, look));
  }
  return made;
}

/**
 * Draw again what depends on prevalence, costs or the cuts.
 * @param {Page} page
 * @param {Panel[]} panels
 */
export function drawPanels(page, panels) {
  const cuts = cutsOf(page), { p, ratio } = given(page), key = `${p} ${ratio}`;
  for (const panel of panels) {
    panel.svg.querySelector(".marks")?.replaceChildren(...marks(page, panel, cuts));
    const moving = panel.kind === "precision_prevalence";
    if (moving || (["precision_recall", "flagged_cost"].includes(panel.kind) && panel.svg.dataset.drawn !== key)) {
      panel.svg.dataset.drawn = key;
      page.models.forEach((m, i) => {
        const [x, y] = moving ? precisionByPrevalence(m, cuts[i], page.data.prevalence)
          : panel.kind === "flagged_cost" ? costs(m, p, ratio) : precisionSteps(m, p);
        panel.svg.querySelector(`[data-line="${i}"]`)?.setAttribute("d", line(panel.axes, x, y));
      });
      if (panel.kind === "precision_recall") {
        panel.svg.querySelector(".chance")?.setAttribute("d", line(panel.axes, [0, 1], [p, p]));
      }
    }
    speak(page, panel, cuts);
  }
}

/**
 * Say in words what a picture shows, for screen readers.
 * @param {Page} page
 * @param {Panel} panel
 * @param {number[]} cuts
 */
function speak(page, panel, cuts) {
  const model = active(page, panel), m = page.models[model], { p } = given(page);
  const [now, top] = panel.rule === "prevalence" ? [page.state.p, page.data.prevalence.length - 1]
    : panel.rule === "cost_ratio" ? [page.state.c, page.data.ratio.length - 1] : [cuts[model], m.tp.length - 1];
  const text = cuts.map((i, k) => word(page, "said_point", {
    model: page.data.names[k], rule: ruleText(page, k, i), recall: number(rates(page.models[k], i).recall),
    fpr: number(rates(page.models[k], i).fpr), precision: number(precisionAt(page.models[k], i, p)),
  })).join("; ");
  const said = { role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": top, "aria-valuenow": now, "aria-valuetext": text };
  for (const [name, value] of Object.entries(said)) panel.svg.setAttribute(name, String(value));
}

/**
 * The model that the keys move: that of the picture, or the one moved last.
 * @param {Page} page
 * @param {Panel} panel
 * @returns {number}
 */
export function active(page, panel) {
  return panel.model ?? page.state.pin?.[0] ?? 0;
}

/**
 * A pointer's place in units of the axes, not held inside.
 * @param {Panel} panel
 * @param {PointerEvent} event
 * @returns {[number, number]}
 */
function pointer(panel, event) {
  const box = panel.svg.getBoundingClientRect(), width = panel.svg.viewBox.baseVal.width, scale = width / box.width;
  return [(event.clientX - box.left) * scale - LEFT, TOP + INNER - (event.clientY - box.top) * scale];
}

/**
 * The cut nearest to a place, of one model or of all.
 * @param {Page} page
 * @param {Panel} panel
 * @param {[number, number]} place
 * @param {number | null} only
 * @returns {[number, number]} model and cut
 */
export function nearest(page, panel, [x, y], only) {
  let best = Infinity;
  /** @type {[number, number]} */
  let found = [only ?? 0, 0];
  page.models.forEach((m, model) => {
    if (only !== null && only !== model) return;
    for (let i = 0; i < m.tp.length; i++) {
      const at = spot(page, panel, model, i);
      if (!at) continue;
      const dx = unit(panel.axes[0], at[0]) - x, dy = Number.isNaN(at[1]) ? 0 : unit(panel.axes[1], at[1]) - y;
      if (dx * dx + dy * dy < best) {
        best = dx * dx + dy * dy;
        found = [model, i];
      }
    }
  });
  return found;
}

/**
 * The stop of a slider nearest to a place along the axis.
 * @param {number[]} stops
 * @param {(stop: number) => number} along
 * @param {number} x
 * @returns {number}
 */
function nearestStop(stops, along, x) {
  return stops.reduce((best, stop, i) => (Math.abs(along(stop) - x) < Math.abs(along(stops[best]) - x) ? i : best), 0);
}

/**
 * Move the page to a place in a picture.
 * @param {Page} page
 * @param {Panel} panel
 * @param {[number, number]} place
 * @param {number | null} only the model that is dragged, once there is one
 * @returns {number | null}
 */
function moveTo(page, panel, place, only) {
  const { state, data } = page, { p } = given(page), across = panel.axes[0];
  if (panel.rule === "prevalence") {
    state.p = nearestStop(data.prevalence, (stop) => unit(across, stop), place[0]);
    return null;
  }
  if (panel.rule === "cost_ratio") {
    state.c = nearestStop(data.ratio, (ratio) => unit(across, (p * ratio) / (p * ratio + 1 - p)), place[0]);
    return null;
  }
  const [model, cut] = nearest(page, panel, place, panel.model ?? only);
  pinTo(page, model, cut, panel.rule);
  return model;
}

const STEPS = /** @type {Record<string, number>} */ ({
  ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 50, PageDown: -50, Home: -Infinity, End: Infinity,
});

/**
 * Move by a key; whether it was one of ours.
 * @param {Page} page
 * @param {Panel} panel
 * @param {string} key
 * @returns {boolean}
 */
export function press(page, panel, key) {
  const step = STEPS[key];
  if (step === undefined) return false;
  const { state, data } = page;
  /** @param {number} now @param {number} length @param {number} by */
  const moved = (now, length, by) => Math.min(Math.max(now + by, 0), length - 1);
  const short = Math.max(-10, Math.min(10, step)), far = Number.isFinite(step) ? short : step;
  if (panel.rule === "prevalence") state.p = moved(state.p, data.prevalence.length, far);
  else if (panel.rule === "cost_ratio") state.c = moved(state.c, data.ratio.length, far);
  else {
    const model = active(page, panel), n = page.models[model].tp.length;
    pinTo(page, model, moved(cutsOf(page)[model], n, step), panel.rule);
  }
  return true;
}

/**
 * Let a picture be dragged, hovered over and moved by keys.
 * @param {Page} page
 * @param {Panel[]} panels
 * @param {Panel} panel
 * @param {() => void} changed
 */
export function attach(page, panels, panel, changed) {
  const { svg } = panel;
  /** @type {number | null} */
  let dragged = null;
  let down = false;
  svg.addEventListener("pointerdown", (event) => {
    down = true;
    svg.setPointerCapture(event.pointerId);
    dragged = moveTo(page, panel, pointer(panel, event), null);
    changed();
  });
  svg.addEventListener("pointermove", (event) => {
    if (down) {
      moveTo(page, panel, pointer(panel, event), dragged);
      changed();
    } else if (event.pointerType === "mouse") hover(page, panels, panel, pointer(panel, event));
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (down = false));
  svg.addEventListener("pointerleave", () => clearHover(panels));
  svg.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !press(page, panel, event.key)) return;
    event.preventDefault();
    changed();
  });
}

/**
 * Show the cut under the mouse in all pictures, and in words in this one, without moving the page.
 * @param {Page} page
 * @param {Panel[]} panels
 * @param {Panel} panel
 * @param {[number, number]} place
 */
function hover(page, panels, panel, place) {
  clearHover(panels);
  if (panel.rule === "prevalence" || panel.rule === "cost_ratio") return;
  const [model, cut] = nearest(page, panel, place, panel.model), m = page.models[model];
  const { state } = page, before = { ...state };
  pinTo(page, model, cut, panel.rule);
  const cuts = cutsOf(page);
  Object.assign(state, before);
  for (const each of panels) {
    each.svg.querySelector(".marks")?.append(...marks(page, each, cuts, " ghost"));
  }
  const r = rates(m, cut), at = spot(page, panel, model, cut);
  if (!at) return;
  const x = unit(panel.axes[0], at[0]), lines = [
    page.data.names[model].slice(0, 30), ruleText(page, model, cut), `${word(page, "recall")} ${number(r.recall)}`, `${word(page, "roc_x")} ${number(r.fpr)}`,
    `${word(page, "precision")} ${number(attained(m, cut, "precision", given(page)))}`,
  ];
  const box = shape("g", { class: "ghost tip", transform: `translate(${x > INNER / 2 ? LEFT + 12 : LEFT + INNER - 372} ${TOP + 12})` });
  box.append(shape("rect", { width: 360, height: 162, rx: 8 }));
  lines.forEach((text, i) => {
    const made = shape("text", { x: 14, y: 32 + 29 * i });
    made.textContent = text;
    box.append(made);
  });
  panel.svg.append(box);
}

/** @param {Panel[]} panels */
function clearHover(panels) {
  for (const { svg } of panels) for (const old of svg.querySelectorAll(".ghost")) old.remove();
}
