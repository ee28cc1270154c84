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

export interface SearchQuestion extends Question {
  /** A description such as "net:konreh,sims=64", "mcts:sims=400", "alphabeta:depth=2" or "random". */
  player: string;
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
  choice: string;
  /** From -1, lost, to 1, won, for the player who decides. */
  value: number;
  visits: Record<string, number>;
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

/** Starts the program: some seconds the first time. Load it once. */
export function load(): Promise<Ludozero>;
