// Lessons: their list with what is done, and how the present one stands.

import { byId, el } from "./dom.js";

const memory = "ludozero.lessons";

function done() {
  try {
    return new Set(JSON.parse(localStorage.getItem(memory)) || []);
  } catch {
    return new Set();
  }
}

function note(name) {
  const known = done();
  if (known.has(name)) return;
  try {
    localStorage.setItem(memory, JSON.stringify([...known.add(name)].slice(-1000)));
  } catch {
    // Progress is kept for this view only.
  }
}

// drawLessons lists the lessons of a game (table.Game); open(name) begins one.
export function drawLessons(game, present, open) {
  const known = done();
  const list = game?.lessons || [];
  const count = list.filter((l) => known.has(`${game.name} ${l.name}`)).length;
  byId("tab-lessons").hidden = list.length === 0;
  byId("panel-lessons").replaceChildren(
    el("p", { class: "doc" }, `${count} of ${list.length} done. Each is a small position with a goal.`),
    el("ol", { class: "cards" }, list.map((l) => el("li", {}, el("button", { type: "button", "data-lesson": l.name, "aria-current": l.name === present ? "true" : undefined, onclick: () => open(l.name) },
      el("strong", {}, l.title), known.has(`${game.name} ${l.name}`) ? el("span", { class: "done" }, " ✓ done") : "", el("small", {}, l.goal))))),
  );
}

// drawLesson shows the lesson of a view. act: { again, next(name), leave }.
export function drawLesson(view, act) {
  const box = byId("lesson");
  const l = view.lesson;
  box.hidden = !l;
  if (!l) return;
  if (l.done) note(`${view.setup.game} ${l.name}`);
  const button = (text, onclick, main) => el("button", { type: "button", class: main ? "main" : undefined, onclick }, text);
  box.replaceChildren(
    el("h2", {}, l.title),
    el("p", {}, l.text),
    el("p", {}, el("strong", {}, "Goal: "), l.goal, el("small", {}, ` (turn ${Math.min(l.turns + 1, l.most)} of ${l.most})`)),
    l.done ? el("p", { class: "done", role: "status" }, "Done!") : l.failed ? el("p", { class: "failed", role: "status" }, "Not this time.") : "",
    el("div", { class: "buttons" },
      l.done && l.next ? button("Next lesson", () => act.next(l.next), true) : "",
      view.steps > 0 ? button("Try again", act.again, l.failed) : "",
      l.done || !l.hint ? "" : el("details", {}, el("summary", {}, "Help"), l.hint),
      button("Leave the lesson", act.leave)),
  );
}
