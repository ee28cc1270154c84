// The play page: it shows the view of one table and sends the decisions of people.

import { Board } from "./board.js";
import { chart } from "./chart.js";
import { byId, el, percent, show } from "./dom.js";
import { Setup, firstSetup } from "./setup.js";

// The key under which the browser remembers the table and its setup. Pages in other
// folders of this address have other tables.
const memory = "ludozero.table " + new URL(".", location).pathname;

let transport;
let id = "";
let view = null;
let taken = 0; // when the view came, by performance.now
let watching = null; // stops watching the table
let owned = -1; // the side of the only person, put at the bottom
let dialog;
let sending = null; // the request under way: its table, the steps before it and a promise of its end

const board = new Board(byId("board"), (choice, several) => (choice ? act(choice.word) : offerChoices(several)));

// remember keeps the game for a reload, and for a program that was started again.
function remember() {
  try {
    // For this tab, and for the next visit.
    for (const store of [sessionStorage, localStorage]) store.setItem(memory, JSON.stringify({ id, setup: view.setup }));
  } catch {
    // Without storage the game is still in the address.
  }
  history.replaceState(null, "", "#" + id);
}

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(memory) || localStorage.getItem(memory)) || {};
  } catch {
    return {};
  }
}

function complain(text) {
  show(byId("problem"), Boolean(text), text || "");
}

// open sets up a table and shows it.
async function open(setup) {
  const made = await transport.open(setup);
  owned = -1;
  go(made.id, made.view);
}

function go(newID, newView) {
  watching?.abort();
  id = newID;
  view = null;
  apply(newView);
  watch();
}

