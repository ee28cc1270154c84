// The play page: it shows the view of one table and sends the decisions of people. The
// parts of the page are in modules of their own; this one keeps the table.

import { drawAdvice, drawReview, sentence } from "./advice.js";
import { Board } from "./board.js";
import { chart } from "./chart.js";
import { byId, el, show } from "./dom.js";
import { fly } from "./drag.js";
import { drawLesson, drawLessons } from "./lessons.js";
import { Moves } from "./moves.js";
import { Names, own } from "./names.js";
import { drawClocks, drawPlayers } from "./players.js";
import { drawPools, overlaySigns } from "./pools.js";
import { Rules } from "./rules.js";
import { link, linked, load, save } from "./save.js";
import { Setup, firstSetup, title } from "./setup.js";
import { legend } from "./signs.js";
import { play as sound, soundOn, switchSound } from "./sound.js";
import { listenToTabs, showTab, whenShown } from "./tabs.js";

// The key under which the browser remembers the table and its setup. Pages in other
// folders of this address have other tables.
const memory = "ludozero.table " + new URL(".", location).pathname;

let transport;
let catalog;
let names;
let id = "";
let view = null;
let past = null; // the position that the board shows instead of the present one
let taken = 0; // when the view came, by performance.now
let watching = null; // stops watching the table
let owned = -1; // the side of the only person, put at the bottom
let dialog;
let rules;
let sending = null; // the request under way: what it is, and a promise of its end
let unsure = null; // the choice that waits for a confirmation
let several = null; // the choices that a cell leaves open

const board = new Board(byId("board"), (choice, list) => {
  if (choice) return decide(choice);
  forget();
  several = list;
  offerChoices(list);
}, whyNot, drawAround);
board.dropped = () => (unsure || several) && forget();
const moves = new Moves((n) => transport.at(id, n), (position) => {
  const before = (past || view).steps;
  past = position;
  drawBoard();
  drawStatus();
  if ((past || view).steps === before + 1) fly(board);
}, (e) => complain(e.message));

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

// drawAround shows what belongs to the board beside it: the meaning of signs, and pieces.
function drawAround() {
  byId("legend").replaceChildren(...legend([...board.shown().values()].flat()), ...overlaySigns(past || view));
  drawPools(past || view, board);
}

function complain(text) {
  show(byId("problem"), Boolean(text), text || "");
}

// why is the answer of the rules to a click that is not allowed.
const why = () => (view.why ? `${view.why.text[0].toUpperCase()}${view.why.text.slice(1)}.` : "");

// attempt shows the error of work, if it has one.
const attempt = (work) => work.catch((e) => complain(e.message));

// open sets up a table and shows it.
async function open(setup) {
  const made = await transport.open(setup);
  owned = -1;
  board.flipped = false;
  go(made.id, made.view);
}

function go(newID, newView) {
  watching?.abort();
  id = newID;
  view = past = null;
  byId("said").textContent = ""; // of the table before
  moves.at = -1;
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

// send makes a request at the table, after those under way, and tells whether it was
// carried out. The same one again, as by a double click, is dropped, and so is one about
// a position that is no longer there by then.
async function send(request) {
  const table = id;
  const { steps } = view;
  const what = JSON.stringify([table, steps, request]);
  // The effect of a request may show before its own answer arrives.
  while (sending) {
    if (sending.what === what) return false;
    await sending.ended;
  }
  if (table !== id || steps !== view.steps) return false;
  sending = { what, ended: deliver(table, { ...request, steps }) };
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
    complain(view.problem || why());
    return true;
  } catch (e) {
    if (table === id) complain(e.message);
    return false;
  }
}

const act = (word) => send({ op: "act", word });

// decide makes a decision of the board, after a question if it gives something up.
function decide(choice) {
  if (!choice.sure) return act(choice.word);
  unsure = choice;
  if (choice.from !== undefined) board.selected = choice.from;
  board.ask(choice);
  const uses = choice.uses ? `This uses up ${choice.uses.join(" and ")}.` : "This cannot be undone.";
  const yes = el("button", { type: "button", class: "main", onclick: () => (toBoard(), act(choice.word)) }, `Yes, ${choice.word}`);
  byId("choices").replaceChildren(el("p", { class: "prompt", role: "status" }, `${uses} Play it?`), yes, el("button", { type: "button", onclick: forget }, "No"));
  yes.focus({ preventScroll: true });
}

