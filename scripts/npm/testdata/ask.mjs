// Asks the package in the folder of the first argument, with the module of ONNX Runtime in the
// second, if there is one: each line of standard input is { method, question }, each line of
// output the answer or { error }.
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, runtime] = process.argv;
const { load } = await import(new URL("index.js", pathToFileURL(resolve(folder) + "/")));
const ort = runtime && (await import(pathToFileURL(resolve(runtime))));
if (ort) ort.env.wasm.numThreads = 1;
const ludozero = await load({ ort });
for await (const line of createInterface({ input: process.stdin })) {
  const { method, question } = JSON.parse(line);
  let answer;
  try {
    answer = await (method === "play" ? play(question) : ludozero[method](question));
  } catch (e) {
    answer = { error: e.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await new Promise((written) => process.stdout.write("", written));
process.exit(0);

// play plays a game to its end, tries what is refused, takes two moves back and plays them
// again in two ways.
async function play({ game, preset, player }) {
  const of = await ludozero.newGame(game, { preset });
  const refused = await of.play("nonsense").then(() => "", (e) => e.message);
  while (!of.position.result) {
    if (of.position.chance) await of.roll();
    else await of.play((await of.search(player)).choice);
  }
  const { result } = of.position;
  const moves = of.moves;
  await of.undo(2);
  const after = of.moves;
  const encoded = (await of.encode()).position === of.position.position;
  const last = moves.slice(-2);
  await Promise.all(last.map((word) => of.play(word)));
  const at_once = of.moves;
  await of.undo(2);
  await of.play(last.join(" "));
  return { result, moves, refused, after, encoded, at_once, together: of.moves };
}
