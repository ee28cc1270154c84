"""One side of scripts/versus: training R6x64 in PyTorch. The first line of stdin
is the task as JSON, each further line a command:

    go SECONDS  take steps, answer {count, seconds}
    losses N    take N steps, answer {losses}

Every answer is a line of JSON.
"""
import json
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F


def say(**answer):
    print(json.dumps(answer), flush=True)


task = json.loads(sys.stdin.readline())
torch.set_num_threads(task["threads"])
folder = task["training"]
lesson = json.load(open(folder + "/lesson.json"))


def floats(name, *shape):
    return torch.from_numpy(np.fromfile(f"{folder}/{name}.f32", dtype=np.float32)).reshape(*shape)


rows, legal = lesson["batch"], lesson["legal"]
narrow = task.get("precision") == "bf16"
layout = torch.channels_last if task.get("channels_last") else torch.contiguous_format
weights = {}
for t in lesson["tensors"]:
    w = floats(t["name"], *t["shape"])
    if len(t["shape"]) == 4:
        w = w.contiguous(memory_format=layout)
    if len(t["shape"]) == 2:
        w = w.t().contiguous()  # as torch.nn.Linear keeps it
    weights[t["name"]] = torch.nn.Parameter(w)

planes = floats("batch.planes", rows, *lesson["planes"]).contiguous(memory_format=layout)
cells = floats("batch.cells", rows, legal).long()
used = cells >= 0
cells = cells.clamp(min=0)
policy = floats("batch.policy", rows, legal)
value = floats("batch.value", rows, 3)
turns = floats("batch.turns", rows, 1) / lesson["TurnsUnit"]


class Net(torch.nn.Module):
    """The network of package model without globals, pooling and mask."""

    def __init__(self):
        super().__init__()
        self.w = torch.nn.ParameterDict({k.replace(".", "_"): v for k, v in weights.items()})
        for name in {t["name"][: -len(".scale")] for t in lesson["tensors"] if t["name"].endswith(".scale")}:
            width = weights[name + ".scale"].numel()
            self.register_buffer(name.replace(".", "_") + "_mean", torch.zeros(width))
            self.register_buffer(name.replace(".", "_") + "_var", torch.ones(width))

    def get(self, name):
        return self.w[name.replace(".", "_")]

    def conv(self, x, name, norm):
        w = self.get(name + ".weight")
        y = F.conv2d(x, w, padding=w.shape[2] // 2)
        n = norm.replace(".", "_")
        return F.batch_norm(y, getattr(self, n + "_mean"), getattr(self, n + "_var"), self.get(norm + ".scale"),
                            self.get(norm + ".shift"), training=True, momentum=0.05, eps=lesson["NormEpsilon"])

    def linear(self, x, name):
        return F.linear(x, self.get(name + ".weight"), self.get(name + ".bias"))

    def forward(self, x):
        t = F.relu(self.conv(x, "stem.conv", "stem.bn"))
        for i in range(lesson["blocks"]):
            b = f"block.{i}."
            a = F.relu(self.conv(t, b + "conv1", b + "bn1"))
            t = F.relu(self.conv(a, b + "conv2", b + "bn2") + t)
        p = F.relu(self.conv(t, "policy.conv1", "policy.bn"))
        p = F.conv2d(p, self.get("policy.conv2.weight"), self.get("policy.conv2.bias"))
        v = F.relu(self.conv(t, "value.conv", "value.bn"))
        h = F.relu(self.linear(v.flatten(1), "value.hidden"))
        return p.flatten(1), self.linear(h, "value.wdl"), self.linear(h, "value.turns")


net = Net()
net.train()
groups = [{"params": [weights[t["name"]] for t in lesson["tensors"] if t["decay"] == d],
           "weight_decay": lesson["Decay"] if d else 0.0} for d in (True, False)]
optimizer = torch.optim.AdamW(groups, lr=lesson["Rate"], betas=(lesson["Beta1"], lesson["Beta2"]), eps=lesson["Epsilon"],
                              foreach=True)


def step():
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=narrow):
        logits, wdl, u = (y.float() for y in net(planes))
    masked = logits.gather(1, cells).masked_fill(~used, -1e9)
    loss = (lesson["PolicyLoss"] * -(policy * F.log_softmax(masked, 1)).sum(1).mean()
            + lesson["ValueLoss"] * -(value * F.log_softmax(wdl, 1)).sum(1).mean()
            + lesson["TurnsLoss"] * F.huber_loss(F.softplus(u), turns, delta=lesson["HuberDelta"]))
    loss.backward()
    optimizer.step()
    return loss


say(version=torch.__version__)
for line in sys.stdin:
    command, argument = line.split()
    if command == "go":
        count, start = 0, time.perf_counter()
        while (seconds := time.perf_counter() - start) < float(argument):
            step()
            count += rows
        say(count=count, seconds=seconds)
    elif command == "losses":
        say(losses=[float(step()) for _ in range(int(argument))])
