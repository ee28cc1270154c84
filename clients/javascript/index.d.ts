/** A position under a ruleset: moves, as words with blanks between, from `pos` or the start. */
export interface Question {
  game: string;
  /** The first preset of the game by default. */
  preset?: string;
  /** Each "option=value". */
  options?: string[];
  /** A position line; the start by default. */
  pos?: string;
  moves?: string;
}

/** By the words of descriptions of players; they take the place of those of the player. */
export interface Limits {
  sims?: number;
  nodes?: number;
  depth?: number;
  /** Such as "500ms". */
  time?: string;
}

export interface Request extends Limits {
  /** A description such as "net:konreh,sims=64", "mcts:sims=400", "alphabeta:depth=2" or "random"; always needed here. */
  player?: string;
  /** Words of the moves to choose among, and of those to leave out. */
  consider?: string[];
  avoid?: string[];
  /** For how many of the best moves the expected line is told. */
  lines?: number;
  /** These two are for `ludozero analyze --jsonl` and do nothing here. */
  priority?: number;
  report_every?: string;
}

export interface SearchQuestion extends Question, Request {
  seed?: number;
  line?: number;
}

export type Player = "first" | "second";

export interface Result {
  winner: Player | "draw";
  /** The side of the winner, or "draw". */
  winner_side: string;
  reason: string;
}

export interface Position {
  rules: string;
  position: string;
  actor: Player | "chance" | "nobody";
  side: string;
  /** Finished turns of players. */
  turn: number;
  /** null while the game goes on. */
  result: Result | null;
  /** Legal actions in ascending order, and their words; outcomes where chance decides. */
  actions: number[];
  words: string[];
  /** Where chance decides, the probability of each outcome. */
  chance?: number[];
}

export interface Encoding extends Position {
  /** [planes, height, width] laid out flat, empty where no player decides. */
  planes: number[];
  globals: number[];
  /** For each action the place of its logit in the policy output. */
  cells: number[];
  /** Legal actions as bits, base64: bit a%8 of byte a/8. */
  mask: string;
  /** Names of the symmetries that map the position to an equivalent one. */
  symmetries: string[];
  /** The position as records keep it, base64. */
  packed: string;
}

export interface Analysis {
  actor: Player | "chance";
  /** Where chance decides, the player whose turn it is. */
  turn_of?: Player;
  /** From -1, lost, to 1, won, for the player who decides; null if the player judges nothing. */
  value: number | null;
  /** The value is certain. */
  solved: boolean;
  /** Values are a lead, no expected result. */
  lead?: boolean;
  /** Probabilities of win, draw and loss. */
  wdl?: [number, number, number];
  /** By word: the share of a move in the search, the network's probability before it, simulations, value. */
  policy: Record<string, number>;
  priors?: Record<string, number>;
  visits: Record<string, number>;
  values: Record<string, number>;
  /** null where chance decides. */
  choice: string | null;
  /** The line that is expected, and those of the best moves. */
  pv: string[];
  pvs?: string[][];
  simulations: number;
  reached_depth?: number;
}

export interface Preset {
  name: string;
  doc: string;
  set?: Record<string, string>;
}

export interface Option {
  name: string;
  doc: string;
  default: string;
  values?: string[];
  min?: number;
  max?: number;
  /** The value is data, such as a board, and no whole number. */
  data?: Data;
}

export interface Data {
  /** What the value looks like, for people. */
  form: string;
  /** Values to try. */
  examples?: string[];
}

export interface Playable {
  name: string;
  doc: string;
  presets: Preset[];
  options: Option[] | null;
  /** Networks in this package that play it, for "net:NAME". */
  networks: string[];
}

export interface GameOptions {
  preset?: string;
  options?: string[];
  pos?: string;
}

/** A game that is being played. Errors, as of a word that is no legal move, leave it as it is. */
export class Game {
  /** The present position. */
  readonly position: Position;
  readonly moves: string[];
  readonly question: Question;
  /** Changes that are asked for at once are made one after the other. */
  play(...words: string[]): Promise<Position>;
  undo(count?: number): Promise<Position>;
  /** Where chance decides, draws an outcome and plays it. random returns numbers in [0, 1). */
  roll(random?: () => number): Promise<Position>;
  encode(): Promise<Encoding>;
  search(player: string, options?: { seed?: number }): Promise<Analysis>;
}

export class Ludozero {
  games(): Promise<Playable[]>;
  /** The game file, docs/game-file.md. */
  describe(question: Question): Promise<Record<string, unknown>>;
  position(question: Question): Promise<Position>;
  encode(question: Question): Promise<Encoding>;
  search(question: SearchQuestion): Promise<Analysis>;
  newGame(game: string, options?: GameOptions): Promise<Game>;
}

export interface LoadOptions {
  /** The module onnxruntime-web, which computes networks many times faster than the program itself. */
  ort?: object;
}

/** Starts the program, which takes about a second. Load it once. */
export function load(options?: LoadOptions): Promise<Ludozero>;
