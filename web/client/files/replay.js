// Games of a run, to step through with what the search thought.
import { ask, cells, make } from "./watching.js";

const at = (id) => document.getElementById(id);
let run = "";
let game = null; // the one that is shown, with its line in the list
let move = 0;
let wanted = 0; // counts what was asked for: an answer that comes late is dropped
const positions = new Map();

const percent = (x) => (x > 0 && x < 0.005 ? (100 * x).toFixed(1) : (100 * x).toFixed(0)) + " %";
const signed = (x) => (Math.abs(x) < 0.005 ? "" : x > 0 ? "+" : "−") + Math.abs(x).toFixed(2);

// tried shows what is wrong with games, or nothing.
const tried = (work) => work.then(() => "", (err) => err.message).then((text) => {
  at("games-problem").textContent = text;
  at("games-problem").hidden = !text;
});

// showGames lists the newest games of a run.
export const showGames = (name) => tried(list(name));

async function list(name) {
  run = name;
  const { body } = await ask("run/games", { name });
  at("games-about").textContent = [
    body.games.length ? body.games.length + " games of the newest files of generation " + body.generation + "." : "No games are recorded yet.",
    ...(body.unreadable || []),
  ].join(" ");
  at("list").parentElement.hidden = body.games.length === 0;
  at("list").tBodies[0].replaceChildren(...body.games.map((g) => {
    const button = make("button", { type: "button" }, String(g.number));
    button.addEventListener("click", () => tried(open(g)));
    const tr = cells([0, 1, 4], button, String(g.generation), g.winner === "draw" ? "drawn" : g.winner, g.reason, String(g.turns), g.rules);
    tr.classList.toggle("here", game !== null && game.line.number === g.number);
    tr.dataset.number = g.number;
    return tr;
  }));
}

async function open(line) {
  const asked = ++wanted;
  const { body } = await ask("run/game", { name: run, shard: line.shard, game: line.number });
  if (asked !== wanted) return;
  game = { line, ...body };
  positions.clear();
  for (const tr of at("list").tBodies[0].rows) tr.classList.toggle("here", tr.dataset.number === String(line.number));
  at("replay-title").textContent = "Game " + line.number + ", generation " + line.generation;
  at("slide").max = body.moves.length;
  at("curve").innerHTML = body.curve || ""; // drawn by the server, with all text escaped
  at("remarks").replaceChildren(make("ul", {}, ...body.remarks.map((text) => make("li", {}, text))));
  at("moves").tBodies[0].replaceChildren(...body.moves.map((m, i) => {
    const button = make("button", { type: "button" }, m.word);
    button.addEventListener("click", () => step(i + 1));
    const s = m.search;
    return cells([0, 4, 5], String(m.turn), m.player === "chance" ? "chance" : m.side, button, m.notation || "", s ? signed(s.value) : "", s && s.share_of ? percent(s.share) : "");
  }));
  at("replay").hidden = false;
  at("replay").focus({ preventScroll: true });
  at("replay").scrollIntoView({ block: "nearest" });
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

// go shows the position after n moves, and what was thought there.
async function go(n) {
  const last = game.moves.length;
  move = Math.max(0, Math.min(last, n));
  const asked = ++wanted;
  at("slide").value = move;
  at("first").disabled = at("back").disabled = move === 0;
  at("last").disabled = at("forth").disabled = move === last;
  const rows = at("moves").tBodies[0].rows;
  for (const [i, tr] of [...rows].entries()) tr.classList.toggle("here", i === move - 1);
  if (move > 0) {
    const box = at("moves").parentElement;
    const tr = rows[move - 1];
    if (tr.offsetTop < box.scrollTop || tr.offsetTop + tr.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = tr.offsetTop - box.clientHeight / 2;
  }
  at("at").textContent = told();
  at("search").replaceChildren(...thoughts());
  const p = await position(move);
  if (asked !== wanted) return;
  if (p.svg) at("board").innerHTML = p.svg; // drawn by the server, with all text escaped
  else at("board").replaceChildren(make("pre", {}, p.text));
  if (move < last) position(move + 1).catch(() => {}); // at hand for the next step
}

function told() {
  const before = move > 0 ? game.moves[move - 1] : null;
  const next = game.moves[move];
  const done = before ? "After " + before.turn + ". " + before.side + " " + before.word + (before.notation ? " (" + before.notation + ")" : "") + ", move " + move + " of " + game.moves.length + "." : "At the start.";
  if (next) return done + " " + (next.player === "chance" ? "Chance decides" : next.side + ", the " + next.player + " player, decides") + ": " + next.word + ".";
  return done + " " + (game.remarks[game.remarks.length - 1] || "");
}

// thoughts are what the search found in the position that is shown.
function thoughts() {
  const next = game.moves[move];
  if (!next || !next.search) return [make("p", { class: "doc" }, next ? "No search is recorded here." : "The game is over.")];
  const s = next.search;
  const list = [make("p", {}, "Value for the first player: search " + signed(s.value) + ", network alone " + signed(s.network) + "." + (s.full ? "" : " The search was a short one."))];
  const options = game.options[move] || [];
  if (options.length) {
    const table = make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "move"), make("th", { scope: "col", class: "n" }, "visits"), make("th", { scope: "col", class: "n" }, "target"))));
    const body = make("tbody", {});
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

// meant tells whether a key is for the game: elsewhere on the page keys scroll.
function meant(e) {
  if (at("replay").contains(e.target)) return e.target !== at("slide");
  const { top, bottom } = at("replay").getBoundingClientRect();
  return e.target === document.body && top < innerHeight && bottom > 0;
}

document.addEventListener("keydown", (e) => {
  if (!game || !steps[e.key] || e.ctrlKey || e.metaKey || e.altKey || !meant(e)) return;
  e.preventDefault();
  steps[e.key]();
});
at("first").addEventListener("click", steps.Home);
at("back").addEventListener("click", steps.ArrowLeft);
at("forth").addEventListener("click", steps.ArrowRight);
at("last").addEventListener("click", steps.End);
at("slide").addEventListener("input", () => step(Number(at("slide").value)));
