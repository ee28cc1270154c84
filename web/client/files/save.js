// A game as a file and as a link. The file is one line of JSON that `ludozero replay
// --jsonl`, `ludozero analyze --jsonl` and `ludozero play --load` read too; the link has the same in its fragment,
// which no server gets to see.

const most = 60000; // characters of a link or a file

// record is the game of a view: what replay reads, and who played.
export function record(view) {
  const { game, rules, seats, position, moves, seed, dice, ended } = view.setup;
  const [preset, ...options] = rules.split(",");
  return { game, preset, options, pos: position || "", moves: moves || "", seats, ...(seed && { seed }), ...(dice && { dice }), ...(ended && { ended }) };
}

// text of words: nothing else comes from outside into a setup.
function words(value, what) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || value.length > most) throw new Error(`${what} of the game: want a text of at most ${most} characters`);
  return value;
}

// setupOf is the setup that continues a record.
export function setupOf(r) {
  if (typeof r !== "object" || r === null || typeof r.game !== "string") throw new Error("This is no game: want JSON with game, preset, options, pos and moves.");
  if (r.options !== undefined && !(Array.isArray(r.options) && r.options.every((o) => typeof o === "string"))) throw new Error("The options of the game: want a list of texts.");
  const seats = Array.isArray(r.seats) && r.seats.length === 2 ? r.seats.map((s) => words(s, "a seat")) : ["you", "you"];
  const setup = { game: r.game, rules: [words(r.preset, "the preset") || "", ...(r.options || [])].join(","), seats };
  if (words(r.pos, "the position")) setup.position = r.pos;
  if (words(r.moves, "the moves")) setup.moves = r.moves;
  if (words(r.dice, "the dice")) setup.dice = r.dice;
  if (Number.isSafeInteger(r.seed) && r.seed > 0) setup.seed = r.seed; // others this language cannot hold
  if (r.ended) setup.ended = { winner: words(r.ended.winner, "the winner"), reason: words(r.ended.reason, "the end") };
  return setup;
}

// save offers the game of a view as a file.
export function save(view) {
  const file = URL.createObjectURL(new Blob([JSON.stringify(record(view)) + "\n"], { type: "application/json" }));
  const a = Object.assign(document.createElement("a"), { href: file, download: `${view.setup.game}-${view.steps}.json` });
  a.click();
  setTimeout(() => URL.revokeObjectURL(file), 1000);
}

// load reads a file of save.
export async function load(file) {
  if (file.size > most) throw new Error(`${file.name} is longer than ${most} bytes: it is no game of this page.`);
  let r;
  try {
    r = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no game: it is not JSON.`);
  }
  return setupOf(r);
}

// link is an address that carries the game of a view.
export function link(view) {
  const { game, rules, seats, position, moves, dice } = view.setup;
  const p = new URLSearchParams({ game, rules, first: seats[0], second: seats[1] });
  if (position) p.set("position", position);
  if (moves) p.set("moves", moves);
  if (dice) p.set("dice", dice);
  return `${location.origin}${location.pathname}#${p}`;
}

// linked is the setup of a link's fragment, null if it carries no game. A link without
// players is of two people.
export function linked(fragment) {
  if (!fragment.includes("game=")) return null;
  if (fragment.length > most) throw new Error(`The link is longer than ${most} characters.`);
  const p = new URLSearchParams(fragment);
  const setup = { game: p.get("game"), seats: [p.get("first") || "you", p.get("second") || "you"] };
  for (const key of ["rules", "position", "moves", "dice"]) if (p.get(key)) setup[key] = p.get(key);
  return setup;
}
