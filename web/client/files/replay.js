// Games of a run, to step through with the results of the search.
import { byId, el, show } from "./dom.js";
import { ask, cells } from "./watching.js";

let run = "";
let game = null; // the one that is shown, with its line in the list
let move = 0;
let wanted = 0; // counts requests: a late answer is dropped
let chosen = 0; // the same of games
const positions = new Map();

const percent = (x) => (x > 0 && x < 0.005 ? (100 * x).toFixed(1) : (100 * x).toFixed(0)) + " %";
const signed = (x) => (Math.abs(x) < 0.005 ? "" : x > 0 ? "+" : "−") + Math.abs(x).toFixed(2);

// tried shows the error of work, if it has one.
const tried = (work) => work.then(() => "", (err) => err.message).then((text) => show(byId("games-problem"), Boolean(text), text));

// showGames lists the newest games of a run.
export const showGames = (name) => tried(list(name));

async function list(name) {
  run = name;
  const { body } = await ask("run/games", { name });
  byId("games-about").textContent = [
    body.games.length ? body.games.length + " games of the newest files of generation " + body.generation + "." : "No games are recorded yet.",
    ...(body.unreadable || []),
  ].join(" ");
  byId("list").parentElement.hidden = body.games.length === 0;
  byId("list").tBodies[0].replaceChildren(...body.games.map((g) => {
    const button = el("button", { type: "button" }, String(g.number));
    button.addEventListener("click", () => tried(open(g)));
    const tr = cells([0, 1, 4], button, String(g.generation), g.winner === "draw" ? "drawn" : g.winner, g.reason, String(g.turns), g.rules);
    tr.classList.toggle("here", game !== null && game.line.number === g.number);
    tr.dataset.number = g.number;
    return tr;
  }));
}

async function open(line) {
  const asked = ++chosen;
  const { body } = await ask("run/game", { name: run, shard: line.shard, game: line.number });
  if (asked !== chosen) return;
  game = { line, ...body };
  positions.clear();
  for (const tr of byId("list").tBodies[0].rows) tr.classList.toggle("here", tr.dataset.number === String(line.number));
  byId("replay-title").textContent = "Game " + line.number + ", generation " + line.generation;
  byId("slide").max = body.moves.length;
  byId("curve").innerHTML = body.curve || ""; // drawn by the server, with all text escaped
  byId("remarks").replaceChildren(el("ul", {}, ...body.remarks.map((text) => el("li", {}, text))));
  byId("moves").tBodies[0].replaceChildren(...body.moves.map((m, i) => {
    const button = el("button", { type: "button" }, m.word);
    button.addEventListener("click", () => step(i + 1));
    const s = m.search;
    return cells([0, 4, 5], String(m.turn), m.player === "chance" ? "chance" : m.side, button, m.notation || "", s ? signed(s.value) : "", s && s.share_of ? percent(s.share) : "");
  }));
  byId("replay").hidden = false;
  byId("replay").focus({ preventScroll: true });
  byId("replay").scrollIntoView({ block: "nearest" });
  await go(0);
}

async function position(n) {
  if (!positions.has(n)) {
    const asked = ask("run/position", { name: run, shard: game.line.shard, game: game.line.number, moves: n }).then((a) => a.body);
    positions.set(n, asked);
    asked.catch(() => positions.get(n) === asked && positions.delete(n));
  }
  return positions.get(n);
}

// go shows the position after n moves, and its search.
async function go(n) {
  const last = game.moves.length;
  move = Math.max(0, Math.min(last, n));
  const asked = ++wanted;
  byId("slide").value = move;
  byId("first").disabled = byId("back").disabled = move === 0;
  byId("last").disabled = byId("forth").disabled = move === last;
  const rows = byId("moves").tBodies[0].rows;
  for (const [i, tr] of [...rows].entries()) tr.classList.toggle("here", i === move - 1);
  if (move > 0) {
    const box = byId("moves").parentElement;
    const tr = rows[move - 1];
    if (tr.offsetTop < box.scrollTop || tr.offsetTop + tr.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = tr.offsetTop - box.clientHeight / 2;
  }
  byId("at").textContent = summary();
  byId("search").replaceChildren(...searched());
  const p = await position(move);
  if (asked !== wanted) return;
  if (p.svg) byId("board").innerHTML = p.svg; // drawn by the server, with all text escaped
  else byId("board").replaceChildren(el("pre", {}, p.text));
  if (move < last) position(move + 1).catch(() => {}); // loaded ahead for the next step
}

function summary() {
  const before = move > 0 ? game.moves[move - 1] : null;
  const next = game.moves[move];
  const done = before ? "After " + before.turn + ". " + before.side + " " + before.word + (before.notation ? " (" + before.notation + ")" : "") + ", move " + move + " of " + game.moves.length + "." : "At the start.";
  if (next) return done + " " + (next.player === "chance" ? "Chance decides" : next.side + ", the " + next.player + " player, decides") + ": " + next.word + ".";
  return done + " " + (game.remarks[game.remarks.length - 1] || "");
}

// searched shows what the search found in the position.
function searched() {
  const next = game.moves[move];
  if (!next || !next.search) return [el("p", { class: "doc" }, next ? "No search is recorded here." : "The game is over.")];
  const s = next.search;
  const list = [el("p", {}, "Value for the first player: search " + signed(s.value) + ", network alone " + signed(s.network) + "." + (s.full ? "" : " The search was a short one."))];
  const options = game.options[move] || [];
  if (options.length) {
    const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "move"), el("th", { scope: "col", class: "n" }, "visits"), el("th", { scope: "col", class: "n" }, "target"))));
    const body = el("tbody", {});
    for (const o of options) {
      const tr = cells([1, 2], o.word, percent(o.visits), o.target ? percent(o.target) : "");
      if (o.word === next.word) tr.classList.add("here");
      body.append(tr);
    }
    table.append(body);
    list.push(table);
  }
  return list;
}

const step = (n) => tried(go(n));
const steps = { ArrowLeft: () => step(move - 1), ArrowRight: () => step(move + 1), Home: () => step(0), End: () => step(game.moves.length) };

// meant tells whether a key is for the game; elsewhere on the page keys scroll.
function meant(e) {
  if (byId("replay").contains(e.target)) return e.target !== byId("slide");
  const { top, bottom } = byId("replay").getBoundingClientRect();
  return e.target === document.body && top < innerHeight && bottom > 0;
}

document.addEventListener("keydown", (e) => {
  if (!game || !steps[e.key] || e.ctrlKey || e.metaKey || e.altKey || !meant(e)) return;
  e.preventDefault();
  steps[e.key]();
});
byId("first").addEventListener("click", steps.Home);
byId("back").addEventListener("click", steps.ArrowLeft);
byId("forth").addEventListener("click", steps.ArrowRight);
byId("last").addEventListener("click", steps.End);
byId("slide").addEventListener("input", () => step(Number(byId("slide").value)));
