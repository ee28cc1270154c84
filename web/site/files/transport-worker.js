// The transport of a site without a server: tables are in a worker of the page.
// transport-http.js describes transports.

export async function connect() {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  let last = 0;
  let broken;

  worker.onmessage = ({ data: { id, answer, problem, gone } }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) call?.resolve(answer);
    else call?.reject(Object.assign(new Error(problem), { gone }));
  };
  worker.onerror = (e) => {
    broken = new Error(`The program does not run in this browser: ${e.message || "it does not support module workers"}`);
    for (const call of waiting.values()) call.reject(broken);
    waiting.clear();
  };

  const ask = (method, body) => new Promise((resolve, reject) => {
    if (broken) throw broken;
    const id = ++last;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, method, body });
  });

  return {
    catalog: () => ask("catalog"),
    rules: (game) => ask("rules", { game }),
    open: (setup) => ask("open", setup),
    send: (id, request) => ask("send", { id, request }),
    at: (id, steps) => ask("at", { id, steps }),
    rules: (game) => ask("rules", { game }),
    watch: (id, after) => ask("watch", { id, after: after === "" ? -1 : after }), // no view has -1
  };
}
