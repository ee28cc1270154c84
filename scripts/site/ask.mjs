// Asks a static site for evaluations of positions, without a browser:
//
//	node scripts/site/ask.mjs SITE [plain|late] <questions.jsonl >answers.jsonl
//
// A question is a web/worker.Question, an answer its Answer with the time "ms" that it
// took, or {"error"}. With "plain" there is no ONNX Runtime, with "late" the first
// request for it fails.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , folder, mode] = process.argv
const site = pathToFileURL(resolve(folder) + '/')
const read = async (path) => new Uint8Array(await readFile(new URL(path, site)))

let wanted = 0
async function runtime () {
  if (mode === 'plain' || (mode === 'late' && wanted++ === 0)) throw new Error('it was not asked for')
  const ort = await import(new URL('ort.js', site))
  Object.assign(ort.env.wasm, { numThreads: 1, wasmBinary: (await read('ort.wasm')).buffer })
  return ort
}

await import(new URL('wasm_exec.js', site))
const { start } = await import(new URL('engine.js', site))
const call = await start({ program: read('ludozero.wasm'), runtime, read, warn: (text) => console.error(text) })
for await (const line of createInterface({ input: process.stdin })) {
  const began = process.cpuUsage()
  let answer
  try {
    answer = await call('analyze', JSON.parse(line))
  } catch (e) {
    answer = { error: e.message }
  }
  const { user, system } = process.cpuUsage(began)
  process.stdout.write(JSON.stringify({ ...answer, ms: (user + system) / 1000 }) + '\n')
}
process.exit(0) // the program would wait for more input
