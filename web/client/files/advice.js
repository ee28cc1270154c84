// What a player thinks of the position, and of the game: hints, lines, mistakes.

import { byId, el, percent } from "./dom.js";
import { rounds } from "./moves.js";

const better = { inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder" };

// drawAdvice shows the hint of a view.
export function drawAdvice(view, names) {
  const box = byId("advice");
  const h = view.hint;
  if (!h) {
    box.replaceChildren(el("p", { class: "doc" }, view.asked && view.thinking ? `${names.coach(view)} is thinking…`
      : `Press Hint for a good move, or switch the analysis on. Arrows on the board are the best moves, wider where the search went more.`));
    return;
  }
  const judge = (v) => (v === undefined ? "" : h.lead ? v.toFixed(2) : percent(v));
  const who = view.picture.layout.sides[view.picture.mover];
  const by = names.coach(view);
  box.replaceChildren(
    el("p", {}, `${by} would play `, el("strong", {}, h.line[0] || "nothing"), h.value === undefined ? "." : `; ${h.lead ? "lead" : "chances"} of ${who} ${judge(h.value)}${h.solved ? ", certain" : ""}.`),
    el("ol", { class: "lines" }, (h.moves || [{ word: h.line[0], line: h.line }]).slice(0, 3).map((m) => el("li", {},
      el("strong", {}, m.word), m.value === undefined ? "" : ` ${judge(m.value)}`, m.share === undefined ? "" : ` · ${Math.round(100 * m.share)} % of the search${m.visits ? ` (${m.visits})` : ""}`,
      m.line?.length > 1 ? el("div", {}, el("code", {}, m.line.join(" "))) : null))),
  );
}

// sentence names a mistake of a review, with the chances of who made it.
export function sentence(f, lead) {
  const [from, to] = [f.before, f.after].map((v) => (f.own === "first" ? v : -v)).map((v) => (lead ? v.toFixed(2) : percent(v)));
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
  const by = names.coach(view);
  const places = rounds(view.log, view.picture.layout.sides);
  const list = (r.flaws || []).map((f) => {
    const { actor, side } = view.log[f.steps]; // after a swap the seats have other sides
    const who = view.seats.every((s) => s.person) ? side : names.seat(view, actor === "first" ? 0 : 1);
    return el("li", {}, el("button", { type: "button", onclick: () => go(f.steps) }, `${places[f.steps].row + 1}. ${who}: ${sentence(f, r.lead)}`), f.line?.length > 1 ? el("div", { class: "doc" }, "It expected ", el("code", {}, f.line.join(" "))) : null);
  });
  box.replaceChildren(
    el("p", {}, r.problem || (r.done < r.total ? `${by} has looked at ${r.done} of ${r.total} positions…` : list.length ? `${by} found ${list.length === 1 ? "one mistake" : list.length + " mistakes"}:` : `${by} found no mistakes.`)),
    el("ul", { class: "flaws" }, list),
    ...(r.luck ? [el("p", { class: "dice" }, `Luck of the dice, in each player's own turns: ${r.luck.map((v, i) => `${names.seat(view, i)} ${gain(v, r.lead)}`).join(", ")}.`)] : []),
  );
}

// gain is what rolls were worth in sum: a lead, or a share of a game.
function gain(v, lead) {
  return (v < 0 ? "−" : "+") + (lead ? Math.abs(v).toFixed(2) : `${Math.round(50 * Math.abs(v))} % of a game`);
}