// toBoard gives the keyboard back to the board, whose question is answered.
const toBoard = () => document.querySelector('#board [tabindex="0"]')?.focus({ preventScroll: true });

function forget() {
  const asked = byId("choices").contains(document.activeElement);
  unsure = several = null;
  board.ask(null);
  offerChoices(view.legal || []);
  if (asked) toBoard();
}

// whyNot asks why cells are no decision; the answer is in the view.
function whyNot(from, to) {
  if (!past && view.legal) send({ op: "why", cells: [from, to] });
}

// apply shows a view, unless a newer one is shown.
function apply(next) {
  if (view && next.version < view.version) return;
  const fresh = !view || view.version !== next.version;
  const last = view;
  view = next;
  taken = performance.now();
  if (!fresh) return drawClocks(view, taken);
  if (!last || moved(last) || !view.legal) unsure = several = null;
  // What was said stays while an analysis reports, several times a second.
  if (!last || moved(last) || view.problem !== last.problem || JSON.stringify(view.why) !== JSON.stringify(last.why)) complain(view.problem || why());
  remember();
  turnBoard();
  moves.set(view);
  if (moves.at < 0) past = null;
  drawBoard();
  if (last && view.steps > last.steps && !past) fly(board);
  drawTurn();
  drawBeside();
  announce(last);
  if (!last || last.setup.game !== view.setup.game) rules.set(names.game(view.setup.game));
}

// moved tells whether the position of last, the view before, is no longer the present one.
const moved = (last) => Boolean(last) && last.setup.moves !== view.setup.moves;

// turnBoard puts the side of the only person at the bottom, also after a swap. Where all
// pieces are alike, as stones that fall, no side has a bottom.
function turnBoard() {
  const person = own(view);
  if (person < 0 || alike()) return;
  const side = view.picture.layout.sides.indexOf(view.seats[person].side);
  if (side === owned) return;
  owned = side;
  board.flipped = side === 1;
}

const alike = () => view.picture.layout.kinds.length === 1;

// nearSide is the side whose player is shown below the board.
function nearSide() {
  const person = own(view);
  if (alike() && person >= 0) return view.picture.layout.sides.indexOf(view.seats[person].side);
  return board.flipped ? 1 : 0;
}

// drawBoard shows the present or past position, with the players.
function drawBoard() {
  board.hinted = past ? [] : hinted();
  board.set(past || view);
  if (!past && unsure) board.ask(unsure);
  drawPlayers(view, past, nearSide(), names);
  drawPools(past || view, board);
  drawClocks(view, taken);
  drawPrompt();
  drawChart();
}

// hinted are the best decisions of the hint, with their shares of the search.
function hinted() {
  const find = (word) => (view.legal || []).find((c) => c.word === word);
  const list = (view.hint?.moves || []).slice(0, 3).map((m) => ({ choice: find(m.word), share: m.share })).filter((m) => m.choice && m.share >= 0.05);
  const first = find(view.hint?.line?.[0]);
  return list.length || !first ? list : [{ choice: first }];
}

function drawPrompt() {
  const p = byId("prompt");
  const sides = view.picture.layout.sides;
  const two = view.seats.every((s) => s.person);
  const mine = Boolean(view.asked || view.rolls) && !past && !view.result;
  let text = "";
  let more = "";
  if (past) {
    const flaw = (view.review?.flaws || []).find((f) => f.steps === past.steps - 1);
    text = past.steps === 0 ? "The start" : `After move ${past.steps} of ${view.steps}`;
    if (flaw) more = sentence(flaw, view.review.lead);
  } else if (view.result) text = names.result(view);
  else if (view.lesson?.done) text = "";
  else if (view.lesson?.failed) text = "The lesson has ended";
  else if (view.rolls) [text, more] = ["Enter the dice", view.picture.asked || `for ${sides[view.picture.mover]}`];
  else if (view.offer && view.asked) text = `${two ? sideOf(view.offer) : opponent()} offers a draw`;
  else if (view.offer) text = "A draw is offered; waiting for the answer";
  else if (view.asked) [text, more] = [two ? `${sides[view.picture.mover]} to move` : "Your turn", view.picture.asked || ""];
  else if (view.thinking) text = `${opponent()} is thinking…`;
  if (view.answer && !view.result && !past) more = `The draw was ${view.answer}. ${more}`.trim();
  if (p.textContent !== text + (more && ": " + more)) p.replaceChildren(text, more && el("small", {}, ": " + more));
  p.hidden = !text;
  const card = p.closest(".turn");
  card.classList.toggle("mine", mine);
  card.classList.toggle("result", Boolean(view.result));
  byId("new").classList.toggle("main", Boolean(view.result));
}

