// Rules, encodings and search of board games, in a browser, in a worker of one, or in node.
// docs/javascript.md of ludozero explains it, index.d.ts has the types.
import "./wasm_exec.js";
import { start } from "./engine.js";

const here = (path) => new URL(path, import.meta.url);

// read reads a file of this package.
async function read(path) {
  const url = here(path);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const file = await fetch(url);
  if (!file.ok) throw new Error(`${path} cannot be loaded: ${file.status}`);
  return new Uint8Array(await file.arrayBuffer());
}

// only refuses an object with a key that nobody would read.
function only(place, object, ...keys) {
  const wrong = object && typeof object === "object" ? Object.keys(object).find((key) => !keys.includes(key)) : String(object);
  if (wrong !== undefined) throw new TypeError(`${place}: ${wrong}: want { ${keys.join(", ")} }`);
}

/**
 * Starts the program. ort is the module onnxruntime-web; without it the program computes
 * networks itself, many times more slowly.
 */
export async function load(options = {}) {
  only("load", options, "ort");
  const { ort } = options;
  const runtime = async () => {
    if (!ort) throw new Error("load was given none");
    return ort;
  };
  const warn = (text) => ort && console.warn(text);
  return new Ludozero(await start({ program: read("ludozero.wasm"), runtime, read, warn }));
}

export class Ludozero {
  #call;

  constructor(call) {
    this.#call = call;
  }

  games() {
    return this.#call("games");
  }

  describe(question) {
    return this.#call("describe", question);
  }

  position(question) {
    return this.#call("position", question);
  }

  encode(question) {
    return this.#call("encode", question);
  }

  search(question) {
    return this.#call("analyze", question);
  }

  async newGame(game, rules = {}) {
    only("newGame", rules, "preset", "options", "pos");
    const of = new Game(this, { ...rules, game });
    await of.play();
    return of;
  }
}

export class Game {
  #ludozero;
  #question;
  #moves = [];
  #change = Promise.resolve(); // the last that was asked for

  constructor(ludozero, question) {
    this.#ludozero = ludozero;
    this.#question = question;
  }

  // The question of the present position.
  get question() {
    return { ...this.#question, moves: this.#moves.join(" ") };
  }

  get moves() {
    return [...this.#moves];
  }

  // A text may have several words.
  async play(...words) {
    const more = words.join(" ").split(/\s+/).filter(Boolean);
    return this.#after(() => this.#to([...this.#moves, ...more]));
  }

  // #after makes a change when those before it are done, also if one of them failed.
  #after(change) {
    const done = this.#change.then(change);
    this.#change = done.catch(() => {});
    return done;
  }

  async #to(moves) {
    const position = await this.#ludozero.position({ ...this.#question, moves: moves.join(" ") });
    this.#moves = moves; // only if all were possible
    this.position = position;
    return position;
  }

  async undo(count = 1) {
    return this.#after(() => {
      const played = this.#moves.length;
      if (!Number.isInteger(count) || count < 0 || count > played) throw new RangeError(`undo: ${count}: want 0 to ${played}, the number of moves`);
      return this.#to(this.#moves.slice(0, played - count));
    });
  }

  async roll(random = Math.random) {
    return this.#after(() => {
      const { words, chance } = this.position;
      if (!chance) throw new Error("chance does not decide here");
      let left = random();
      const i = chance.findIndex((p) => (left -= p) < 0);
      return this.#to([...this.#moves, words[i < 0 ? words.length - 1 : i]]);
    });
  }

  encode() {
    return this.#ludozero.encode(this.question);
  }

  async search(player, options = {}) {
    only("search", options, "seed");
    const { seed = 1 } = options;
    return this.#ludozero.search({ ...this.question, player, seed, line: this.#moves.length + 1 });
  }
}
