"""What scikit-learn and NumPy say about small inputs, kept in a file that the tests of ASG's metrics read.

python3 -m peers.metrics FILE [--write]

Without --write it computes everything again and fails where the file says otherwise.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.metrics as sk

BOUND = 1e-12
Case = dict[str, Any]


def array(values: np.ndarray) -> dict[str, Any]:
    kind = "f64" if values.dtype.kind == "f" else "i64"
    return {"dtype": kind, "sizes": list(values.shape), "values": values.ravel().tolist()}


def case(metric: str, settings: dict[str, Any], first: np.ndarray, second: np.ndarray | None, value: float,
         more: dict[str, float] | None = None) -> Case:
    inputs = [array(first)] + ([] if second is None else [array(second)])
    figures = {name: float(figure) for name, figure in (more or {}).items()}
    return {"metric": metric, "settings": settings, "inputs": inputs, "value": float(value), "more": figures}


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def class_cases(random: np.random.RandomState) -> list[Case]:
    scores = np.round(random.normal(size=(40, 5)), 4)
    labels = random.randint(0, 4, size=40)  # class 4 is never right
    scores[np.arange(40), labels] += 0.75
    scores = np.round(scores, 4)
    chosen = scores.argmax(axis=1)
    cases = [case("accuracy", {}, scores, labels, sk.accuracy_score(labels, chosen)),
             case("accuracy", {}, chosen, labels, sk.accuracy_score(labels, chosen)),
             case("confusion_matrix", {}, scores, labels, sk.accuracy_score(labels, chosen))]
    kept = labels != 2
    cases.append(case("accuracy", {"ignore_index": 2}, scores, labels, sk.accuracy_score(labels[kept], chosen[kept])))
    for k in (1, 2, 3, 5):
        cases.append(case("top_k_accuracy", {"k": k}, scores, labels,
                          sk.top_k_accuracy_score(labels, scores, k=k, labels=range(5)) if k < 5 else 1.0))
    named = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}
    for name, score in named.items():
        each = score(labels, chosen, labels=range(5), average=None, zero_division=0)
        more = {f"{name}/class_{index}": figure for index, figure in enumerate(each)}
        for average in ("macro", "micro", "weighted"):
            value = score(labels, chosen, average=average, zero_division=0)
            cases.append(case(name, {"average": average}, scores, labels, value, more))
        # Classes 5 and 6 exist and are never met: they are left out of the mean.
        cases.append(case(name, {"classes": 7}, chosen, labels, score(labels, chosen, average="macro", zero_division=0)))
        probabilities = np.round(random.uniform(size=30), 3)
        truth = (probabilities + random.normal(scale=0.3, size=30) > 0.6).astype(np.int64)
        for threshold in (0.5, 0.7):
            cases.append(case(name, {"average": "binary", "threshold": threshold}, probabilities, truth,
                              score(truth, probabilities > threshold)))
        cases.append(case(name, {"average": "binary", "positive": 0}, probabilities, truth,
                          score(truth, probabilities > 0.5, pos_label=0)))
    return cases


def ranking_cases(random: np.random.RandomState) -> list[Case]:
    cases = []
    for digits in (6, 1, 0):  # fewer digits, more ties
        truth = random.randint(0, 2, size=60)
        scores = np.round(truth * 0.8 + random.normal(size=60), digits)
        cases.append(case("roc_auc", {}, scores, truth, sk.roc_auc_score(truth, scores)))
    equal = np.full(10, 0.5)
    cases.append(case("roc_auc", {}, equal, np.arange(10) % 2, 0.5))
    labels = random.randint(0, 4, size=80)
    scores = np.round(random.normal(size=(80, 4)), 1)
    scores[np.arange(80), labels] += 0.9
    probabilities = softmax(scores)
    each = [sk.roc_auc_score(labels == index, probabilities[:, index]) for index in range(4)]
    more = {f"roc_auc/class_{index}": figure for index, figure in enumerate(each)}
    for average in ("macro", "weighted"):
        value = sk.roc_auc_score(labels, probabilities, multi_class="ovr", average=average)
        cases.append(case("roc_auc", {"average": average}, probabilities, labels, value, more))
    return cases


def regression_cases(random: np.random.RandomState) -> list[Case]:
    named = {
        "mse": sk.mean_squared_error,
        "rmse": lambda truth, found, **more: sk.mean_squared_error(truth, found, squared=False, **more),
        "mae": sk.mean_absolute_error,
        "r2": sk.r2_score,
        "mape": sk.mean_absolute_percentage_error,
        "explained_variance": sk.explained_variance_score,
    }
    truth = np.round(random.normal(loc=3, size=25), 4)
    found = np.round(truth + 0.3 + random.normal(scale=0.5, size=25), 4)
    far = truth + 1e6  # the variance must not drown in the mean
    constant = np.full(6, 2.0)
    wide_truth = np.round(random.normal(size=(12, 3)) * [1, 5, 20], 4)
    wide_found = np.round(wide_truth + random.normal(size=(12, 3)), 4)
    cases = []
    for name, score in named.items():
        cases.append(case(name, {}, found, truth, score(truth, found)))
        cases.append(case(name, {}, found + 1e6, far, score(far, found + 1e6)))
        cases.append(case(name, {}, constant, constant, score(constant, constant)))
        cases.append(case(name, {}, constant + 0.5, constant, score(constant, constant + 0.5)))
        each = score(wide_truth, wide_found, multioutput="raw_values")
        more = {f"{name}/output_{index}": figure for index, figure in enumerate(each)}
        cases.append(case(name, {}, wide_found, wide_truth, score(wide_truth, wide_found), more))
        cases.append(case(name, {"outputs": "flat"}, wide_found, wide_truth,
                          score(wide_truth.ravel(), wide_found.ravel())))
    cases.append(case("max_error", {}, found, truth, sk.max_error(truth, found)))
    cases.append(case("max_error", {}, wide_found, wide_truth, sk.max_error(wide_truth.ravel(), wide_found.ravel())))
    return cases


def value_cases(random: np.random.RandomState) -> list[Case]:
    values = np.round(random.normal(loc=1e4, size=30), 3)
    weights = random.randint(0, 4, size=30).astype(np.float64)
    repeated = np.repeat(values, weights.astype(int))
    cases = [
        case("mean", {}, values, None, values.mean()),
        case("mean", {}, values, weights, repeated.mean()),
        case("std", {}, values, None, values.std()),
        case("std", {"ddof": 1}, values, None, values.std(ddof=1)),
        case("std", {"ddof": 1}, values, weights, repeated.std(ddof=1)),
        case("min", {}, values, None, values.min()),
        case("max", {}, values, None, values.max()),
    ]
    for decay in (0.0, 0.5, 0.9, 0.99):
        powers = decay ** np.arange(len(values))[::-1] if decay > 0 else np.eye(len(values))[-1]
        cases.append(case("ema", {"decay": decay}, values, None, (powers * values).sum() / powers.sum()))
    logits = np.round(random.normal(size=(4, 6, 8)) * 3, 4)
    labels = random.randint(0, 8, size=(4, 6))
    loss = sk.log_loss(labels.ravel(), softmax(logits).reshape(-1, 8), labels=range(8), eps=1e-300)
    cases.append(case("perplexity", {}, logits, labels, math.exp(loss)))
    cases.append(case("perplexity", {"axis": 1}, np.ascontiguousarray(logits.transpose(0, 2, 1)), labels, math.exp(loss)))
    cases.append(case("perplexity", {"input": "probabilities"}, softmax(logits), labels, math.exp(loss)))
    return cases


def logit_cases(random: np.random.RandomState) -> list[Case]:
    settings = {"input": "logits"}
    truth = random.randint(0, 2, size=50)
    # A common term of both scores says nothing, and the score of class 1 alone would be ranked by it.
    pairs = np.round(random.normal(size=(50, 2)) + random.normal(scale=5, size=(50, 1)), 4)
    pairs[np.arange(50), truth] += 0.7
    cases = [case("roc_auc", settings, pairs, truth, sk.roc_auc_score(truth, softmax(pairs)[:, 1]))]
    labels = random.randint(0, 3, size=60)
    scores = np.round(random.normal(size=(60, 3)) + random.normal(scale=4, size=(60, 1)), 4)
    scores[np.arange(60), labels] += 0.9
    probabilities = softmax(scores)
    more = {f"roc_auc/class_{index}": sk.roc_auc_score(labels == index, probabilities[:, index]) for index in range(3)}
    for average in ("macro", "weighted"):
        value = sk.roc_auc_score(labels, probabilities, multi_class="ovr", average=average)
        cases.append(case("roc_auc", {**settings, "average": average}, scores, labels, value, more))
    one = np.round(random.normal(size=40) + 0.3, 4)
    truth = (one + random.normal(size=40) > 0).astype(np.int64)
    cases.append(case("roc_auc", settings, one, truth, sk.roc_auc_score(truth, one)))
    cases.append(case("accuracy", settings, one, truth, sk.accuracy_score(truth, one > 0)))
    cases.append(case("f1", {**settings, "average": "binary"}, one, truth, sk.f1_score(truth, one > 0)))
    return cases


def all_cases() -> list[Case]:
    random = np.random.RandomState(20)
    return [*class_cases(random), *ranking_cases(random), *regression_cases(random), *value_cases(random),
            *logit_cases(np.random.RandomState(21))]


def differs(ours: Case, theirs: Case) -> bool:
    if any(ours[key] != theirs[key] for key in ("metric", "settings", "inputs")) or ours["more"].keys() != theirs["more"].keys():
        return True
    pairs = [(ours["value"], theirs["value"]), *((ours["more"][name], theirs["more"][name]) for name in ours["more"])]
    return any(abs(a - b) > BOUND * max(1, abs(b)) for a, b in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers.metrics", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true", help="write the file instead of checking it")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")  # of figures that are undefined on purpose
    cases = all_cases()
    if arguments.write:
        arguments.file.write_text("".join(json.dumps(each) + "\n" for each in cases), encoding="utf-8")
        print(f"{len(cases)} cases written")
        return 0
    kept = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines()]
    wrong = [f"{index + 1}: {new['metric']} {new['settings']}"
             for index, (old, new) in enumerate(zip(kept, cases)) if differs(old, new)]
    for line in wrong:
        print(f"{arguments.file}:{line} differs from what scikit-learn says now")
    if len(kept) != len(cases):
        wrong.append("")
        print(f"{arguments.file} holds {len(kept)} cases, there are {len(cases)}")
    print(f"metrics: {len(cases) - len(wrong)} of {len(cases)} cases are what scikit-learn says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
