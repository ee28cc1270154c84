// The curve of players' evaluations over the decisions of a game.

import { svg, percent } from "./dom.js";

const width = 320;
const height = 110;
const left = 34;
const bottom = 16;

// chart draws evaluations (table.Judgement, in the first player's view) of a game with
// a number of decisions so far. Lines join the evaluations, whatever lies between.
// Those that are leads have a dashed line.
export function chart(values, steps, name) {
  const x = (n) => left + ((width - left - 6) * n) / Math.max(steps, 10);
  const y = (v) => 6 + ((height - bottom - 6) * (1 - v)) / 2;
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe(values, name) });
  for (const v of [-1, 0, 1]) {
    root.append(svg("line", { class: v === 0 ? "axis middle" : "axis", x1: left, x2: width - 6, y1: y(v), y2: y(v) }));
    root.append(svg("text", { x: left - 5, y: y(v) + 4, "text-anchor": "end" }, percent(v)));
  }
  root.append(svg("text", { x: left, y: height - 2 }, "0"));
  root.append(svg("text", { x: width - 6, y: height - 2, "text-anchor": "end" }, `${Math.max(steps, 10)} decisions`));
  // One line for each player: evaluations of two players do not compare.
  const by = new Map();
  for (const v of values) by.set(v.by, [...(by.get(v.by) || []), v]);
  let number = 0;
  for (const list of by.values()) {
    const points = list.map((v) => `${x(v.steps).toFixed(1)},${y(v.value).toFixed(1)}`);
    root.append(svg("polyline", { class: `course c${number % 3}${list[0].lead ? " lead" : ""}`, points: points.join(" ") }));
    const last = list[list.length - 1];
    root.append(svg("circle", { class: `dot c${number % 3}`, cx: x(last.steps), cy: y(last.value), r: 3 }));
    number++;
  }
  return root;
}

function describe(values, name) {
  if (values.length === 0) return "No evaluation yet";
  const last = values[values.length - 1];
  const what = last.lead ? `lead of ${name}` : `expected score of ${name}`;
  return `${what} after ${last.steps} decisions: ${last.lead ? last.value.toFixed(2) : percent(last.value)} by ${last.by}`;
}
