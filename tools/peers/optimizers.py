"""python3 -m peers.optimizers FILE [--write]

Trains a small model in PyTorch with many combinations of optimiser, schedule, groups, clipping and accumulation, and
compares the trajectories with those in FILE; with --write it makes the file. The unit tests of ASG follow the same file,
so they need no PyTorch.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

STEPS = 50
SHOWN = 5  # every fifth loss is written
DIGITS = 13
BOUND = 1e-12

Form = dict[str, Any]

# Settings carry ASG's names. Every field of a case is one of ASG's optimiser or schedule.
CASES: list[Form] = [
    {"name": "sgd_constant", "kind": "sgd", "settings": {"learning_rate": 0.2}},
    {
        "name": "sgd_dampened_step_norm",
        "kind": "sgd",
        "settings": {"learning_rate": 0.3, "momentum": 0.9, "dampening": 0.4, "weight_decay": 0.01},
        "schedule": {"kind": "step", "settings": {"period": 15, "gamma": 0.5}},
        "clip_norm": 0.25,
    },
    {
        "name": "sgd_nesterov_multi_step_value",
        "kind": "sgd",
        "settings": {"learning_rate": 0.1, "momentum": 0.8, "nesterov": True, "weight_decay": 0.02},
        "schedule": {"kind": "multi_step", "settings": {"milestones": [10, 25, 40], "gamma": 0.4}},
        "clip_value": 0.05,
    },
    {
        "name": "adam_cosine_norm",
        "kind": "adam",
        "settings": {"learning_rate": 0.03},
        "schedule": {"kind": "cosine", "settings": {"steps": 50, "minimum": 0.1}},
        "clip_norm": 0.1,
    },
    {
        "name": "adam_amsgrad_exponential",
        "kind": "adam",
        "settings": {"learning_rate": 0.05, "amsgrad": True, "weight_decay": 0.05, "beta2": 0.9},
        "schedule": {"kind": "exponential", "settings": {"gamma": 0.97}},
    },
    {
        "name": "adamw_warmup_cosine_norm",
        "kind": "adamw",
        "settings": {"learning_rate": 0.05, "weight_decay": 0.1, "beta2": 0.95},
        "schedule": {"kind": "cosine", "settings": {"steps": 40, "warmup": 10, "warmup_start": 0.125}},
        "clip_norm": 0.5,
    },
    {
        "name": "adamw_amsgrad_one_cycle",
        "kind": "adamw",
        "settings": {"learning_rate": 0.1, "amsgrad": True, "weight_decay": 0.01},
        "schedule": {"kind": "one_cycle", "settings": {"steps": 60, "rise": 0.4, "start_divisor": 10}},
    },
    {
        "name": "rmsprop_polynomial_value",
        "kind": "rmsprop",
        "settings": {"learning_rate": 0.02, "alpha": 0.9},
        "schedule": {"kind": "polynomial", "settings": {"steps": 50, "power": 2}},
        "clip_value": 0.1,
    },
    {
        "name": "rmsprop_centered_plateau_norm",
        "kind": "rmsprop",
        "settings": {
            "learning_rate": 0.01, "centered": True, "momentum": 0.5, "weight_decay": 0.01, "epsilon": 0.01
        },
        "schedule": {
            "kind": "plateau",
            "settings": {"gamma": 0.5, "patience": 2, "threshold": 0.05, "cooldown": 3, "minimum": 0.1},
        },
        "clip_norm": 0.3,
    },
    {
        "name": "adagrad_warmup_value",
        "kind": "adagrad",
        "settings": {"learning_rate": 0.2},
        "schedule": {"kind": "constant", "settings": {"warmup": 20, "warmup_start": 0.25}},
        "clip_value": 0.2,
    },
    {
        "name": "adagrad_decayed_cosine",
        "kind": "adagrad",
        "settings": {
            "learning_rate": 0.3, "learning_rate_decay": 0.02, "initial_sum": 0.1, "weight_decay": 0.03
        },
        "schedule": {"kind": "cosine", "settings": {"steps": 80}},
    },
    {
        "name": "adamw_groups_norm",
        "kind": "adamw",
        "settings": {"learning_rate": 0.04, "weight_decay": 0.2},
        "groups": [
            {"match": "first.bias", "frozen": True},
            {"match": "*.bias", "settings": {"weight_decay": 0.0}},
            {"match": "second.*", "learning_rate_factor": 0.25, "settings": {"beta1": 0.8}},
        ],
        "clip_norm": 0.4,
    },
    {
        "name": "sgd_accumulated_step_norm",
        "kind": "sgd",
        "settings": {"learning_rate": 0.5, "momentum": 0.9},
        "schedule": {"kind": "step", "settings": {"period": 5, "gamma": 0.5}},
        "clip_norm": 0.2,
        "accumulate": 4,
    },
    {
        "name": "adamw_accumulated_ema",
        "kind": "adamw",
        "settings": {"learning_rate": 0.05},
        "accumulate": 2,
        "ema": {"decay": 0.9},
    },
    {
        "name": "adam_ema_warmup",
        "kind": "adam",
        "settings": {"learning_rate": 0.05},
        "ema": {"decay": 0.75, "warmup": True},
    },
]

TORCH_NAMES = {
    "learning_rate": "lr",
    "epsilon": "eps",
    "learning_rate_decay": "lr_decay",
    "initial_sum": "initial_accumulator_value",
}
TORCH_KINDS = {
    "sgd": torch.optim.SGD,
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "rmsprop": torch.optim.RMSprop,
    "adagrad": torch.optim.Adagrad,
}


def wave(count: int, phase: int) -> list[float]:
    """Numbers in (-1, 1) that a file can hold in few digits."""
    return [((k * 37 + phase * 53) % 64 - 31.5) / 32 for k in range(count)]


def setup() -> tuple[dict[str, Form], list[dict[str, Form]]]:
    sizes = {"first.weight": [3, 4], "first.bias": [4], "second.weight": [4, 2], "second.bias": [2]}
    initial = {
        name: {"sizes": shape, "values": wave(math.prod(shape), phase)} for phase, (name, shape) in enumerate(sizes.items())
    }
    batches = [
        {"x": {"sizes": [5, 3], "values": wave(15, 7 + k)}, "y": {"sizes": [5, 2], "values": wave(10, 20 + k)}}
        for k in range(4)
    ]
    return initial, batches


def tensor(form: Form) -> Tensor:
    return torch.tensor(form["values"], dtype=torch.float64).reshape(form["sizes"])


def torch_settings(kind: str, settings: Form) -> Form:
    result = {TORCH_NAMES.get(name, name): value for name, value in settings.items() if not name.startswith("beta")}
    if "beta1" in settings or "beta2" in settings:
        result["betas"] = (settings.get("beta1", 0.9), settings.get("beta2", 0.999))
    return result


def make_optimizer(case: Form, parameters: dict[str, Tensor]) -> torch.optim.Optimizer:
    groups = []
    for name, parameter in parameters.items():
        group = next((g for g in case.get("groups", []) if fnmatchcase(name, g["match"])), {})
        if group.get("frozen"):
            parameter.requires_grad_(False)
            continue
        settings = torch_settings(case["kind"], case["settings"] | group.get("settings", {}))
        settings["lr"] *= group.get("learning_rate_factor", 1)
        groups.append({"params": [parameter], **settings})
    return TORCH_KINDS[case["kind"]](groups, **torch_settings(case["kind"], case["settings"]))


def make_schedule(case: Form, optimizer: torch.optim.Optimizer) -> Any:
    form = case.get("schedule", {"kind": "constant", "settings": {}})
    settings, kinds = form["settings"], torch.optim.lr_scheduler
    rate = case["settings"]["learning_rate"]
    gamma = settings.get("gamma")
    make = {
        "constant": lambda: kinds.ConstantLR(optimizer, factor=1, total_iters=0),
        "step": lambda: kinds.StepLR(optimizer, settings["period"], gamma),
        "multi_step": lambda: kinds.MultiStepLR(optimizer, settings["milestones"], gamma),
        "exponential": lambda: kinds.ExponentialLR(optimizer, gamma),
        "cosine": lambda: kinds.CosineAnnealingLR(
            optimizer, settings["steps"], eta_min=rate * settings.get("minimum", 0)
        ),
        "polynomial": lambda: kinds.PolynomialLR(optimizer, settings["steps"], settings["power"]),
        "one_cycle": lambda: kinds.OneCycleLR(
            optimizer,
            max_lr=rate,
            total_steps=settings["steps"],
            pct_start=settings["rise"],
            div_factor=settings["start_divisor"],
            cycle_momentum=False,
        ),
        "plateau": lambda: kinds.ReduceLROnPlateau(
            optimizer,
            factor=gamma,
            patience=settings["patience"],
            threshold=settings["threshold"],
            cooldown=settings["cooldown"],
            min_lr=rate * settings["minimum"],
        ),
    }[form["kind"]]
    warmup = settings.get("warmup", 0)
    if warmup == 0:
        return make()
    rise = kinds.LinearLR(optimizer, start_factor=settings["warmup_start"], total_iters=warmup)
    return kinds.SequentialLR(optimizer, [rise, make()], milestones=[warmup])


class Mean:
    """The mean of the weights that is kept beside them."""

    def __init__(self, form: Form, parameters: dict[str, Tensor]) -> None:
        self._decay, self._warmup, self._count = form["decay"], form.get("warmup", False), 0
        self.values = {name: value.detach().clone() for name, value in parameters.items()}

    def update(self, parameters: dict[str, Tensor]) -> None:
        decay = min(self._decay, (1 + self._count) / (10 + self._count)) if self._warmup else self._decay
        self._count += 1
        for name, value in parameters.items():
            self.values[name].mul_(decay).add_(value.detach(), alpha=1 - decay)


def rounded(values: Tensor) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.detach().flatten().tolist()]


def train(case: Form, initial: dict[str, Form], batches: list[dict[str, Form]]) -> Form:
    parameters = {name: tensor(form).requires_grad_() for name, form in initial.items()}
    optimizer = make_optimizer(case, parameters)
    schedule = make_schedule(case, optimizer)
    trained = [p for p in parameters.values() if p.requires_grad]
    mean = Mean(case["ema"], parameters) if "ema" in case else None
    micro_batches = case.get("accumulate", 1)
    losses: list[float] = []
    for step in range(STEPS):
        batch = batches[step % len(batches)]
        hidden = torch.tanh(tensor(batch["x"]) @ parameters["first.weight"] + parameters["first.bias"])
        output = hidden @ parameters["second.weight"] + parameters["second.bias"]
        loss = ((output - tensor(batch["y"])) ** 2).mean()
        losses.append(float(loss.detach()))
        (loss / micro_batches).backward()
        if (step + 1) % micro_batches != 0:
            continue
        if "clip_norm" in case:
            torch.nn.utils.clip_grad_norm_(trained, case["clip_norm"])
        if "clip_value" in case:
            torch.nn.utils.clip_grad_value_(trained, case["clip_value"])
        optimizer.step()
        optimizer.zero_grad()
        if case.get("schedule", {}).get("kind") == "plateau":
            schedule.step(losses[-1])
        else:
            schedule.step()
        if mean is not None:
            mean.update(parameters)
    result: Form = {
        "losses": rounded(torch.tensor(losses[SHOWN - 1 :: SHOWN], dtype=torch.float64)),
        "final": {name: rounded(value) for name, value in parameters.items()},
    }
    if mean is not None:
        result["means"] = {name: rounded(value) for name, value in mean.values.items()}
    return result


def make() -> Form:
    initial, batches = setup()
    return {
        "about": "y = tanh(x first.weight + first.bias) second.weight + second.bias; loss: the mean of squares. "
        "Made by tools/peers/optimizers.py with PyTorch " + torch.__version__,
        "steps": STEPS,
        "shown": SHOWN,
        "initial": initial,
        "batches": batches,
        "cases": [case | train(case, initial, batches) for case in CASES],
    }


def text_of(form: Form) -> str:
    """JSON with a line for each case, so that a change shows what changed."""
    cases = ",\n".join(json.dumps(case) for case in form["cases"])
    return json.dumps({**form, "cases": []}).removesuffix("]}") + "\n" + cases + "\n]}\n"


def numbers(form: Any) -> list[float]:
    if isinstance(form, dict):
        return [number for key in sorted(form) for number in numbers(form[key])]
    if isinstance(form, list):
        return [number for each in form for number in numbers(each)]
    return [float(form)] if isinstance(form, (int, float)) else []


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers.optimizers", description="Trajectories of optimisers in PyTorch.")
    parser.add_argument("file", type=Path, help="the trajectories that the unit tests follow")
    parser.add_argument("--write", action="store_true", help="make the file")
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # so that sums run in one order
    warnings.filterwarnings("ignore")  # of what PyTorch may mean one day
    made = make()
    if arguments.write:
        arguments.file.write_text(text_of(made), encoding="utf-8")
        return 0
    stored = json.loads(arguments.file.read_text(encoding="utf-8"))
    failed = 0
    if [case["name"] for case in stored["cases"]] != [case["name"] for case in made["cases"]]:
        print(f"{arguments.file} holds other trajectories; make it anew with --write")
        return 1
    for case, again in zip(stored["cases"], made["cases"]):
        ours, theirs = numbers(case), numbers(again)
        if len(ours) != len(theirs) or any(abs(a - b) > BOUND * max(1, abs(b)) for a, b in zip(ours, theirs)):
            print(f"{arguments.file}: the trajectory {case['name']} is not what PyTorch gives")
            failed += 1
    print(f"{len(made['cases']) - failed} of {len(made['cases'])} trajectories of optimisers are those of PyTorch")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
