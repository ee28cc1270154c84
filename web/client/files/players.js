// The players above and below the board, with their clocks.

import { byId, el } from "./dom.js";

// drawPlayers shows who plays which side of a view; past, if not null, is the position
// that the board shows instead of the present one. near is the side at the bottom.
export function drawPlayers(view, past, near, names) {
  const sides = view.picture.layout.sides;
  const { picture, discs } = past || view;
  for (const [box, side] of [[byId("far"), 1 - near], [byId("near"), near]]) {
    const i = Math.max(0, view.seats.findIndex((s) => s.side === sides[side]));
    const disc = el("span", { class: "disc" });
    disc.innerHTML = discs[side]; // by report/board, with all text escaped
    const who = names.seat(view, i);
    const rated = view.seats[i].person ? null : names.opponent(view.setup.game, view.seats[i].name);
    const moves = !view.result && !view.lesson?.done && !view.lesson?.failed && !past && picture.mover === side;
    box.classList.toggle("moves", moves);
    box.title = view.seats[i].person ? "" : view.seats[i].name;
    box.replaceChildren(
      disc,
      el("span", { class: "who" }, el("strong", {}, who), who === sides[side] ? null : ` (${sides[side]})`, rated && el("small", {}, ` Elo ${Math.round(rated.elo)}`),
        moves ? el("span", { class: "doing" }, view.thinking && !view.seats[i].person ? " is thinking…" : " to move") : null),
      el("span", { class: "pool", "data-side": side }),
      view.clocks ? el("time", { class: "clock", "data-player": i, role: "timer", "aria-label": `Time left of ${who}` }) : "",
    );
  }
}

// drawClocks counts down between two views; taken is when the view came, by
// performance.now.
export function drawClocks(view, taken) {
  if (!view?.clocks) return;
  for (const box of document.querySelectorAll(".clock")) {
    const i = Number(box.dataset.player);
    let left = view.clocks.left[i];
    const runs = view.clocks.running === ["first", "second"][i];
    if (runs) left = Math.max(0, left - (performance.now() - taken));
    const seconds = left / 1000;
    const text = seconds < 20 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    if (box.textContent !== text) box.textContent = text;
    box.classList.toggle("runs", runs);
    box.classList.toggle("low", seconds < 10);
  }
}