const sideOf = (player) => view.seats[player === "first" ? 0 : 1].side;
const opponent = () => names.seat(view, Math.max(0, view.seats.findIndex((s) => !s.person && s.side === view.picture.layout.sides[view.picture.mover])));

// drawTurn shows what the person can do.
function drawTurn() {
  byId("takeback").disabled = !view.can_takeback;
  byId("draw").disabled = !view.can_draw;
  byId("resign").disabled = !view.can_resign;
  byId("hint").disabled = !view.legal;
  byId("hints").checked = Boolean(view.hints);
  const words = view.rolls || view.legal;
  byId("typed").hidden = !words;
  byId("words").replaceChildren(...(words || []).map((c) => el("option", { value: c.word }, c.note || "")));
  if (!unsure) offerChoices(several || words || []);
  else if (!byId("choices").querySelector(".main")) decide(unsure);
  drawDice();
  drawLesson(view, { again: () => openLesson(view.lesson.name), next: openLesson, leave: () => attempt(open(firstOf(view.setup.game))) });
}

// drawDice says what was rolled last and by whom, and who rolls from now on.
function drawDice() {
  byId("dice").hidden = !names.game(view.setup.game)?.chance || Boolean(view.lesson);
  byId("byhand").checked = view.setup.dice === "hand";
  const last = view.log.findLast((x) => x.actor === "chance");
  byId("rolled").textContent = last ? `${rolled(last)} in ${last.side}’s turn` : "";
}

const rolled = (x) => `${x.drawn ? "The program rolled" : "Rolled:"} ${x.word}`;

const openLesson = (lesson) => {
  scrollTo(0, 0); // to the board, on a phone
  return attempt(open({ game: view.setup.game, lesson }));
};

// firstOf is the first game of a kind.
function firstOf(game) {
  return firstSetup({ ...catalog, games: [names.game(game)] });
}

// offerChoices shows buttons for the decisions without a square, or for those that a
// square leaves open.
function offerChoices(list) {
  const box = byId("choices");
  let shown = list;
  if (list === view.legal) shown = view.picture.asked && list.length <= 12 ? list.filter((c) => c.from === undefined) : list.filter((c) => c.from === undefined && c.to === undefined && !c.entry);
  const buttons = shown.map((c) => el("button", { type: "button", "data-word": c.word, class: c.word === view.hint?.line?.[0] ? "hinted" : undefined, onclick: () => (several && toBoard(), decide(c)) }, c.word, c.note && c.note !== c.word ? el("small", {}, " " + c.note) : null, c.uses ? el("small", {}, ` uses up ${c.uses.join(" and ")}`) : null));
  if (view.offer && view.asked) {
    buttons.push(el("button", { type: "button", onclick: () => send({ op: "accept" }) }, "Accept the draw"), el("button", { type: "button", onclick: () => send({ op: "decline" }) }, "Decline"));
  }
  if (view.result && !view.review && view.steps > 0) buttons.push(el("button", { type: "button", onclick: review }, "Review the game"));
  const game = names.game(view.setup.game);
  if (view.steps === 0 && !view.lesson && view.asked && game?.page) {
    const to = (tab) => () => document.getElementById("tab-" + tab).click();
    buttons.push(el("span", { class: "doc" }, `New to ${title(game)}?`), el("button", { type: "button", class: "quiet", onclick: to("rules") }, "Read the rules"), el("button", { type: "button", class: "quiet", onclick: to("lessons") }, "Take a lesson"));
  }
  const had = box.contains(document.activeElement) && document.activeElement.textContent;
  box.classList.toggle("rolls", list === view.rolls);
  box.replaceChildren(...buttons);
  buttons.find((b) => b.textContent === had)?.focus(); // as when a hint has arrived
}

