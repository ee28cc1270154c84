// Prints what becomes of calls of engine.js, in the file of the first argument, if the program
// ends while one of them waits: one line for each.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

// A program that answers one call, leaves the next alone, and ends at the third.
globalThis.Go = class {
  importObject = {};

  async run() {
    globalThis.ludozeroHost.ready((method, body, done) => {
      if (method === "answer") done(null, body);
      if (method !== "end") return;
      setTimeout(() => this._resume());
      this.exit(2);
    });
  }

  _resume() {
    throw new Error("it is resumed");
  }
};
const { start } = await import(pathToFileURL(resolve(process.argv[2])));
const call = await start({ program: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0) });
const calls = ["answer", "wait", "end", "answer"].map((method) => call(method, method));
for (const { value, reason } of await Promise.allSettled(calls)) console.log(value ?? reason.message);
process.exit(); // a channel of the engine would keep it up
