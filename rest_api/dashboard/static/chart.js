// A chart of messages over time: columns of what became of them, and a line of what came in.

import { h, svg } from "./dom.js";
import { compact, number } from "./format.js";
import { t } from "./texts.js";

/** What a column is made of, from the bottom. */
export const PARTS = [
  ["delivered", t("Delivered")],
  ["open", t("On the way")],
  ["failed", t("Failed")],
];
const LINE = ["received", t("Received")];

const HEIGHT = 240;
const EDGE = { top: 12, right: 4, bottom: 26, left: 40 };
const ROOM_OF_A_LABEL = 52;

/**
 * `{element, update(points, summary)}`. `points`: `[{label, title, delivered, open, failed, received}]`, oldest first;
 * `summary` says it in a sentence. Whoever reads a column goes on reading it when the figures change.
 */
export function chart() {
  const readout = h("p", { class: "readout", "aria-live": "polite" });
  const frame = h("div", { class: "chart", tabindex: "0", role: "img" });
  let points = [];
  let active = null;

  const draw = () => {
    const width = frame.clientWidth;
    if (width && points.length) frame.replaceChildren(drawing(points, width, active, point));
  };
  const read = () => {
    const said = active === null ? hint() : told(points[active]);
    if (said.map((one) => one.textContent).join() !== readout.dataset.said) readout.replaceChildren(...said);
    readout.dataset.said = said.map((one) => one.textContent).join();
  };
  const point = (index) => {
    if (index === active) return;
    active = index;
    read();
    draw();
  };
  const update = (all, summary) => {
    const title = points[active]?.title;
    const there = all.findIndex((one) => one.title === title);
    points = all;
    active = there < 0 ? null : there;
    frame.setAttribute("aria-label", summary);
    read();
    draw();
  };
  frame.addEventListener("pointerleave", () => point(null));
  frame.addEventListener("blur", () => point(null));
  frame.addEventListener("keydown", (event) => {
    const last = points.length - 1;
    const at = active ?? last + 1;
    const next = { ArrowLeft: Math.max(0, at - 1), ArrowRight: Math.min(last, at + 1), Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    point(next);
  });
  new ResizeObserver(draw).observe(frame);
  return { element: h("figure", { class: "chart-figure" }, legend(), frame, readout), update };
}

function hint() {
  return [h("span", { class: "quiet" }, t("Point at a column, or use the arrow keys, to read it."))];
}

function told(point) {
  return [
    h("strong", null, point.title),
    ...[...PARTS, LINE].map(([name, label]) =>
      h("span", { class: `key key-${name}` }, `${label} `, h("b", null, number(point[name]))),
    ),
  ];
}

function legend() {
  return h(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    [...PARTS, LINE].map(([name, label]) => h("li", { class: `key key-${name}` }, label)),
  );
}

function drawing(points, width, active, point) {
  const most = Math.max(1, ...points.map((one) => Math.max(height(one), one.received)));
  const ticks = marks(most);
  const top = ticks.at(-1);
  const inner = { width: width - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const step = inner.width / points.length;
  const y = (value) => EDGE.top + inner.height * (1 - value / top);
  const x = (index) => EDGE.left + step * index;
  const every = Math.ceil(ROOM_OF_A_LABEL / step);

  return svg(
    "svg",
    { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" },
    ticks
      .map((tick) => [
        svg("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick", x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, compact(tick)),
      ])
      .flat(),
    active !== null && svg("rect", { class: "lit", x: x(active), y: EDGE.top, width: step, height: inner.height }),
    points.map((one, index) => column(one, x(index), step, y)).flat(),
    line(points, step, x, y),
    points.map(
      (one, index) =>
        (points.length - 1 - index) % every === 0 &&
        svg(
          "text",
          { class: "tick", x: Math.min(x(index) + step / 2, width - 17), y: HEIGHT - 8, "text-anchor": "middle" },
          one.label,
        ),
    ),
    points.map((_, index) =>
      svg("rect", {
        class: "touch",
        x: x(index),
        y: 0,
        width: step,
        height: HEIGHT,
        onpointerenter: () => point(index),
        onpointerdown: () => point(index),
      }),
    ),
  );
}

const height = (one) => PARTS.reduce((sum, [name]) => sum + one[name], 0);

function column(one, left, step, y) {
  const width = Math.max(2, Math.min(34, step * 0.62));
  let below = 0;
  return PARTS.filter(([name]) => one[name] > 0).map(([name]) => {
    const from = y(below);
    below += one[name];
    const size = Math.max(1, from - y(below));
    return svg("rect", {
      class: `part part-${name}`,
      x: left + (step - width) / 2,
      y: from - size,
      width,
      height: size,
    });
  });
}

function line(points, step, x, y) {
  if (!points.some((one) => one.received)) return null;
  const d = points.map((one, index) => `${index ? "L" : "M"}${x(index) + step / 2} ${y(one.received)}`).join("");
  return svg("path", { class: "line", d });
}

/** Round numbers from 0 to at least `most`. */
function marks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough),
  );
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}