// watch follows the table until another is shown.
async function watch() {
  const mine = (watching = new AbortController());
  let lost = false;
  while (!mine.signal.aborted) {
    try {
      const next = await transport.watch(id, view.version, mine.signal);
      if (mine.signal.aborted) return;
      if (lost) complain(view.problem);
      lost = false;
      apply(next);
    } catch (e) {
      if (mine.signal.aborted) return;
      // The program was restarted or has removed the table.
      const why = e.gone ? await open(view.setup).catch((x) => x) : e;
      if (mine.signal.aborted) return;
      complain(why.message);
      lost = true;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

// send makes a request at the table, and tells whether it was carried out. A second
// request at the same step, as by a double click, is dropped.
async function send(request) {
  const table = id;
  const { steps } = view;
  // The effect of a request may show before its own answer arrives.
  while (sending && (sending.table !== table || sending.steps !== steps)) await sending.ended;
  if (sending || table !== id || steps !== view.steps) return false;
  sending = { table, steps, ended: deliver(table, { ...request, steps }) };
  try {
    return await sending.ended;
  } finally {
    sending = null;
  }
}

async function deliver(table, request) {
  try {
    const next = await transport.send(table, request);
    if (table !== id) return false; // another table is shown by now
    apply(next);
    complain(view.problem);
    return true;
  } catch (e) {
    if (table === id) complain(e.message);
    return false;
  }
}

const act = (word) => send({ op: "act", word });

// apply shows a view, unless a newer one is shown.
function apply(next) {
  if (view && next.version < view.version) return;
  const fresh = !view || view.version !== next.version;
  view = next;
  taken = performance.now();
  if (!fresh) return clocks();
  complain(view.problem);
  remember();
  turnBoard();
  board.set(view);
  const best = view.hint?.line?.[0];
  board.hint((view.legal || []).find((c) => c.word === best) || null);
  players();
  prompt();
  offerChoices(view.legal || []);
  beside();
  clocks();
}

// turnBoard puts the side of the only person at the bottom, also after a swap.
function turnBoard() {
  const people = view.seats.filter((s) => s.person);
  if (people.length !== 1) return;
  const side = view.picture.layout.sides.indexOf(people[0].side);
  if (side === owned) return;
  owned = side;
  board.flipped = side === 1;
}

const playerName = (i) => (view.seats[i].person ? (view.seats[1 - i].person ? ["First", "Second"][i] + " player" : "You") : view.seats[i].name);

// players shows the players above and below the board.
function players() {
  const sides = view.picture.layout.sides;
  for (const [box, side] of [[byId("far"), board.flipped ? 0 : 1], [byId("near"), board.flipped ? 1 : 0]]) {
    const i = view.seats.findIndex((s) => s.side === sides[side]);
    const disc = el("span", { class: "disc" });
    disc.innerHTML = view.beside[side]; // by report/board, with all text escaped
    const moves = !view.result && view.picture.mover === side;
    box.classList.toggle("moves", moves);
    box.replaceChildren(
      disc,
      el("span", { class: "who" }, el("strong", {}, `${sides[side]}: ${playerName(i)}`), moves ? el("span", { class: "turn" }, view.thinking && !view.seats[i].person ? " is thinking…" : " to move") : null),
      view.clocks ? el("time", { class: "clock", "data-player": i, role: "timer", "aria-label": `Time left of ${sides[side]}` }) : el("span"),
    );
  }
}

// clocks counts down between two views.
function clocks() {
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

function prompt() {
  const p = byId("prompt");
  const sides = view.picture.layout.sides;
  let text = "";
  if (view.result) text = resultText();
  else if (view.offer && view.asked) text = `${sideOf(view.offer)} offers a draw.`;
  else if (view.offer) text = "A draw is offered; waiting for the answer.";
  else if (view.asked) text = `${sides[view.picture.mover]}: ${view.picture.asked || "your move"}`;
  else if (view.thinking) text = `${sides[view.picture.mover]} is thinking…`;
  if (view.answer && !view.result) text = `The draw was ${view.answer}. ${text}`;
  if (p.textContent !== text) p.textContent = text;
  const r = byId("result");
  show(r, Boolean(view.result), view.result ? resultText() : "");
  byId("takeback").disabled = !view.can_takeback;
  byId("draw").disabled = !view.can_draw;
  byId("resign").disabled = !view.can_resign;
  byId("hint").disabled = !view.asked || Boolean(view.offer) || Boolean(view.result);
  byId("hints").checked = Boolean(view.hints);
  const typed = byId("typed");
  typed.hidden = !view.legal;
  byId("words").replaceChildren(...(view.legal || []).map((c) => el("option", { value: c.word }, c.note || "")));
}

const sideOf = (player) => view.seats[player === "first" ? 0 : 1].side;

function resultText() {
  const r = view.result;
  const how = { resignation: "by resignation", agreement: "by agreement", "time-forfeit": "on time" }[r.reason] || `(${r.reason})`;
  if (!r.side) return `A draw ${how}.`;
  return `${r.side} wins ${how}. ${playerName(r.winner === "first" ? 0 : 1) === "You" ? "Well played!" : ""}`.trim();
}

// offerChoices shows buttons for the decisions without a square, or for those that a
// square leaves open.
function offerChoices(list) {
  const box = byId("choices");
  let shown = list;
  if (list === view.legal) shown = view.picture.asked && list.length <= 12 ? list.filter((c) => c.from === undefined) : list.filter((c) => c.from === undefined && c.to === undefined);
  const buttons = shown.map((c) => el("button", { type: "button", "data-word": c.word, onclick: () => act(c.word) }, c.word, c.note && c.note !== c.word ? el("small", {}, " " + c.note) : null));
  if (view.offer && view.asked) {
    buttons.push(el("button", { type: "button", onclick: () => send({ op: "accept" }) }, "Accept the draw"), el("button", { type: "button", onclick: () => send({ op: "decline" }) }, "Decline"));
  }
  const had = box.contains(document.activeElement) && document.activeElement.textContent;
  box.replaceChildren(...buttons);
  buttons.find((b) => b.textContent === had)?.focus(); // as when a hint has arrived
}

// beside fills the column beside the board.
function beside() {
  byId("status").replaceChildren(...[...(view.notes || []).map((n) => el("li", { class: "note" }, n)), ...(view.picture.status || []).map((s) => el("li", {}, s))]);
  show(byId("state"), byId("status").childElementCount > 0);
  const name = `${view.seats[0].side} (${playerName(0)})`;
  const values = view.values || [];
  byId("chart").replaceChildren(values.length
    ? el("figure", {}, chart(values, view.steps, name), el("figcaption", {}, caption(values, name)))
    : el("p", { class: "doc" }, "No evaluation yet: a line appears once a player has evaluated a position."));
  advice();
  const body = byId("log").tBodies[0];
  const rows = body.rows.length;
  body.replaceChildren(...view.log.map((x, i) => el("tr", {}, el("td", {}, i > 0 && view.log[i - 1].turn === x.turn ? "" : String(x.turn)), el("td", {}, x.actor === "chance" ? "chance" : x.side), el("td", {}, x.word), el("td", {}, x.note || ""))));
  const scroll = byId("logbox");
  if (view.log.length !== rows) scroll.scrollTop = scroll.scrollHeight;
  byId("copystart").hidden = !view.setup.position;
  byId("position").textContent = view.picture.position;
  byId("rules").textContent = `${view.setup.game}, rules ${view.setup.rules}`;
}

function caption(values, name) {
  const by = [...new Set(values.map((v) => v.by))];
  const leads = new Set(values.filter((v) => v.lead).map((v) => v.by));
  return [`Expected score of ${name}, according to `, ...by.map((b, i) => el("span", { class: `key c${i % 3}` }, b + (leads.has(b) ? " (a lead in what it counts, not a probability)" : "") + (i < by.length - 1 ? ", " : "")))];
}

// advice shows the hint for the present position.
function advice() {
  const box = byId("advice");
  const h = view.hint;
  if (!h) {
    box.replaceChildren(view.asked && view.thinking ? el("p", { class: "doc" }, `${view.thinking} is thinking…`) : "");
    return;
  }
  const judge = (v) => (v === undefined ? "" : h.lead ? v.toFixed(2) : percent(v));
  const who = view.picture.layout.sides[view.picture.mover];
  box.replaceChildren(...[
    el("p", {}, `${h.by} would play `, el("strong", {}, h.line[0] || "nothing"), h.value === undefined ? "" : `; ${h.lead ? "lead" : "expected score"} of ${who} ${judge(h.value)}${h.solved ? ", certain" : ""}.`),
    h.line.length > 1 ? el("p", {}, "It expects ", el("code", {}, h.line.join(" "))) : null,
    h.moves ? el("table", {}, el("thead", {}, el("tr", {}, ["move", "share", "visits", h.lead ? "lead" : "score"].map((t) => el("th", { scope: "col" }, t)))),
      el("tbody", {}, h.moves.map((m) => el("tr", {}, el("td", {}, m.word), el("td", {}, `${Math.round(100 * m.share)} %`), el("td", {}, m.visits ? String(m.visits) : ""), el("td", {}, judge(m.value)))))) : null,
  ].filter(Boolean));
}

// copy puts a text on the clipboard, or shows it where the browser forbids that.
async function copy(button, text) {
  const label = (button.dataset.label ??= button.textContent); // kept, since it says "Copied" for a while
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  } catch {
    window.prompt("Copy this:", text);
  }
}

function listen() {
  byId("new").addEventListener("click", () => dialog.show(view?.setup));
  byId("takeback").addEventListener("click", () => send({ op: "takeback" }));
  byId("draw").addEventListener("click", () => send({ op: "draw" }));
  byId("resign").addEventListener("click", () => {
    byId("sure").returnValue = "";
    byId("sure-title").textContent = view.seats.every((s) => s.person) ? `Does ${sideOf(view.asked)} resign?` : "Resign the game?";
    byId("sure").showModal();
  });
  byId("sure").addEventListener("close", () => byId("sure").returnValue === "yes" && send({ op: "resign" }));
  byId("flip").addEventListener("click", () => {
    board.flip();
    players();
    clocks();
  });
  byId("hint").addEventListener("click", () => send({ op: "hint" }));
  byId("hints").addEventListener("change", (e) => send({ op: "hints", word: e.target.checked ? "on" : "off" }));
  byId("copy").addEventListener("click", (e) => copy(e.target, view.picture.position));
  byId("copystart").addEventListener("click", (e) => copy(e.target, view.setup.position));
  byId("copygame").addEventListener("click", (e) => copy(e.target, view.setup.moves || ""));
  byId("typed").addEventListener("submit", async (e) => {
    e.preventDefault();
    const word = byId("word").value.trim();
    if (!word) return;
    if (await act(word)) byId("word").value = "";
  });
  setInterval(clocks, 100);
}

// begin shows the table of the address or of the last visit, or a new one.
async function begin() {
  byId("board").textContent = "Loading…"; // without a server it is some megabytes
  const module = await import(document.documentElement.dataset.transport);
  transport = await module.connect();
  const catalog = await transport.catalog();
  dialog = new Setup(catalog, open);
  listen();
  const last = recall();
  for (const wanted of [location.hash.slice(1), last.id]) {
    if (!wanted) continue;
    try {
      go(wanted, await transport.watch(wanted, ""));
      return;
    } catch (e) {
      if (!e.gone) throw e;
    }
  }
  if (last.setup) {
    try {
      await open(last.setup);
      return;
    } catch {
      // The setup may come from another version of the program: start a new game.
    }
  }
  await open(firstSetup(catalog));
}

begin().catch((e) => {
  byId("board").textContent = "";
  complain(e.message);
});
