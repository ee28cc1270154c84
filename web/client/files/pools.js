// The pieces beside the board: buttons where a choice takes one of them. They are drawn
// by the program, like the board.

import { el } from "./dom.js";

// drawn is an element with a drawing of the program, which has all text escaped.
function drawn(name, attributes, drawing, text) {
  const e = el(name, attributes);
  e.innerHTML = drawing;
  if (text) e.append(text);
  return e;
}

// drawPools fills the places of the page for the pieces of a position beside the board,
// and shows what a board (board.js) can take from them.
export function drawPools({ pools = [] }, board) {
  for (const box of document.querySelectorAll(".pool")) {
    const pool = pools.find((p) => p.side === Number(box.dataset.side));
    const had = box.contains(document.activeElement) && document.activeElement.dataset.entry;
    box.hidden = !pool;
    if (!pool) {
      box.replaceChildren();
      continue;
    }
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", pool.place);
    const entries = pool.entries.map(({ kind, text, drawn: drawing }) => {
      const entry = { side: pool.side, kind };
      const about = { class: "entry", title: text, "data-entry": `${pool.side} ${kind}` };
      if (board.takes(entry).length === 0) return drawn("span", { ...about, role: "img", "aria-label": text }, drawing);
      return drawn("button", { ...about, type: "button", "aria-label": text, "aria-pressed": String(board.holds(entry)), onclick: () => board.take(entry) }, drawing);
    });
    box.replaceChildren(...(pool.side < 0 ? [el("small", {}, pool.place)] : []), ...entries);
    if (had) box.querySelector(`[data-entry="${had}"]`)?.focus({ preventScroll: true });
  }
}

// overlaySigns explain what else is drawn on the board.
export const overlaySigns = ({ signs = [] }) => signs.map((s) => drawn("span", {}, s.drawn, s.text));
