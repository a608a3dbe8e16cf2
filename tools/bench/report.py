"""build/bench.json and docs/benchmarks.md"""

from __future__ import annotations

import json
from pathlib import Path

from bench import peers
from bench.measure import ROUNDS, Bench, Result

HEAD = (
    "| workload | ours, ms (threads) | PyTorch, ms (threads) | times as fast | ONNX Runtime, ms (threads) | limit, ms "
    "| share of the limit | our peak, MB | PyTorch's peak, MB | our plan, MB | our compile, s |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
)

METHOD = """
## How it is measured

- **Workloads.** [bench/engine/workloads.cpp](../bench/engine/workloads.cpp) describes them, [tools/bench/models.py](../tools/bench/models.py) says the same in
  PyTorch. All are in f32 and without dropout. A training step is forward, loss, gradient and update of all parameters.
- **Same numbers.** All contenders begin with the same weights and see the same batch. Before anything is timed they take ten steps; what comes out
  (the loss, or the mean square of the output) differs by {difference:.0e} at most, relative.
- **Time.** Every contender is a process of its own that is ready before the first turn. All take turns of about half a second, {rounds} of them, ours and
  the peers on 1 and on 2 threads; the first step of a turn does not count. The time of a contender is the median of its steps. Of its two thread
  counts the better one stands in the table.
- **Limit.** The floating-point operations in the products and convolutions of a step (2mnk each; gradients by weights and, where they are needed, by
  inputs; all scores of attention, masked or not; nothing counted twice that is computed twice) divided by the best rate of this machine: the largest
  median of oneDNN's product of square matrices of 512, 1024 and 2048 rows on 2 threads, under our thread pool and under its own, before and after each
  workload. Of workload f it is one `memcpy` of its array.
- **Memory.** The most that was resident after ten steps, less what was resident before the model was made.
  The plan is the arena of all temporaries; variables are not in it.
- **Compile.** In a fresh process, from the graph of the model to a step that is ready: gradient, updates, compile.
"""


def form(result: Result) -> dict[str, object]:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 4)

    return {
        "workload": result.workload.name,
        "ours_ms": rounded(result.milliseconds("ours")),
        "ours_threads": result.threads("ours"),
        "torch_ms": rounded(result.milliseconds("torch")),
        "torch_threads": result.threads("torch"),
        "ort_ms": rounded(result.milliseconds("ort")),
        "limit_ms": rounded(result.limit_ms),
        "ours_peak_mb": rounded(result.told("ours", "peak_mb")),
        "torch_peak_mb": rounded(result.told("torch", "peak_mb")),
    }


def write_json(results: list[Result], path: Path) -> None:
    path.write_text(json.dumps([form(result) for result in results], indent=1) + "\n", encoding="utf-8")


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _timed(result: Result, side: str) -> str:
    time = result.milliseconds(side)
    return "–" if time is None else f"{_number(time)} ({result.threads(side)})"


def _row(result: Result) -> str:
    cells = [
        f"**{result.workload.name}** {result.workload.words}",
        _timed(result, "ours"),
        _timed(result, "torch"),
        _number(result.ratio),
        _timed(result, "ort"),
        _number(result.limit_ms),
        f"{result.share:.0%}",
        _number(result.told("ours", "peak_mb")),
        _number(result.told("torch", "peak_mb")),
        _number(result.told("ours", "plan_mb")),
        _number(result.told("ours", "compile_s")),
    ]
    return "| " + " | ".join(cells) + " |\n"


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    kilobytes = int(Path("/proc/meminfo").read_text(encoding="utf-8").split()[1])
    return f"{names[0]}, {len(names)} cores, {kilobytes / 1e6:.0f} GB of memory"


def table(results: list[Result]) -> str:
    return HEAD + "".join(_row(result) for result in results)


def page(results: list[Result], bench: Bench) -> str:
    rates = sorted(result.rate for result in results)
    peer_words = [f"PyTorch {peers.torch_version()} of Debian with {results[0].told('torch', 'blas')}"]
    if isinstance(bench.onnx_runtime, peers.OnnxRuntime):
        peer_words.append(f"ONNX Runtime (npm {peers.PACKAGE}) for the forward pass")
    return (
        "# Benchmarks\n\n"
        "Written by `make bench`; `make bench ONLY=a,d` measures some and leaves this page alone.\n\n"
        f"Machine: {_machine()}. Limit: {rates[0]:.0f} to {rates[-1]:.0f} GFLOP/s on 2 threads over the run.\n"
        f"Peers: {', '.join(peer_words)}.\n\n"
        + table(results)
        + METHOD.format(rounds=ROUNDS, difference=max(result.difference for result in results))
    )
