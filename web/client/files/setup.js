// The dialog for a new game: game, rules, players, clock and starting position. Its
// choices come from the catalog.

import { byId, el, show } from "./dom.js";

const you = "you";

// description of a player with a limit, as table.Offer.Text writes it.
export function describe(offer, limit, n) {
  if (!limit) return offer.name;
  return `${offer.name}${offer.name.includes(":") ? "," : ":"}${limit.option}=${n}${limit.unit || ""}`;
}

export const playersOf = (catalog, game) => catalog.players.filter((o) => !o.games || o.games.includes(game));

// firstSetup is the game of a first visit.
export function firstSetup(catalog) {
  const game = catalog.games[0].name;
  const o = playersOf(catalog, game)[0];
  const limit = (o.limits || [])[0];
  return { game, rules: o.rules, seats: [you, describe(o, limit, limit?.default)] };
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

export class Setup {
  // open(setup) opens a table; it rejects with an error for people.
  constructor(catalog, open) {
    this.catalog = catalog;
    this.open = open;
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
    const preset = game.presets.some((p) => p.name === rules[0]) ? rules[0] : game.presets[0].name;
    this.game = game;
    this.seats = [0, 1].map((i) => this.seat(i, last?.seats[i]));
    const doc = el("p", { class: "doc" });
    const options = el("div", { class: "options" });
    this.preset = select(game.presets.map((p) => [p.name, p.name]), preset, () => this.rules(doc, options, {}));
    const set = Object.fromEntries(rules.filter((w) => w.includes("=")).map((w) => w.split("=")));
    this.rules(doc, options, set);
    const clock = el("input", { list: "clocks", placeholder: "none", maxlength: 20, autocomplete: "off" });
    clock.value = last?.clock || "";
    const position = el("textarea", { rows: 2, maxlength: 300, spellcheck: "false", placeholder: "the start" });
    const moves = el("textarea", { rows: 2, maxlength: 50000, spellcheck: "false", placeholder: "none" });
    Object.assign(this, { clock, position, moves });
    byId("setup-fields").replaceChildren(...[
      field("Game", "setup-game", select(this.catalog.games.map((g) => [g.name, g.name]), name, (e) => this.draw(e.target.value)), el("p", { class: "doc" }, game.doc)),
      field("Rules", "setup-preset", this.preset, doc),
      game.options && el("details", {}, el("summary", {}, "Rule options"), options),
      this.seats.map((s) => s.box),
      el("datalist", { id: "clocks" }, ["3+2", "5+3", "10+5", "30+10"].map((value) => el("option", { value }))),
      field("Clock, minutes+seconds a turn", "setup-clock", clock),
      el("details", {}, el("summary", {}, "Start from a position"), field("Position line", "setup-position", position), field("Moves from there", "setup-moves", moves)),
    ].flat().filter(Boolean));
  }

  // rules fills in the options of the preset, changed by `set`.
  rules(doc, box, set) {
    const p = this.game.presets.find((x) => x.name === this.preset.value);
    doc.textContent = p.doc;
    this.options = (this.game.options || []).map((o) => {
      const base = p.set?.[o.name] ?? o.default;
      const input = o.values ? select(o.values.map((v) => [v, v]), base) : el("input", { type: "number", min: o.min, max: o.max, step: 1 });
      input.value = set[o.name] ?? base;
      return { o, base, input };
    });
    box.replaceChildren(...this.options.map(({ o, input }) => field(o.name, "option-" + o.name, input, el("p", { class: "doc" }, o.doc))));
  }

  // seat makes the choice of a player.
  seat(i, was) {
    const offers = playersOf(this.catalog, this.game.name);
    const list = [[you, "a person"], ...offers.map((o) => [o.name, o.label])];
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
    const setup = { game: this.game.name, rules: [this.preset.value, ...changed].join(","), seats: this.seats.map((s) => s.text()) };
    for (const key of ["clock", "position", "moves"]) {
      const value = this[key].value.trim().replace(/\s+/g, " ");
      if (value) setup[key] = value;
    }
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
