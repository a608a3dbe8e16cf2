"""python3 -m peers.exchange PROGRAM

Reads the safetensors files and the checkpoint that ASG writes, and writes one for ASG to read. The format is taken apart
here from its description alone, with json, struct, NumPy and PyTorch.
"""

from __future__ import annotations

import json
import math
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch

# PyTorch 1.13 has no unsigned integers of more than 8 bits; those go through NumPy.
TORCH = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
NUMPY = {"U16": np.uint16, "U32": np.uint32, "U64": np.uint64}
OURS = {
    "F64": "f64", "F32": "f32", "F16": "f16", "BF16": "bf16", "I64": "i64", "I32": "i32", "I16": "i16", "I8": "i8",
    "U64": "u64", "U32": "u32", "U16": "u16", "U8": "u8", "BOOL": "bool",
}  # fmt: skip


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def width_of(dtype: str) -> int:
    return NUMPY[dtype]().nbytes if dtype in NUMPY else torch.zeros((), dtype=TORCH[dtype]).element_size()


def read(path: Path) -> tuple[dict[str, tuple[str, list[int], bytes]], dict[str, str]]:
    """Name → dtype, shape and bytes, and the metadata. Fails on what the format forbids."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    demand(length <= 100_000_000 and 8 + length <= len(content), "length of the header")
    header = json.loads(content[8 : 8 + length])
    data = content[8 + length :]
    metadata = header.pop("__metadata__", {})
    demand(all(isinstance(value, str) for value in metadata.values()), "metadata of texts")
    tensors = {}
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        demand(set(entry) == {"dtype", "shape", "data_offsets"}, f"fields of {name}")
        first, last = entry["data_offsets"]
        demand(first == end, f"{name} begins where the one before ends")
        demand(last - first == math.prod(entry["shape"]) * width_of(entry["dtype"]), f"size of {name}")
        demand((8 + length + first) % width_of(entry["dtype"]) == 0, f"{name} is aligned")
        tensors[name] = (entry["dtype"], entry["shape"], data[first:last])
        end = last
    demand(end == len(data), "tensors fill the file")
    return tensors, metadata


def values_of(dtype: str, content: bytes) -> list[Any]:
    if dtype in NUMPY:
        return np.frombuffer(content, dtype=NUMPY[dtype]).tolist()
    return torch.frombuffer(bytearray(content), dtype=TORCH[dtype]).tolist() if content else []


def expected(dtype: str, count: int) -> list[Any]:
    """What tools/exchange writes."""
    if dtype in ("F64", "F32", "F16", "BF16"):
        return [k * 0.5 - 1 for k in range(count)]
    if dtype == "BOOL":
        return [k % 2 == 1 for k in range(count)]
    return [k - 3 if dtype.startswith("I") else k for k in range(count)]


def check_ours(path: Path) -> int:
    tensors, metadata = read(path)
    demand(metadata == {"written by": 'ASG — "exchange"'}, "metadata")
    demand({dtype for dtype, _, _ in tensors.values()} == set(OURS), "every dtype")
    for name, (dtype, shape, content) in tensors.items():
        demand(name == f"{OURS[dtype]}[{', '.join(map(str, shape))}]", f"type of {name}")
        demand(values_of(dtype, content) == expected(dtype, math.prod(shape)), f"values of {name}")
    return len(tensors)


def check_checkpoint(run: Path) -> int:
    best = json.loads((run / "best.json").read_text())
    demand(best["checkpoint"] == "step-00000003" and best["value"] == 0.25, "best.json")
    folder = run / best["checkpoint"]
    text = (folder / "manifest.json").read_bytes()
    manifest = json.loads(text)
    before = text[: text.rindex(b'"crc32_of_the_text_before"')]
    demand(f"{zlib.crc32(before):08x}" == manifest["crc32_of_the_text_before"], "checksum of the manifest")
    demand(manifest["steps"] == 3 and manifest["extras"] == {"epoch": 1}, "what the manifest says")
    found = 0
    for name, entry in manifest["files"].items():
        content = (folder / name).read_bytes()
        demand(len(content) == entry["bytes"] and f"{zlib.crc32(content):08x}" == entry["crc32"], f"checksum of {name}")
        if not name.endswith(".safetensors"):
            continue
        tensors, _ = read(folder / name)
        demand([each["name"] for each in manifest["tensors"][name]] != [] and
               {each["name"] for each in manifest["tensors"][name]} == set(tensors), f"table of {name}")
        found += len(tensors)
    variables, _ = read(folder / "variables.safetensors")
    demand(variables["head.weight"][:2] == ("F32", [3, 2]), "head.weight")
    optimizer, _ = read(folder / "optimizer.safetensors")
    demand(optimizer["mean/head.weight"][:2] == ("F32", [3, 2]), "mean/head.weight")
    return found


def theirs() -> tuple[bytes, dict[str, tuple[str, list[int], bytes]]]:
    """A file in the order of the names, so that some tensors are not aligned, with odd values in it."""
    generator = torch.Generator().manual_seed(3)
    tensors = {}
    for number, dtype in enumerate(sorted(OURS)):
        for shape in ([], [5], [2, 0], [2, 3, 1]):
            count = math.prod(shape)
            raw = torch.randint(0, 256, (count * width_of(dtype),), generator=generator, dtype=torch.uint8)
            if dtype == "BOOL":
                raw %= 2
            tensors[f"{number}/{dtype}{shape} ж"] = (dtype, shape, bytes(raw.tolist()))
    odd = torch.tensor([math.nan, math.inf, -math.inf, -0.0, 1e-45])
    tensors["odd"] = ("F32", [5], odd.numpy().tobytes())
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + len(content)]}
        end += len(content)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + b"".join(content for _, _, content in tensors.values()), tensors


def check_theirs(program: Path, folder: Path) -> int:
    content, tensors = theirs()
    path = folder / "theirs.safetensors"
    path.write_bytes(content)
    answer = subprocess.run([program, "read", path], check=True, capture_output=True, text=True).stdout
    told = json.loads(answer)
    demand(told["metadata"] == {"format": "pt"}, "metadata that ASG read")
    demand(set(told["tensors"]) == set(tensors), "tensors that ASG read")
    for name, (dtype, shape, raw) in tensors.items():
        entry = told["tensors"][name]
        demand(entry["type"] == f"{OURS[dtype]}[{', '.join(map(str, shape))}]", f"type that ASG read in {name}")
        demand(bytes.fromhex(entry["bytes"]) == raw, f"bytes that ASG read in {name}")
    return len(tensors)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([program, "write", folder], check=True)
        ours = check_ours(folder / "ours.safetensors")
        saved = check_checkpoint(folder / "run")
        read_by_asg = check_theirs(program, folder)
    print(f"safetensors: {ours} tensors of ASG and {saved} of its checkpoint read by Python, {read_by_asg} of PyTorch read by ASG")
    return 0


if __name__ == "__main__":
    sys.exit(main())
