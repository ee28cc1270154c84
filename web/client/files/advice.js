// What a player thinks of the position, and of the game: hints, lines, mistakes.

import { byId, el, percent } from "./dom.js";

const better = { inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder" };

// drawAdvice shows the hint of a view.
export function drawAdvice(view, names) {
  const box = byId("advice");
  const h = view.hint;
  if (!h) {
    box.replaceChildren(el("p", { class: "doc" }, view.asked && view.thinking ? `${names.player(view.setup.game, view.thinking)} is thinking…`
      : `${names.player(view.setup.game, view.hinter)} answers when you press Hint, or all the time with the switch above. Arrows on the board are its best moves.`));
    return;
  }
  const judge = (v) => (v === undefined ? "" : h.lead ? v.toFixed(2) : percent(v));
  const who = view.picture.layout.sides[view.picture.mover];
  const by = names.player(view.setup.game, h.by);
  box.replaceChildren(
    el("p", {}, `${by} would play `, el("strong", {}, h.line[0] || "nothing"), h.value === undefined ? "." : `; ${h.lead ? "lead" : "chances"} of ${who} ${judge(h.value)}${h.solved ? ", certain" : ""}.`),
    el("ol", { class: "lines" }, (h.moves || [{ word: h.line[0], line: h.line }]).slice(0, 3).map((m) => el("li", {},
      el("strong", {}, m.word), m.value === undefined ? "" : ` ${judge(m.value)}`, m.share === undefined ? "" : ` · ${Math.round(100 * m.share)} % of the search${m.visits ? ` (${m.visits})` : ""}`,
      m.line?.length > 1 ? el("div", {}, el("code", {}, m.line.join(" "))) : null))),
  );
}

// sentence names a mistake of a review.
export function sentence(f, lead) {
  const from = lead ? f.before.toFixed(2) : percent(f.before);
  const to = lead ? f.after.toFixed(2) : percent(f.after);
  return `${better[f.grade]}: ${f.word}; better was ${f.best}, from ${from} to ${to}`;
}

// drawReview lists the mistakes of a review; go(n) shows the position before one.
export function drawReview(view, names, go) {
  const box = byId("mistakes");
  const r = view.review;
  byId("review").disabled = view.steps === 0 || (r && r.done < r.total) || Boolean(r?.problem);
  if (!r) {
    box.replaceChildren(el("p", { class: "doc" }, "A review evaluates every position of the game and names the mistakes, here, among the moves and in the chart."));
    return;
  }
  const by = names.player(view.setup.game, r.by);
  const list = (r.flaws || []).map((f) => {
    const side = view.log[f.steps].side;
    const own = f.own === "first" ? 1 : -1; // the values of the actor
    const text = sentence({ ...f, before: own * f.before, after: own * f.after }, r.lead);
    return el("li", {}, el("button", { type: "button", onclick: () => go(f.steps) }, `${f.steps + 1}. ${side}: ${text}`), f.line?.length > 1 ? el("div", { class: "doc" }, "It expected ", el("code", {}, f.line.join(" "))) : null);
  });
  box.replaceChildren(
    el("p", {}, r.problem || (r.done < r.total ? `${by} has looked at ${r.done} of ${r.total} positions…` : list.length ? `${by} found ${list.length} ${list.length === 1 ? "mistake" : "mistakes"}:` : `${by} found no mistakes.`)),
    el("ul", { class: "flaws" }, list),
  );
}
