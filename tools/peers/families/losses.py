"""Losses."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter


@adapter("loss.CrossEntropy")
def cross_entropy(call: Call) -> Tensor:
    logits, labels = call.inputs[:2]
    options = {"reduction": call.attrs["reduction"]}
    if "label_smoothing" in call.attrs:
        options["label_smoothing"] = call.attrs["label_smoothing"]
    if "ignore_index" in call.attrs:
        options["ignore_index"] = call.attrs["ignore_index"]
    if call.get(2) is not None:
        options["weight"] = call[2]
    if logits.dim() > 1:
        logits = logits.movedim(-1, 1)
    return F.cross_entropy(logits, labels.long(), **options)


@adapter("loss.MeanSquaredError")
def mean_squared_error(call: Call) -> Tensor:
    return F.mse_loss(*call.inputs, reduction=call.attrs["reduction"])
