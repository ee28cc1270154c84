"""As much of ONNX Runtime's Python package as example.py uses, so that the example
is tested where that package cannot be had: node's computes in its place."""

import json
import subprocess

import numpy as np

__version__ = "of node"

PROGRAM = """
const ort = require('onnxruntime-node')
const session = ort.InferenceSession.create(process.argv[1])
const lines = require('readline').createInterface({ input: process.stdin })
lines.on('line', async (line) => {
  const { outputs, inputs } = JSON.parse(line)
  const feeds = {}
  for (const [name, { shape, data }] of Object.entries(inputs)) feeds[name] = new ort.Tensor('float32', new Float32Array(data), shape)
  const results = await (await session).run(feeds)
  console.log(JSON.stringify(outputs.map((name) => ({ shape: results[name].dims, data: Array.from(results[name].data) }))))
})
"""


class SessionOptions:
    intra_op_num_threads = 0


class InferenceSession:
    def __init__(self, model, options=None, providers=()):
        self.node = subprocess.Popen(["node", "-e", PROGRAM, model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, outputs, inputs):
        feeds = {name: {"shape": x.shape, "data": x.reshape(-1).tolist()} for name, x in inputs.items()}
        self.node.stdin.write(json.dumps({"outputs": outputs, "inputs": feeds}) + "\n")
        self.node.stdin.flush()
        return [np.array(x["data"], np.float32).reshape(x["shape"]) for x in json.loads(self.node.stdout.readline())]

    def __del__(self):
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait()
