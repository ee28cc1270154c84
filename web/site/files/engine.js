// Starts the program that plays (cmd/ludozero-wasm) and connects it to the page. This
// module knows neither workers nor addresses: worker.js runs it in a browser, tests
// run it in Node.
//
//   start(parts) -> call(method, body): a promise of the answer, all plain data
//
//   parts.program   promise of the bytes of ludozero.wasm; wasm_exec.js of the same Go
//                   must have run before
//   parts.runtime() -> promise of the module of ONNX Runtime, ready for use; called
//                   when the first network is opened
//   parts.read(path) -> promise of a Uint8Array: a file of the site
//   parts.warn(text)

// Model is an ONNX model with the arrays for its inputs and outputs. planes, globals and
// outputs are the bytes of float32 numbers, for up to `batch` positions; outputs holds
// policy, wdl and turns of all positions, one after the other.
class Model {
  constructor(ort, session, shape) {
    Object.assign(this, { ort, session, shape });
    const { planes, height, width, globals, head, batch } = shape;
    this.inputs = {
      planes: new Float32Array(batch * planes * height * width),
      globals: new Float32Array(batch * globals),
    };
    this.results = new Float32Array(batch * (head + 3 + 1));
    this.planes = new Uint8Array(this.inputs.planes.buffer);
    this.globals = new Uint8Array(this.inputs.globals.buffer);
    this.outputs = new Uint8Array(this.results.buffer);
  }

  // run evaluates the first rows positions, then calls done with a problem or "".
  run(rows, done) {
    this.evaluate(rows).then(() => done(""), (e) => done(String(e)));
  }

  async evaluate(rows) {
    const { planes, height, width, globals } = this.shape;
    const feeds = { planes: this.tensor("planes", rows, [planes, height, width]) };
    if (globals > 0) feeds.globals = this.tensor("globals", rows, [globals]);
    const { policy, wdl, turns } = await this.session.run(feeds);
    let at = 0;
    for (const { data } of [policy, wdl, turns]) {
      this.results.set(data, at);
      at += data.length;
    }
  }

  tensor(name, rows, shape) {
    const size = shape.reduce((a, b) => a * b, rows);
    return new this.ort.Tensor("float32", this.inputs[name].subarray(0, size), [rows, ...shape]);
  }
}

// keeper returns a function that makes a value once for each name. If making it fails,
// as while the browser is offline, the next call tries again.
function keeper() {
  const kept = new Map();
  return (name, make) => {
    if (!kept.has(name)) {
      const made = make();
      kept.set(name, made);
      made.catch(() => kept.delete(name));
    }
    return kept.get(name);
  };
}

// breather returns a function that waits for one turn of the event loop. A message to
// oneself takes no longer than that; a timer would.
function breather() {
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () => new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(0);
  });
}

export async function start(parts) {
  const go = new globalThis.Go();
  const keep = keeper();
  const runtime = () => keep("", () => parts.runtime());
  const session = async (path) => {
    const ort = await runtime();
    return ort.InferenceSession.create(await parts.read(path), { executionProviders: ["wasm"], graphOptimizationLevel: "all" });
  };
  const { instance } = await WebAssembly.instantiate(await parts.program, go.importObject);
  // A program that ends, as it does where memory is used up, fails whoever waits for it.
  const waiting = new Set();
  let ended = null;
  go.exit = (code) => {
    ended = new Error(`the program has ended with code ${code} and answers no more`);
    go._resume = () => {}; // timers and promises that it left would throw
    for (const fail of waiting) fail(ended);
  };
  const answer = async (begin) => {
    if (ended) throw ended;
    let fail;
    try {
      return await new Promise((resolve, reject) => {
        waiting.add(fail = reject);
        begin(resolve, reject);
      });
    } finally {
      waiting.delete(fail);
    }
  };
  const ask = await answer((resolve, reject) => {
    globalThis.ludozeroHost = {
      read: parts.read,
      warn: parts.warn,
      breathe: breather(),
      ready: resolve,
      async model(path, shape) {
        const opened = await keep(path, () => session(path));
        return new Model(await runtime(), opened, JSON.parse(shape));
      },
    };
    go.run(instance).catch(reject);
  });
  return (method, body) => answer((resolve, reject) => {
    ask(method, JSON.stringify(body ?? null), (problem, answer) => {
      if (problem) reject(Object.assign(new Error(problem.message), { gone: problem.gone }));
      else resolve(JSON.parse(answer));
    });
  });
}
