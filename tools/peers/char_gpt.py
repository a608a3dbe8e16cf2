"""python3 -m peers.char_gpt FOLDER [--report FILE] [--asg PROGRAM]

Repeats in PyTorch the training that build/asg_char_gpt left in the folder: the same weights before the first step, the
same batches, the same optimiser. The first losses and the loss on held-out text have to agree.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from bench.models import Gpt, GptModel
from peers.exchange import demand, read

FIRST_STEPS = 100
FIRST_BOUND = 1e-3  # of each of the first losses, relative
HELD_OUT_BOUND = 0.02  # of the loss on held-out text after the last step, relative
NUMPY = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
EVALUATED_AT_ONCE = 256
DRAWN_AT_ONCE = 10  # steps whose mean is a point of the picture


@dataclass(frozen=True)
class Curve:
    losses: list[float]  # of step 1, 2 …
    held_out: dict[int, float]  # by the number of steps before


def tensors_of(path: Path) -> dict[str, np.ndarray]:
    tensors, _ = read(path)
    return {name: np.frombuffer(data, NUMPY[dtype]).reshape(shape) for name, (dtype, shape, data) in tensors.items()}


def curve_of(path: Path) -> Curve:
    curve = Curve([], {})
    for record in map(json.loads, path.read_text().splitlines()):
        if record["tag"] == "train":
            curve.losses.append(record["value"])
        else:
            curve.held_out[record["step"]] = record["value"]
    return curve


def places(model: GptModel) -> dict[str, tuple[Tensor, bool]]:
    """Where each weight of ours lies in the model, and whether it is stored the other way round."""
    found = {name: (tensor, turned) for name, tensor, turned in model.places()}

    def norm(name: str, module: torch.nn.LayerNorm) -> None:
        found[f"{name}.scale"] = (module.weight, False)
        found[f"{name}.bias"] = (module.bias, False)

    norm("norm", model.norm)
    for number, block in enumerate(model.blocks):
        name = f"block_{number}"
        norm(f"{name}.norm_1", block.norm_1)
        norm(f"{name}.norm_2", block.norm_2)
        joint = block.attention.project.bias.data.chunk(3)
        for part, bias in zip(("query", "key", "value"), joint):
            found[f"{name}.attention.{part}_projection.bias"] = (bias, False)
        found[f"{name}.attention.output_projection.bias"] = (block.attention.output.bias, False)
        found[f"{name}.feed_forward.expand.bias"] = (block.expand.bias, False)
        found[f"{name}.feed_forward.contract.bias"] = (block.contract.bias, False)
    return found


def model_from(folder: Path, settings: dict[str, np.ndarray]) -> GptModel:
    """Raises where one side has a weight that the other has not."""
    sizes = {name: int(settings[name]) for name in ("layers", "heads", "length", "vocabulary", "batch")}
    model = GptModel(Gpt(width=int(settings["features"]), positions=sizes["length"], **sizes))
    weights = tensors_of(folder / "initial.safetensors")
    where = places(model)
    demand(set(weights) == set(where), f"the same weights on both sides: {sorted(set(weights) ^ set(where))}")
    demand(
        sum(weight.size for weight in weights.values()) == sum(parameter.numel() for parameter in model.parameters()),
        "as many numbers on both sides",
    )
    for name, (tensor, turned) in where.items():
        ours = torch.from_numpy(weights[name].copy())
        tensor.data.copy_(ours.t() if turned else ours)
    return model


def loss_of(model: GptModel, tokens: Tensor, targets: Tensor) -> Tensor:
    logits = model(tokens)
    return functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


@torch.no_grad()
def held_out_loss(model: GptModel, tokens: Tensor, targets: Tensor) -> float:
    parts = zip(tokens.split(EVALUATED_AT_ONCE), targets.split(EVALUATED_AT_ONCE))
    return sum(float(loss_of(model, *part)) * len(part[0]) for part in parts) / len(tokens)


def train(folder: Path) -> Curve:
    """The same training in PyTorch; writes pytorch.jsonl beside asg.jsonl."""
    settings = tensors_of(folder / "settings.safetensors")
    batches = {name: torch.from_numpy(array.copy()) for name, array in tensors_of(folder / "batches.safetensors").items()}
    model = model_from(folder, settings)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=float(settings["learning_rate"]), weight_decay=float(settings["weight_decay"])
    )
    curve = Curve([], {})
    steps = len(batches["features"])
    with (folder / "pytorch.jsonl").open("w") as log:

        def say(tag: str, step: int, value: float) -> None:
            print(json.dumps({"step": step, "time": time.time(), "tag": tag, "value": value}), file=log)

        for step in range(steps + 1):
            if step % int(settings["validate_every"]) == 0:
                curve.held_out[step] = held_out_loss(model, batches["held_out_features"], batches["held_out_labels"])
                say("held_out", step, curve.held_out[step])
                print(f"PyTorch: step {step} of {steps}, held-out loss {curve.held_out[step]:.4f}", flush=True)
            if step == steps:
                break
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(model, batches["features"][step], batches["labels"][step])
            loss.backward()
            optimizer.step()
            curve.losses.append(float(loss.detach()))
            say("train", step + 1, curve.losses[-1])
    return curve


def relative(ours: float, theirs: float) -> float:
    return abs(ours - theirs) / abs(theirs)


@dataclass(frozen=True)
class Verdict:
    ours: Curve
    theirs: Curve

    @property
    def first(self) -> float:
        return max(map(relative, self.ours.losses[:FIRST_STEPS], self.theirs.losses[:FIRST_STEPS]))

    @property
    def last_step(self) -> int:
        return len(self.theirs.losses)

    @property
    def held_out(self) -> float:
        return relative(self.ours.held_out[self.last_step], self.theirs.held_out[self.last_step])

    @property
    def passed(self) -> bool:
        return self.first <= FIRST_BOUND and self.held_out <= HELD_OUT_BOUND


def _write_log(path: Path, tags: dict[str, dict[int, float]]) -> Path:
    lines = [
        json.dumps({"step": step, "time": 0.0, "tag": tag, "value": value})
        for tag, values in tags.items()
        for step, value in values.items()
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def _means(losses: list[float]) -> dict[int, float]:
    firsts = range(0, len(losses), DRAWN_AT_ONCE)
    return {first + DRAWN_AT_ONCE: float(np.mean(losses[first : first + DRAWN_AT_ONCE])) for first in firsts}


def draw(verdict: Verdict, folder: Path, program: Path, curves: Path, differences: Path) -> None:
    """Both curves in one picture, and how far they are apart in another, by `asg plot`."""
    logs = [
        _write_log(folder / f"drawn/{name}.jsonl", {"training": _means(curve.losses), "held out": curve.held_out})
        for name, curve in (("ASG", verdict.ours), ("PyTorch", verdict.theirs))
    ]
    apart = list(map(relative, verdict.ours.losses, verdict.theirs.losses))
    difference = _write_log(folder / "drawn/difference.jsonl", {"relative difference": _means(apart)})

    def plot(arguments: list[str | Path]) -> None:
        subprocess.run([program, "plot", *arguments], check=True, stdout=subprocess.DEVNULL)

    plot([*logs, "--out", curves, "--title", "A GPT of letters on Moby-Dick: loss"])
    plot([difference, "--out", differences, "--log", "--height", "250"])


def page(verdict: Verdict, settings: dict[str, np.ndarray]) -> str:
    """Made anew by `make peers`."""
    ours, theirs = verdict.ours, verdict.theirs
    rows = [
        f"| {step} | {ours.held_out[step]:.4f} | {theirs.held_out[step]:.4f} "
        f"| {relative(ours.held_out[step], theirs.held_out[step]):.1e} |"
        for step in sorted(theirs.held_out)
    ]
    size = {name: int(settings[name]) for name in settings if settings[name].dtype == np.int64}
    return f"""# A GPT of letters beside PyTorch

