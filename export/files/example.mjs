// Runs the positions of vectors.jsonl through the models of this folder and says
// how far their answers are from those of ludozero:
//
//   npm install --ignore-scripts onnxruntime-node
//   node example.mjs                     or, in WebAssembly:
//   node example.mjs onnxruntime-web     after npm install --ignore-scripts onnxruntime-web
//   node example.mjs onnxruntime-node 50 says which model is faster, too, in 50 rounds
//
// Everything that a client does is here but its own rules and encoding of the
// game: vectors.jsonl has the inputs that these have to give.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const runtime = process.argv[2] ?? 'onnxruntime-node'
const ort = createRequire(import.meta.url)(runtime)
const read = (name) => readFileSync(new URL(name, import.meta.url))
const card = JSON.parse(read('card.json'))
const vectors = String(read('vectors.jsonl')).trim().split('\n').map((line) => JSON.parse(line))
const batchSize = 64
const options = { logSeverityLevel: 3 }

// fill writes the inputs of one position, each into its row of the batch.
const fill = {
  planes(row, vector) {
    for (const i of vector.ones) row[i] = 1
    for (const [i, value] of vector.others ?? []) row[i] = value
  },
  globals(row, vector) {
    row.set(vector.globals)
  },
}

// inputs are the tensors of some positions.
function inputs(batch) {
  const feeds = {}
  for (const { name, shape } of card.inputs) {
    const size = shape.reduce((a, b) => a * b, 1)
    const data = new Float32Array(batch.length * size)
    batch.forEach((vector, i) => fill[name](data.subarray(i * size, (i + 1) * size), vector))
    feeds[name] = new ort.Tensor('float32', data, [batch.length, ...shape])
  }
  return feeds
}

function softmax(logits) {
  const top = Math.max(...logits)
  const weights = Array.from(logits, (x) => Math.exp(x - top))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((w) => w / sum)
}

// judge turns logits into the probabilities of the legal actions and the value,
// from -1, lost for who acts, to 1, won.
function judge(logits, wdl) {
  const [win, , loss] = softmax(wdl)
  return { policy: softmax(logits), value: win - loss }
}

// ask is what a model says of all positions.
async function ask(session) {
  const answers = []
  for (let from = 0; from < vectors.length; from += batchSize) {
    const batch = vectors.slice(from, from + batchSize)
    const { policy, wdl } = await session.run(inputs(batch))
    batch.forEach((vector, i) => {
      const row = policy.data.subarray(i * policy.dims[1], (i + 1) * policy.dims[1])
      const logits = vector.actions.map((action) => row[card.cells[action]])
      answers.push(judge(logits, wdl.data.subarray(3 * i, 3 * i + 3)))
    })
  }
  return answers
}

// speed times one position at a time on one thread, all models in turn, and compares each
// round of a model with the same round of f32.
async function speed(rounds) {
  const calls = 8
  const feeds = vectors.slice(0, 16).map((vector) => inputs([vector]))
  const sides = []
  for (const [precision, file] of Object.entries(card.models)) {
    const session = await ort.InferenceSession.create(new Uint8Array(read(file)), { ...options, intraOpNumThreads: 1 })
    for (const feed of feeds) await session.run(feed)
    sides.push({ precision, session, times: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { session, times } of round % 2 ? [...sides].reverse() : sides) {
      const start = performance.now()
      for (let i = 0; i < calls; i++) await session.run(feeds[(round + i) % feeds.length])
      times.push(((performance.now() - start) * 1000) / calls)
    }
  }
  const at = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(part * (list.length - 1))]
  const base = sides.find(({ precision }) => precision === 'f32').times
  for (const { precision, times } of sides) {
    const ratios = times.map((time, round) => time / base[round])
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => at(ratios, part).toFixed(2))
    console.log(`${precision}: a position takes ${at(times, 0.5).toFixed(0)} µs, least ${at(times, 0).toFixed(0)}; ${middle} of f32's time (${low} to ${high})`)
  }
}

const likeliest = (policy) => policy.indexOf(Math.max(...policy))

const expected = vectors.map((vector) => judge(vector.logits, vector.wdl))
console.log(`${card.name}, ${card.game}: ${vectors.length} positions, ${runtime}`)
let bad = false
for (const [precision, file] of Object.entries(card.models)) {
  const session = await ort.InferenceSession.create(new Uint8Array(read(file)), options)
  const answers = await ask(session)
  let policy = 0
  let value = 0
  let values = 0
  let same = 0
  answers.forEach((answer, i) => {
    const want = expected[i]
    answer.policy.forEach((p, k) => (policy = Math.max(policy, Math.abs(p - want.policy[k]))))
    value = Math.max(value, Math.abs(answer.value - want.value))
    values += Math.abs(answer.value - want.value)
    if (likeliest(answer.policy) === likeliest(want.policy)) same++
  })
  console.log(
    `${precision}: probabilities differ by at most ${policy.toFixed(6)}, values by at most ${value.toFixed(6)},` +
      ` on average ${(values / vectors.length).toFixed(6)}; same likeliest move in ${same}`,
  )
  if (precision === 'f32' && !(policy <= 1e-4 && value <= 1e-4)) bad = true
  const first = vectors[0]
  const best = likeliest(answers[0].policy)
  console.log(`  ${first.position}: ${first.side} plays ${first.words[best]} (${(100 * answers[0].policy[best]).toFixed(1)} %), value ${answers[0].value.toFixed(3)}`)
}
if (bad) {
  console.error('f32 is off by more than 0.0001: this runtime does not compute what ludozero does')
  process.exitCode = 1
}
const rounds = Number(process.argv[3] ?? 0)
if (rounds > 0) await speed(rounds)
