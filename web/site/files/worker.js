// The worker of a static site: the program and ONNX Runtime run here, so that the
// page stays quick. Messages are { id, method, body }, answers { id, answer } or
// { id, problem, gone }.
import "./wasm_exec.js";
import { start } from "./engine.js";

const here = (path) => new URL(path, import.meta.url);

async function read(path) {
  let file;
  try {
    file = await fetch(here(path));
  } catch {
    throw new Error(`${path} cannot be loaded. Is there a connection?`);
  }
  if (!file.ok) throw new Error(`${path} cannot be loaded: ${file.status}`);
  return new Uint8Array(await file.arrayBuffer());
}

// One thread needs no headers of the web server, and WebAssembly that was read as
// bytes none that says what it is.
async function runtime() {
  const [ort, wasm] = await Promise.all([import("./ort.js"), read("ort.wasm")]);
  Object.assign(ort.env.wasm, { numThreads: 1, proxy: false, wasmBinary: wasm.buffer });
  return ort;
}

const starting = start({ program: read("ludozero.wasm"), runtime, read, warn: (text) => console.warn(text) });

onmessage = async ({ data: { id, method, body } }) => {
  try {
    const call = await starting;
    postMessage({ id, answer: await call(method, body) });
  } catch (e) {
    postMessage({ id, problem: e.message, gone: e.gone === true });
  }
};
