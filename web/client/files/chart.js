// The curve of evaluations over the decisions of a game. A click on it goes to that
// position.

import { svg, percent } from "./dom.js";

const width = 480;
const height = 96;
const left = 36;
const bottom = 14;

// chart draws evaluations (table.Judgement) of a game with a number of decisions so far,
// in the view of the first player, or of the second with sign -1. Lines join the
// evaluations, whatever lies between. Those that are leads have a dashed line. flaws
// are the mistakes of a review, at is the position that is shown, go(n) shows another.
export function chart({ values, steps, at, flaws, name, sign }, go) {
  const most = Math.max(steps, 10);
  const x = (n) => left + ((width - left - 6) * n) / most;
  const y = (v) => 6 + ((height - bottom - 6) * (1 - sign * v)) / 2;
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe(values, name, sign) });
  for (const v of [-1, 0, 1]) {
    root.append(svg("line", { class: v === 0 ? "axis middle" : "axis", x1: left, x2: width - 6, y1: y(v), y2: y(v) }));
    root.append(svg("text", { x: left - 5, y: y(v) + 4, "text-anchor": "end" }, percent(sign * v)));
  }
  root.append(svg("text", { x: left, y: height - 2 }, "0"), svg("text", { x: width - 6, y: height - 2, "text-anchor": "end" }, `${most} moves`));
  root.append(svg("line", { class: "cursor", x1: x(at), x2: x(at), y1: 4, y2: height - bottom + 2 }));
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
  for (const f of flaws) root.append(svg("circle", { class: "flaw", cx: x(f.steps), cy: y(f.before), r: 4 }, svg("title", {}, `${f.grade}: ${f.word}`)));
  root.addEventListener("click", (e) => {
    const box = root.getBoundingClientRect();
    const along = ((e.clientX - box.left) / box.width) * width;
    go(Math.max(0, Math.min(steps, Math.round(((along - left) / (width - left - 6)) * most))));
  });
  return root;
}

function describe(values, name, sign) {
  const last = values[values.length - 1];
  const what = last.lead ? `lead of ${name}` : `chances of ${name}`;
  return `${what} after ${last.steps} moves: ${last.lead ? (sign * last.value).toFixed(2) : percent(sign * last.value)}`;
}
