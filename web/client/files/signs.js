// The signs of what a choice does, alike on the board and in the legend. They differ by
// shape, not by colour alone.

import { el, svg } from "./dom.js";

// shapeOf is the sign of a choice.
export function shapeOf(choice) {
  if (choice.uses) return "special";
  if (choice.hits?.length) return "capture";
  return choice.from === undefined && choice.kind ? "place" : "step";
}

// sign draws a sign at a point, in units of the board; ring is the radius of a ring
// around a piece there, false on an empty cell.
export function sign(shape, [x, y], ring) {
  const path = (d, name) => svg("path", { class: `target ${shape} ${name || ""}`, d: `M${x} ${y}${d}` });
  if (shape === "special") return ring ? path(`m0 ${-ring}l${ring} ${ring}l${-ring} ${ring}l${-ring} ${-ring}z`, "ring") : path("m0 -.25l.25 .25l-.25 .25l-.25 -.25z");
  if (ring) return svg("circle", { class: "target capture", cx: x, cy: y, r: ring });
  if (shape === "place") return path("m-.06 -.2h.12v.14h.14v.12h-.14v.14h-.12v-.14h-.14v-.12h.14z");
  return svg("circle", { class: "target step", cx: x, cy: y, r: 0.17 });
}

const plain = { step: "move", capture: "capture", place: "here" };

// legend explains the signs of choices.
export function legend(choices) {
  const known = new Map();
  for (const c of choices) {
    const shape = shapeOf(c);
    const text = c.uses ? `${c.kind && !c.uses.includes(c.kind) ? c.kind + ": " : ""}uses up ${c.uses.join(" and ")}` : (shape !== "step" && c.kind) || plain[shape];
    known.set(shape + text, el("span", {}, svg("svg", { class: "over", viewBox: "-.36 -.36 .72 .72", "aria-hidden": "true" }, sign(shape, [0, 0], shape === "capture" && 0.28)), text));
  }
  return known.size === 1 && [...known.keys()][0] === "stepmove" ? [] : [...known.values()];
}
