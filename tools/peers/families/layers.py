"""Layers: linear ones, embeddings, feed-forward parts, dropout."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter


def linear(call: Call) -> Tensor:
    weight = call.variables["weight"]
    transposed = call.attrs.get("transposed", False)
    return F.linear(call.x, weight if transposed else weight.t(), call.variables.get("bias"))


adapter("nn.Linear")(linear)


@adapter("nn.Bilinear")
def bilinear(call: Call) -> Tensor:
    return F.bilinear(call.x, call[1], call.variables["weight"], call.variables.get("bias"))


@adapter("nn.Embedding")
def embedding(call: Call) -> Tensor:
    indices = call.x.long()
    weight = call.variables["weight"]
    return F.embedding(torch.where(indices < 0, indices + weight.shape[0], indices), weight)


def masked(x: Tensor, call: Call, path: str, ratio: float) -> Tensor:
    """Dropout with the mask that ASG drew: which elements go is its own affair, what becomes of the rest is not."""
    mask = call.randoms.get(path)
    if not call.training or ratio == 0 or mask is None:
        return x
    return torch.where(mask.bool(), x / (1 - ratio), torch.zeros_like(x)) if ratio < 1 else x * 0


@adapter("nn.Dropout")
def dropout(call: Call) -> Tensor:
    return masked(call.x, call, "mask", call.attrs["ratio"]).clone()


@adapter("nn.SpatialDropout")
def spatial_dropout(call: Call) -> Tensor:
    mask = call.randoms.get("mask")
    if not call.training or mask is None:
        return call.x.clone()
    ratio = call.attrs["ratio"]
    return call.x * mask.to(call.x.dtype) / (1 - ratio) if ratio < 1 else call.x * 0


@adapter("nn.FeedForward")
def feed_forward(call: Call) -> Tensor:
    assert call.run_op is not None
    expanded = linear(call.layer("expand", [call.x]))
    gated = bool(call.attrs.get("gated"))
    gate = linear(call.layer("gate", [call.x])) if gated else expanded
    activation, form = call.attrs.get("activation", "Gelu"), call.attrs.get("approximate", "none")
    hidden = F.gelu(gate, approximate=form) if activation == "Gelu" else call.run_op(activation, [gate])
    hidden = hidden * expanded if gated else hidden
    hidden = masked(hidden, call, "dropout/mask", call.attrs.get("dropout", 0.0))
    return linear(call.layer("contract", [hidden]))


@adapter("nn.Flatten")
def flatten(call: Call) -> Tensor:
    return torch.flatten(call.x, call.attrs.get("start_axis", call.attrs.get("axis", 1))).clone()
