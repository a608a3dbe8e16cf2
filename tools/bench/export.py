"""Writes GPT-2, with the weights that all contenders have, as an ONNX file: python3 -m bench.export FILE."""

from __future__ import annotations

import sys
import warnings

import torch

from bench import models


def main() -> None:
    warnings.filterwarnings("ignore")
    model = models.model_of("e").eval()
    tokens = models.batch_of("e").inputs
    with torch.no_grad():
        torch.onnx.export(model, tokens, sys.argv[1], input_names=["tokens"], output_names=["logits"], opset_version=14)


if __name__ == "__main__":
    main()
