"""Runs the positions of vectors.jsonl through the models of this folder and says
how far their answers are from those of ludozero:

    python3 -m venv env && env/bin/pip install numpy onnxruntime
    env/bin/python example.py
    env/bin/python example.py 50     says which model is faster, too, in 50 rounds

Everything that a client does is here but its own rules and encoding of the game:
vectors.jsonl has the inputs that these have to give.
"""

import json
import pathlib
import sys
import time

import numpy as np
import onnxruntime

HERE = pathlib.Path(__file__).parent
BATCH = 64


def planes(row, vector):
    row = row.reshape(-1)
    row[vector["ones"]] = 1
    for i, value in vector.get("others", []):
        row[int(i)] = value


def global_inputs(row, vector):
    row[:] = vector["globals"]


FILL = {"planes": planes, "globals": global_inputs}


def inputs(card, batch):
    """The tensors of some positions."""
    feeds = {}
    for tensor in card["inputs"]:
        data = np.zeros([len(batch)] + tensor["shape"], np.float32)
        for row, vector in zip(data, batch):
            FILL[tensor["name"]](row, vector)
        feeds[tensor["name"]] = data
    return feeds


def softmax(logits):
    weights = np.exp(np.asarray(logits, np.float64) - np.max(logits))
    return weights / weights.sum()


def judge(logits, wdl):
    """Probabilities of the legal actions, and the value from -1, lost for who
    acts, to 1, won."""
    win, _, loss = softmax(wdl)
    return softmax(logits), win - loss


def ask(session, card, vectors):
    """What a model says of all positions."""
    cells = np.asarray(card["cells"])
    answers = []
    for start in range(0, len(vectors), BATCH):
        batch = vectors[start : start + BATCH]
        policy, wdl = session.run(["policy", "wdl"], inputs(card, batch))
        for i, vector in enumerate(batch):
            answers.append(judge(policy[i][cells[vector["actions"]]], wdl[i]))
    return answers


def speed(card, vectors, rounds):
    """Times one position at a time on one thread, all models in turn, and compares each
    round of a model with the same round of f32."""
    calls = 8
    feeds = [inputs(card, [vector]) for vector in vectors[:16]]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = {
        precision: onnxruntime.InferenceSession(str(HERE / file), options, providers=["CPUExecutionProvider"])
        for precision, file in card["models"].items()
    }
    times = {precision: [] for precision in sessions}
    for r in range(-1, rounds):
        order = list(sessions.items())
        for precision, session in reversed(order) if r % 2 else order:
            start = time.perf_counter()
            for i in range(calls):
                session.run(["policy", "wdl"], feeds[(r + i) % len(feeds)])
            if r >= 0:  # the first round is slower
                times[precision].append((time.perf_counter() - start) * 1e6 / calls)
    for precision, taken in times.items():
        low, middle, high = np.quantile(np.divide(taken, times["f32"]), [0.25, 0.5, 0.75])
        print(
            f"{precision}: a position takes {np.median(taken):.0f} µs, least {min(taken):.0f};"
            f" {middle:.2f} of f32's time ({low:.2f} to {high:.2f})"
        )


def main():
    card = json.loads((HERE / "card.json").read_text(encoding="utf-8"))
    lines = (HERE / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
    vectors = [json.loads(line) for line in lines]
    expected = [judge(v["logits"], v["wdl"]) for v in vectors]
    print(f"{card['name']}, {card['game']}: {len(vectors)} positions, onnxruntime {onnxruntime.__version__}")
    bad = False
    for precision, file in card["models"].items():
        session = onnxruntime.InferenceSession(str(HERE / file), providers=["CPUExecutionProvider"])
        answers = ask(session, card, vectors)
        policy = max(np.abs(a[0] - e[0]).max() for a, e in zip(answers, expected))
        values = np.array([abs(a[1] - e[1]) for a, e in zip(answers, expected)])
        same = sum(a[0].argmax() == e[0].argmax() for a, e in zip(answers, expected))
        print(
            f"{precision}: probabilities differ by at most {policy:.6f}, values by at most {values.max():.6f},"
            f" on average {values.mean():.6f}; same likeliest move in {same}"
        )
        if precision == "f32" and not (policy <= 1e-4 and values.max() <= 1e-4):
            bad = True
        first, (probs, value) = vectors[0], answers[0]
        best = probs.argmax()
        print(f"  {first['position']}: {first['side']} plays {first['words'][best]} ({100 * probs[best]:.1f} %), value {value:.3f}")
    if len(sys.argv) > 1:
        speed(card, vectors, int(sys.argv[1]))
    if bad:
        sys.exit("f32 is off by more than 0.0001: this runtime does not compute what ludozero does")


if __name__ == "__main__":
    main()
