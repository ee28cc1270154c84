// Prints how the wrapper of the package in the folder of the first argument refuses what its
// functions would not read, and the questions of what they do. The program is a stand-in.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { load } = await import(new URL("index.js", pathToFileURL(resolve(process.argv[2]) + "/")));
const tell = async (promise) => console.log(await promise.then((answer) => JSON.stringify(answer), (error) => error.message));

await tell(load({ onnx: {} }));
const ludozero = await load();
await tell(ludozero.newGame("konreh", { rules: "blitz" }));
await tell(ludozero.newGame("konreh", { preset: "blitz", option: ["balance=pie"] }));
await tell(ludozero.newGame("konreh", "blitz"));
const game = await ludozero.newGame("konreh", { preset: "blitz", options: ["balance=pie"] });
await game.play("a", "b");
await tell(game.undo(3));
await tell(game.undo(-1));
await tell(game.search("random", { sims: 5 }));
await tell(game.search("random", { seed: 5 }));
await tell(game.undo(2));
