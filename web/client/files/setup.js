// The dialog for a new game: first the game, an opponent by name, the seat, the rules
// and a clock; under "More options" any player in any seat, single rules and a position.
// Its choices come from the catalog.

import { byId, el, show } from "./dom.js";

const you = "you";

// title is what to call a game (table.Game): its description begins with that.
export const title = (game) => game.doc.split(/[:.,]| on /)[0];

// description of a player with a limit, as table.Offer.Text writes it.
export function describe(offer, limit, n) {
  if (!limit) return offer.name;
  return `${offer.name}${offer.name.includes(":") ? "," : ":"}${limit.option}=${n}${limit.unit || ""}`;
}

export const playersOf = (catalog, game) => catalog.players.filter((o) => !o.games || o.games.includes(game));

// usual is who plays a first game, and its rules: an opponent by name. A site may be made to
// show a network that no name is known of: then that one, by the rules that it knows.
function usual(catalog, game) {
  const named = game.opponents || [];
  const o = playersOf(catalog, game.name)[0];
  const by = named.find((n) => n.default) || named[0];
  if (by && (!o.shown || named.some((n) => n.player.startsWith(o.name)))) return { player: by.player, rules: game.first };
  const limit = (o.limits || [])[0];
  return { player: describe(o, limit, limit?.default), rules: o.rules || game.first };
}

// firstSetup is a first game by that name, or of the first game if there is none.
export function firstSetup(catalog, name) {
  const game = catalog.games.find((g) => g.name === name) || catalog.games[0];
  const { player, rules } = usual(catalog, game);
  return { game: game.name, rules: rules || game.presets[0].name, seats: [you, player] };
}

function field(label, id, input, note) {
  input.id = id;
  return el("div", { class: "field" }, el("label", { for: id }, label), input, note);
}

// select is a list of [value, text] pairs.
function select(list, chosen, onchange) {
  const s = el("select", { onchange }, list.map(([value, text]) => el("option", { value }, text)));
  if (list.some(([value]) => value === chosen)) s.value = chosen;
  return s;
}

// radios is a group of choices [value, text, checked, more elements].
function radios(name, legend, kind, list, onchange) {
  return el("fieldset", { class: kind === "option" ? "field" : "pills" }, el("legend", {}, legend), el("div", { class: kind === "option" ? "options" : "pills" }, list.map(([value, text, checked, ...more]) =>
    el("label", { class: kind }, el("input", { type: "radio", name, value, checked, onchange }), el("span", {}, text), more))));
}

const chosen = (name) => document.querySelector(`#setup [name="${name}"]:checked`)?.value;

export class Setup {
  // open(setup) opens a table; it rejects with an error for people. explain(anchor)
  // shows a part of the page of rules of the game in the dialog.
  constructor(catalog, open, explain) {
    Object.assign(this, { catalog, open, explain });
    this.dialog = byId("setup");
    byId("cancel").addEventListener("click", () => this.dialog.close());
    byId("setup-form").addEventListener("submit", (e) => {
      e.preventDefault();
      this.start();
    });
  }

  // show opens the dialog, filled in with the last setup.
  show(last) {
    this.last = last;
    show(byId("setup-problem"), false, "");
    this.draw(last?.game || this.catalog.games[0].name);
    if (!this.dialog.open) this.dialog.showModal();
  }

  draw(name) {
    const game = this.catalog.games.find((g) => g.name === name);
    const last = this.last?.game === name ? this.last : null;
    const rules = (last?.rules || "").split(",");
    const start = last ? rules[0] : game.first;
    const preset = game.presets.some((p) => p.name === start) ? start : game.presets[0].name;
    this.game = game;
    this.seats = [0, 1].map((i) => this.seat(i, last?.seats[i]));
    const doc = el("p", { class: "doc" });
    const options = el("div", { class: "options" });
    this.preset = select(game.presets.map((p) => [p.name, `${p.name}: ${p.doc}`]), preset, () => this.rules(doc, options, {}));
    const set = Object.fromEntries(rules.filter((w) => w.includes("=")).map((w) => w.split("=")));
    this.rules(doc, options, set);
    const clock = el("input", { list: "clocks", placeholder: "no clock", maxlength: 20, autocomplete: "off", title: "minutes + seconds a turn, such as 5+3" });
    clock.value = last?.clock || "";
    const position = el("textarea", { rows: 2, maxlength: 300, spellcheck: "false", placeholder: "the start" });
    const moves = el("textarea", { rows: 2, maxlength: 50000, spellcheck: "false", placeholder: "none" });
    Object.assign(this, { clock, position, moves });
    byId("setup-fields").replaceChildren(...[
      radios("setup-games", "Game", "pill", this.catalog.games.map((g) => [g.name, title(g), g.name === name]), (e) => this.draw(e.target.value)),
      this.against(game, last),
      radios("setup-side", "You play", "pill", [["0", "First", this.side === 0], ["1", "Second", this.side === 1], ["random", "Random", false]]),
      el("div", { class: "pair" }, field("Rules", "setup-preset", this.preset), field("Clock", "setup-clock", clock)), doc,
      game.chance && radios("setup-dice", "Dice", "pill", [["", "Rolled by the program", last?.dice !== "hand"], ["hand", "Entered by hand", last?.dice === "hand"]]),
      el("datalist", { id: "clocks" }, ["3+2", "5+3", "10+5", "30+10"].map((value) => el("option", { value }))),
      el("details", { id: "setup-more", open: this.custom }, el("summary", {}, "More options"),
        el("p", { class: "doc" }, game.doc),
        this.seats.map((s) => s.box),
        field("Start from a position line", "setup-position", position), field("Moves from there", "setup-moves", moves),
        game.options && el("details", {}, el("summary", {}, "Single rules"), options)),
    ].flat().filter(Boolean));
    byId("setup-more").addEventListener("change", (e) => e.target.matches("[id^=setup-seat-], .limits *") && this.choose("other"), true);
  }

