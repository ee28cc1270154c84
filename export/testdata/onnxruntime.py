"""As much of ONNX Runtime's Python package as example.py uses, so that the example
is tested where that package cannot be had: node's computes in its place."""

import json
import subprocess

import numpy as np

__version__ = "of node"

PROGRAM = """
const ort = require('onnxruntime-node')
const { model, options, outputs, inputs } = JSON.parse(require('fs').readFileSync(0))
ort.InferenceSession.create(model, { extra: { session: options } }).then(async (session) => {
  const feeds = {}
  for (const [name, { shape, data }] of Object.entries(inputs)) feeds[name] = new ort.Tensor('float32', new Float32Array(data), shape)
  const results = await session.run(feeds)
  console.log(JSON.stringify(outputs.map((name) => ({ shape: results[name].dims, data: Array.from(results[name].data) }))))
})
"""


class SessionOptions:
    def __init__(self):
        self.entries = {}

    def add_session_config_entry(self, key, value):
        self.entries[key.removeprefix("session.")] = value


class InferenceSession:
    def __init__(self, model, options, providers):
        self.model, self.options = model, options.entries

    def run(self, outputs, inputs):
        feeds = {name: {"shape": x.shape, "data": x.reshape(-1).tolist()} for name, x in inputs.items()}
        task = json.dumps({"model": self.model, "options": self.options, "outputs": outputs, "inputs": feeds})
        done = subprocess.run(["node", "-e", PROGRAM], input=task, capture_output=True, text=True, check=True)
        return [np.array(x["data"], np.float32).reshape(x["shape"]) for x in json.loads(done.stdout)]