// review asks for a review and shows it.
function review() {
  showTab("review");
  send({ op: "review" });
}

// drawStatus shows timers and counters of the position that is shown.
function drawStatus() {
  const shown = (past || view).picture;
  byId("status").replaceChildren(...[...(view.notes || []).map((n) => el("li", { class: "note" }, n)), ...(shown.status || []).map((s) => el("li", {}, s))]);
}

// drawBeside fills the tabs beside the board.
function drawBeside() {
  drawStatus();
  drawAdvice(view, names);
  drawReview(view, names, (n) => moves.go(n));
  drawLessons(names.game(view.setup.game), view.lesson?.name, openLesson);
  byId("copystart").hidden = !view.setup.position;
  byId("position").textContent = view.picture.position;
  byId("ruleset").textContent = `${view.setup.game}, rules ${view.setup.rules}`;
  byId("engines").textContent = `${view.seats.map((s) => s.name).join(" against ")}; hints by ${view.hinter}`;
  document.title = `${title(names.game(view.setup.game))}: ludozero`;
}

function drawChart() {
  const person = own(view);
  const sign = person === 1 ? -1 : 1;
  const review = view.review?.values?.length > 1 ? view.review : null;
  const values = review ? review.values : view.values || [];
  const name = person >= 0 ? "you" : view.seats[0].side;
  const by = [...new Set(values.map((v) => v.by))];
  byId("chart").replaceChildren(...(values.length === 0 ? [] : [el("figure", {},
    chart({ values, steps: view.steps, at: moves.now(), flaws: review?.flaws || [], name, sign }, (n) => moves.go(n)),
    el("figcaption", {}, `${name === "you" ? "Your chances" : "Chances of " + name}, by `, ...by.map((b, i) => el("span", { class: `key c${i % 3}` }, (b === view.hinter ? names.coach(view).replace("The", "the") : names.player(view.setup.game, b)) + (values.some((v) => v.by === b && v.lead) ? " (a lead in what it counts)" : "") + (i < by.length - 1 ? ", " : "")))))]));
}

// announce says what others have decided, for a screen reader, and makes the sounds.
function announce(last) {
  if (moved(last)) byId("said").textContent = ""; // of another position
  const best = view.hint?.line?.[0];
  if (best && last && last.hint?.line?.[0] !== best) byId("said").textContent = `${names.coach(view)} would play ${best}`;
  if (!last || view.steps <= last.steps) return;
  const fresh = view.log.slice(last.steps);
  const others = fresh.filter((x) => x.actor === "chance" || !view.seats[x.actor === "first" ? 0 : 1].person);
  if (others.length) byId("said").textContent = others.map((x) => (x.actor === "chance" ? rolled(x) : `${names.seat(view, x.actor === "first" ? 0 : 1)} played ${x.word}${x.note ? ", " + x.note : ""}`)).join(". ");
  sound(view.result ? "end" : view.picture.pieces.length < last.picture.pieces.length ? "capture" : "move");
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
  const on = (what, event, call) => byId(what).addEventListener(event, call);
  on("new", "click", () => dialog.show(view?.lesson ? firstOf(view.setup.game) : view?.setup));
  on("takeback", "click", () => send({ op: "takeback" }));
  on("draw", "click", () => send({ op: "draw" }));
  on("resign", "click", () => {
    byId("sure").returnValue = "";
    byId("sure-title").textContent = view.seats.every((s) => s.person) ? `Does ${view.asked ? sideOf(view.asked) : view.picture.layout.sides[view.picture.mover]} resign?` : "Resign the game?";
    byId("sure").showModal();
  });
  on("sure", "close", () => byId("sure").returnValue === "yes" && send({ op: "resign" }));
  on("flip", "click", () => {
    board.flipped = !board.flipped;
    drawBoard();
  });
  on("byhand", "change", async (e) => {
    e.target.disabled = true;
    await send({ op: "dice", word: e.target.checked ? "hand" : "" });
    e.target.disabled = false;
    drawDice(); // what holds, if the request was refused
  });
  on("hint", "click", () => send({ op: "hint" }));
  on("hints", "change", async (e) => {
    await send({ op: "hints", word: e.target.checked ? "on" : "off" });
    e.target.checked = Boolean(view.hints); // what holds, if the request was refused
  });
  on("review", "click", review);
  on("copy", "click", (e) => copy(e.target, view.picture.position));
  on("copystart", "click", (e) => copy(e.target, view.setup.position));
  on("copygame", "click", (e) => copy(e.target, view.setup.moves || ""));
  on("share", "click", (e) => copy(e.target, link(view)));
  on("save", "click", () => save(view));
  on("load", "click", () => byId("file").click());
  on("file", "change", (e) => {
    const [file] = e.target.files;
    if (file) attempt(load(file).then(openFile));
    e.target.value = "";
  });
  byId("board").parentNode.addEventListener("click", () => complain(view?.problem), true); // the last answer of the rules is read by then
  on("sound", "change", (e) => switchSound(e.target.checked));
  byId("sound").checked = soundOn();
  on("typed", "submit", async (e) => {
    e.preventDefault();
    const word = byId("word").value.trim();
    if (!word) return;
    if (await act(word)) byId("word").value = "";
  });
  document.addEventListener("keydown", (e) => e.key === "Escape" && (unsure || several) && forget());
  addEventListener("hashchange", () => attempt(follow(location.hash.slice(1))));
  listenToTabs();
  whenShown("rules", () => rules.show());
  setInterval(() => drawClocks(view, taken), 100);
}

