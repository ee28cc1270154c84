// The worker of a static site runs the program and ONNX Runtime, so that the page
// stays responsive. Messages are { id, method, body }, answers { id, answer } or
// { id, problem, gone }.
import "./wasm_exec.js";
import { start } from "./engine.js";

const here = (path) => new URL(path, import.meta.url);

// read reads a file of the site, of which there is a compressed copy. A server that
// knows what it is has the browser unpack it already.
async function read(path) {
  let file;
  try {
    file = await fetch(here(path + ".gz"));
  } catch {
    throw new Error(`${path} cannot be loaded. Are you offline?`);
  }
  if (!file.ok) throw new Error(`${path} cannot be loaded: ${file.status}`);
  const data = new Uint8Array(await file.arrayBuffer());
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  const plain = new Response(data).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// One thread, and WebAssembly read as bytes, need no special headers of the web server.
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