A page made by `make peers`. [tools/char_gpt](../tools/char_gpt/main.cpp) trains a GPT on the letters of Moby-Dick and leaves its first weights and all
its batches in files; [tools/peers/char_gpt.py](../tools/peers/char_gpt.py) reads them with a reader of its own and trains the same model in PyTorch {torch.__version__}.

{size["layers"]} layers, width {size["features"]}, {size["heads"]} heads, {size["length"]} letters of {size["vocabulary"]} kinds, batch {size["batch"]}, f32, no dropout; AdamW with a learning rate of \
{float(settings["learning_rate"]):g} and a weight decay of {float(settings["weight_decay"]):g}; {verdict.last_step} steps. The last tenth of the book is held out.

| | largest difference, relative | allowed |
|---|---|---|
| losses of the first {FIRST_STEPS} steps | {verdict.first:.1e} | {FIRST_BOUND:g} |
| held-out loss after {verdict.last_step} steps | {verdict.held_out:.1e} | {HELD_OUT_BOUND:g} |

The curves cover each other; a point is the mean of {DRAWN_AT_ONCE} steps. Below it, how far they are apart: rounding that training amplifies slowly.

![Loss by step, ASG and PyTorch](char_gpt.svg)

![Relative difference by step](char_gpt_difference.svg)

| steps | held-out loss, ASG | PyTorch | difference, relative |
|---|---|---|---|
{chr(10).join(rows)}

The example [char_gpt.cpp](../examples/char_gpt.cpp) trains a model of the same sizes for longer, with a schedule, and writes text with it.
The recipe [moby_dick.toml](../examples/recipes/moby_dick.toml) trains one with dropout of 0.1; `asg generate` writes text with
what it leaves ([generate.md](generate.md)).
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers.char_gpt", description="Repeat the training of a small GPT in PyTorch.")
    parser.add_argument("folder", type=Path, help="what build/asg_char_gpt left")
    parser.add_argument("--report", type=Path, help="write the page of results here, its pictures beside it")
    parser.add_argument("--asg", type=Path, help="the program that draws them", default=Path("build/asg"))
    parser.add_argument("--again", action="store_true", help="judge the training that pytorch.jsonl tells of")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    theirs = curve_of(folder / "pytorch.jsonl") if arguments.again else train(folder)
    verdict = Verdict(curve_of(folder / "asg.jsonl"), theirs)
    demand(len(verdict.ours.losses) == verdict.last_step, "as many steps on both sides")
    if arguments.report is not None:
        place: Path = arguments.report.parent
        draw(verdict, folder, arguments.asg, place / "char_gpt.svg", place / "char_gpt_difference.svg")
        settings = tensors_of(folder / "settings.safetensors")
        arguments.report.write_text(page(verdict, settings), encoding="utf-8")
    print(
        f"char GPT: the first {FIRST_STEPS} losses differ by {verdict.first:.1e} at most, "
        f"the held-out loss after {verdict.last_step} steps by {verdict.held_out:.1e}"
    )
    return 0 if verdict.passed else 1


if __name__ == "__main__":
    sys.exit(main())
