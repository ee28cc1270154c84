// One side of scripts/versus: a model in ONNX Runtime. The first line of stdin
// is the task as JSON, each further line a command:
//
//	go SECONDS  evaluate the batch again and again, answer {count, seconds}
//	out FILE    evaluate every row once, write all outputs one after the other
//	ranges N    the least and largest value of every output over the first N rows
//
// Every answer is a line of JSON.
import { createInterface } from 'node:readline'
import { createRequire } from 'node:module'
import { openSync, readFileSync, writeSync, closeSync } from 'node:fs'

const require = createRequire(process.env.VERSUS_MODULES + '/')
const ort = require('onnxruntime-node')
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n')

const task = JSON.parse((await lines.next()).value)
const options = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'all',
  executionMode: 'sequential',
  enableCpuMemArena: true,
  enableMemPattern: true,
  intraOpNumThreads: task.threads,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
}
const session = await ort.InferenceSession.create(task.model, options)
const floats = (file) => {
  const bytes = readFileSync(file)
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
const inputs = task.inputs.map((x) => ({ ...x, data: floats(x.file) }))

// feed is rows [from, to) of every input.
const feed = (from, to) => {
  const feeds = {}
  for (const { name, shape, data } of inputs) {
    const size = shape.reduce((a, b) => a * b, 1)
    feeds[name] = new ort.Tensor('float32', data.slice(from * size, to * size), [to - from, ...shape])
  }
  return feeds
}

const feeds = feed(0, task.batch)
let results = await session.run(feeds) // then into the same memory
const evaluate = async () => session.run(feeds, results)
for (let i = 0; i < 3; i++) await evaluate()
say({ version: ort.env.versions?.node ?? '', outputs: session.outputNames })

for await (const line of lines) {
  const [command, argument] = line.split(' ')
  if (command === 'go') {
    const limit = Number(argument) * 1000
    let count = 0
    const start = performance.now()
    let now = start
    while (now - start < limit) {
      await evaluate()
      count += task.batch
      now = performance.now()
    }
    say({ count, seconds: (now - start) / 1000 })
  } else if (command === 'out') {
    const all = await session.run(feed(0, task.rows))
    const file = openSync(argument, 'w')
    for (const name of task.outputs) {
      const { data } = all[name]
      writeSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    }
    closeSync(file)
    say({ done: true })
  } else if (command === 'ranges') {
    const all = await session.run(feed(0, Number(argument)))
    const ranges = {}
    for (const [name, { data }] of Object.entries(all)) {
      let min = Infinity
      let max = -Infinity
      for (const v of data) {
        if (v < min) min = v
        if (v > max) max = v
      }
      ranges[name] = { min, max }
    }
    say({ ranges })
  }
}