  // against is the choice of the opponent by name.
  against(game, last) {
    const bot = last?.seats.find((s) => s !== you);
    this.side = last?.seats[0] !== you && last?.seats[1] === you ? 1 : 0;
    const named = (game.opponents || []).map((o) => [o.player, o.name, el("span", { class: "elo" }, `Elo ${Math.round(o.elo)}`), el("small", {}, o.doc)]);
    if (named.length === 0) named.push([usual(this.catalog, game).player, "The program", el("span", {}), el("small", {}, "The strongest player here.")]);
    const two = last && last.seats.every((s) => s === you);
    const known = named.some(([player]) => player === bot) && last.seats.includes(you);
    this.custom = Boolean(last) && !two && !known;
    const want = two ? you : known ? bot : this.custom ? "other" : usual(this.catalog, game).player;
    const list = [...named, [you, "Another person", el("span", {}), el("small", {}, "At this screen.")], ["other", "Other", el("span", {}), el("small", {}, "The players under More options.")]];
    return radios("setup-opponent", "Opponent", "option", list.map(([player, ...rest]) => [player, rest[0], player === want, ...rest.slice(1)]), (e) => {
      if (e.target.value === "other") byId("setup-more").open = true;
    });
  }

  // choose checks an opponent.
  choose(player) {
    for (const e of document.querySelectorAll('#setup [name="setup-opponent"]')) e.checked = e.value === player;
  }

  // players are the two seats.
  players() {
    const opponent = chosen("setup-opponent");
    if (opponent === "other") return this.seats.map((s) => s.text());
    const side = chosen("setup-side") === "random" ? Math.floor(2 * Math.random()) : Number(chosen("setup-side"));
    return side === 0 ? [you, opponent] : [opponent, you];
  }

  // rules fills in the options of the preset, changed by `set`.
  rules(doc, box, set) {
    const p = this.game.presets.find((x) => x.name === this.preset.value);
    doc.textContent = p.doc;
    this.options = (this.game.options || []).map((o) => {
      const base = p.set?.[o.name] ?? o.default;
      const input = o.values ? select(o.values.map((v) => [v, { true: "yes", false: "no" }[v] || v.replaceAll("-", " ")]), base) : o.data ? el("input", { maxlength: 4096, spellcheck: "false", title: o.data.form }) : el("input", { type: "number", min: o.min, max: o.max, step: 1 });
      input.value = set[o.name] ?? base;
      return { o, base, input };
    });
    box.replaceChildren(...this.options.map(({ o, input }) => field(o.name.replaceAll("_", " "), "set-" + o.name, input, el("p", { class: "doc" }, o.doc, " ", this.game.page && el("button", { type: "button", class: "link", onclick: (e) => this.explain(this.game, "option-" + o.name, e.target.closest(".field")) }, "the rule")))));
  }

  // seat makes the choice of a player.
  seat(i, was) {
    const offers = playersOf(this.catalog, this.game.name);
    const list = [[you, "A person"], ...offers.map((o) => [o.name, o.label])];
    let chosen = i === 0 ? you : offers[0].name;
    const known = offers.filter((o) => was === o.name || was?.startsWith(o.name + ",") || was?.startsWith(o.name + ":")).pop();
    if (was === you) chosen = you;
    else if (known) chosen = known.name;
    const word = known && was.slice(known.name.length + 1);
    const more = el("span", { class: "limits" });
    const doc = el("p", { class: "doc" });
    const s = { text: () => you };
    const fill = (offer, word) => {
      doc.textContent = offer ? offer.doc : "";
      if (!offer?.limits) {
        more.replaceChildren();
        s.text = () => (offer ? offer.name : you);
        return;
      }
      const [option, value] = (word || "").split("=");
      const number = el("input", { type: "number", step: 1, "aria-label": "value of the limit" });
      const which = select(offer.limits.map((l) => [l.option, l.doc]), option, () => bound());
      which.setAttribute("aria-label", "limit");
      const bound = (n) => {
        const l = offer.limits.find((x) => x.option === which.value);
        number.min = l.min;
        number.max = l.max;
        number.value = n ?? l.default;
      };
      bound(parseInt(value, 10) || undefined);
      s.text = () => describe(offer, offer.limits.find((l) => l.option === which.value), number.value);
      more.replaceChildren(number, which);
    };
    const who = select(list, chosen, () => fill(offers.find((o) => o.name === who.value)));
    fill(offers.find((o) => o.name === chosen), word);
    s.box = field(`${["First", "Second"][i]} player`, `setup-seat-${i}`, who, [more, doc]);
    return s;
  }

  // read returns the setup in the dialog.
  read() {
    const changed = this.options.filter(({ base, input }) => input.value !== base).map(({ o, input }) => `${o.name}=${input.value}`);
    const setup = { game: this.game.name, rules: [this.preset.value, ...changed].join(","), seats: this.players() };
    for (const key of ["clock", "position", "moves"]) {
      const value = this[key].value.trim().replace(/\s+/g, " ");
      if (value) setup[key] = value;
    }
    if (chosen("setup-dice")) setup.dice = chosen("setup-dice");
    return setup;
  }

  // start opens one table, however often it is clicked.
  async start() {
    if (this.opening) return;
    this.opening = true;
    try {
      await this.open(this.read());
      this.dialog.close();
    } catch (e) {
      show(byId("setup-problem"), true, e.message);
    } finally {
      this.opening = false;
    }
  }
}
