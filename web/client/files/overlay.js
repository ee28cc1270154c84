// The curves of two runs over each other, drawn from the tables of their figures: the
// first number of each cell after the first two, over the second column.

import { el, svg } from "./dom.js";

const width = 480;
const height = 240;
const left = 56;
const right = 8;
const bottom = 34;

// seconds reads 1:02:03 as seconds and 0.25 as itself.
const seconds = (text) => (text.includes(":") ? text.split(":").reduce((sum, x) => 60 * sum + Number(x), 0) : parseFloat(text));

// series are the columns of a figure as lists of [x, y].
function series(f) {
  return f.head.slice(2).map((name, i) => ({
    name,
    points: f.rows.map((row) => [seconds(row[1]), parseFloat((row[i + 2] || "").replace("−", "-"))]).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)),
  }));
}

// overlay is a picture of the columns that both figures have; null if there are none.
export function overlay(a, b, nameA, nameB) {
  if (!a.rows || !b.rows || a.head[1] !== b.head[1]) return null;
  const [listA, listB] = [series(a), series(b)];
  const common = listA.filter((s) => listB.some((t) => t.name === s.name)).slice(0, 4);
  const lines = common.flatMap((s, i) => [{ ...s, run: 0, i }, { ...listB.find((t) => t.name === s.name), run: 1, i }]);
  const all = lines.flatMap((l) => l.points);
  if (all.length === 0) return null;
  const xs = all.map((p) => p[0]);
  const ys = all.map((p) => p[1]);
  const [x1, y1, least] = [Math.max(...xs), Math.max(...ys), Math.min(...ys)];
  const y0 = least > 0 && least < y1 / 2 ? 0 : least; // from 0 where that wastes little
  const x = (v) => left + ((width - left - right) * v) / (x1 || 1);
  const y = (v) => 8 + ((height - bottom - 8) * (y1 - v)) / (y1 - y0 || 1);
  const text = (at, words, attributes) => svg("text", { ...at, ...attributes }, words);
  const label = (v) => (Math.abs(v) >= 100 ? v.toFixed(0) : v.toPrecision(3));
  const clock = (v) => (a.head[1] === "after" ? `${(v / 3600).toFixed(1)} h` : String(Math.round(v * 100) / 100));
  const root = svg("svg", { class: "plot overlay", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${a.title} of ${nameA} and ${nameB}` },
    [y0, (y0 + y1) / 2, y1].flatMap((v) => [svg("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }), text({ x: left - 6, y: y(v) + 4 }, label(v), { "text-anchor": "end" })]),
    [0, x1 / 2, x1].map((v, i) => text({ x: x(v), y: height - bottom + 14 }, clock(v), { "text-anchor": ["start", "middle", "end"][i] })),
    text({ x: (left + width - right) / 2, y: height - 4 }, a.head[1] === "after" ? "hours of learning" : a.head[1], { "text-anchor": "middle" }),
    lines.map((l) => svg("polyline", { class: `run${l.run} shade${l.i}`, points: l.points.map(([u, v]) => `${x(u).toFixed(1)},${y(v).toFixed(1)}`).join(" ") }, svg("title", {}, `${l.run ? nameB : nameA}: ${l.name}`))),
    lines.filter((l) => l.points.length === 1).map((l) => svg("circle", { class: `run${l.run} shade${l.i}`, cx: x(l.points[0][0]), cy: y(l.points[0][1]), r: 3 })), // no line shows them
  );
  return el("div", {}, root, el("p", { class: "doc" }, el("span", { class: "key run0" }, nameA), " and ", el("span", { class: "key run1" }, nameB), common.length > 1 ? `: ${common.map((s) => s.name).join(", ")} (fainter in this order)` : ""));
}