// follow opens what an address names that was put into a page that is open.
async function follow(wanted) {
  const fresh = new URLSearchParams(wanted).get("new");
  if (fresh) return open(firstSetup(catalog, fresh));
  const setup = linked(wanted);
  if (setup) return openLinked(setup);
  if (!wanted || wanted === id || document.getElementById(wanted)) return; // a place in the page
  go(wanted, await transport.watch(wanted, ""));
}

// openLinked opens the game of a link; two people play on if its players are not here.
const openLinked = (setup) => open(setup).catch((e) => {
  if (setup.seats.every((s) => s === "you") && !setup.hints) throw e;
  return open({ ...setup, seats: ["you", "you"], hints: undefined });
});

// openFile opens a game that was saved, here or by the program, and says so if its players
// are not here.
const openFile = (setup) => open(setup).catch((e) => {
  if (setup.seats.every((s) => s === "you") && !setup.hints) throw e;
  return open({ ...setup, seats: ["you", "you"], hints: undefined }).then(() => complain(`Two people play on: ${e.message}`));
});

// begin shows the table of the address or of the last visit, or a new one.
async function begin() {
  byId("board").textContent = "Loading…"; // without a server it is some megabytes
  const module = await import(document.documentElement.dataset.transport);
  transport = await module.connect();
  catalog = await transport.catalog();
  names = new Names(catalog);
  rules = new Rules(byId("panel-rules"), (game) => transport.rules(game));
  dialog = new Setup(catalog, open, (game, anchor, box) => rules.quote(game, anchor, box));
  listen();
  const wanted = location.hash.slice(1);
  const fresh = new URLSearchParams(wanted).get("new");
  if (fresh) return open(firstSetup(catalog, fresh));
  try {
    const setup = linked(wanted);
    if (setup) return await openLinked(setup);
  } catch (e) {
    await open(firstSetup(catalog));
    return complain(e.message);
  }
  const last = recall();
  for (const known of [wanted, last.id]) {
    if (!known) continue;
    try {
      go(known, await transport.watch(known, ""));
      return;
    } catch (e) {
      if (!e.gone) throw e;
    }
  }
  if (last.setup) {
    try {
      await openLinked(last.setup);
      return;
    } catch {
      // The setup may come from another version of the program: start a new game.
    }
  }
  await open(firstSetup(catalog));
}

// Where the browser allows it, the page opens without a network too.
navigator.serviceWorker?.register("sw.js").catch(() => {});

begin().catch((e) => {
  byId("board").textContent = "";
  complain(e.message);
});
