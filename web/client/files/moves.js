// The moves of the game, and stepping through them: buttons, slider, keys, and clicks on
// a move or on the chart. The present is what the table shows; anything before is the
// past, which the transport is asked for.

import { byId, el } from "./dom.js";

// rounds are the row and column of each decision in the list: a row has a turn of each
// side, the first side's in column 0.
export function rounds(log, sides) {
  let turn = null;
  let last = -1; // the column of the last turn in the row
  let row = -1;
  return log.map((x) => {
    const column = x.actor === "chance" && turn?.number === x.turn ? turn.column : x.side === sides[0] ? 0 : 1;
    if (!turn || turn.number !== x.turn) {
      if (row < 0 || column === 0 || last >= column) row++;
      last = column;
      turn = { number: x.turn, column };
    }
    return { row, column: turn.column };
  });
}

const kept = 200; // past positions, of some 30 kB each

export class Moves {
  // load(n) is a promise of the position after n decisions; show(past) shows one, null
  // the present; failed(error) is told of one that cannot be had.
  constructor(load, show, failed) {
    Object.assign(this, { load, show, failed });
    this.at = -1; // decisions before the position that is shown, -1 for the present
    this.view = null;
    this.known = new Map(); // positions by the words before them
    this.keys = { Home: () => this.go(0), ArrowLeft: () => this.go(this.now() - 1), ArrowRight: () => this.go(this.now() + 1), End: () => this.go(Infinity) };
    for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["forth", "ArrowRight"], ["last", "End"]]) byId(id).addEventListener("click", this.keys[key]);
    byId("slide").addEventListener("input", (e) => this.go(Number(e.target.value)));
    document.addEventListener("keydown", (e) => {
      if (!this.view || !this.keys[e.key] || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || e.defaultPrevented) return;
      // The board, fields and texts that scroll keep their keys.
      if (e.target.closest('.board, input, textarea, select, dialog, [role="tablist"], [role="tabpanel"].text')) return;
      e.preventDefault();
      this.keys[e.key]();
    });
  }

  now() {
    return this.at < 0 ? this.view.steps : this.at;
  }

  // set takes a new view. A past position stays on the board while the game that led to
  // it is still part of the game.
  set(view) {
    const moved = !this.view || this.view.setup.moves !== view.setup.moves;
    this.view = view;
    if (moved && view.asked) this.at = -1; // a person is asked about the present
    if (this.at >= view.steps) this.at = -1;
    this.draw(moved);
  }

  async go(n) {
    const { steps, setup } = this.view;
    this.at = n >= steps ? -1 : Math.max(0, n);
    const at = this.at;
    this.draw(false);
    if (at < 0) return this.show(null);
    const words = `${setup.game} ${setup.rules} ${setup.position || ""} ${(setup.moves || "").split(" ").slice(0, at).join(" ")}`;
    if (!this.known.has(words)) {
      const asked = this.load(at);
      this.known.set(words, asked);
      if (this.known.size > kept) this.known.delete(this.known.keys().next().value);
      asked.catch(() => this.known.delete(words));
    }
    try {
      const past = await this.known.get(words);
      if (this.at === at) this.show(past);
    } catch (e) {
      if (this.at !== at) return;
      this.at = -1; // the board is still at the present
      this.draw(false);
      this.show(null);
      this.failed(e);
    }
  }

  draw(moved) {
    const { log, steps, picture: { layout: { sides } } } = this.view;
    const now = this.now();
    const slide = byId("slide");
    slide.max = steps;
    slide.value = now;
    slide.setAttribute("aria-valuetext", now === steps ? "present" : `after ${now} of ${steps} moves`);
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("last").disabled = byId("forth").disabled = now === steps;
    const flaws = new Map((this.view.review?.flaws || []).map((f) => [f.steps, f]));
    const rows = [];
    const places = rounds(log, sides);
    log.forEach((x, i) => {
      const { row, column } = places[i];
      rows[row] ??= [[], []];
      const f = flaws.get(i);
      const mark = f ? { inaccuracy: "?!", mistake: "?", blunder: "??" }[f.grade] : "";
      rows[row][column].push(el("button", {
        type: "button", "data-step": i + 1, title: [x.note, f && `${f.grade}: better was ${f.best}`].filter(Boolean).join("; "), "aria-current": i + 1 === now ? "step" : undefined,
        "aria-label": `${x.actor === "chance" ? "chance" : x.side} ${x.word}${x.note ? ", " + x.note : ""}${f ? ", " + f.grade : ""}`, onclick: () => this.go(i + 1),
      }, x.word, mark && el("span", { class: "bad" }, mark)));
    });
    const had = byId("log").contains(document.activeElement) && document.activeElement.dataset.step;
    byId("log").tBodies[0].replaceChildren(...rows.map((row, i) => el("tr", {}, el("th", { scope: "row" }, `${i + 1}.`), row.map((c) => el("td", {}, c)))));
    if (had) byId("log").querySelector(`[data-step="${had}"]`)?.focus({ preventScroll: true });
    requestAnimationFrame(() => { // the list may get more room by what else changes
      const box = byId("logbox");
      const here = byId("log").querySelector("[aria-current]")?.closest("tr");
      if (moved && this.at < 0) box.scrollTop = box.scrollHeight;
      else if (here && (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = here.offsetTop - box.clientHeight / 2;
    });
  }
}
