"""Attention and transformer blocks."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter
from peers.families.layers import feed_forward, linear, masked
from peers.families.norms import layer_norm_layer


def _hidden(call: Call, mask: Tensor | None, heads: int, query: Tensor, key: Tensor) -> Tensor | None:
    """True where looking is forbidden, [batch · heads, length, other length], as PyTorch has it."""
    shape = (query.shape[0], heads, query.shape[1], key.shape[1])
    hidden = torch.zeros(shape, dtype=torch.bool)
    if call.attrs.get("causal"):
        hidden = hidden | torch.ones(shape[2:], dtype=torch.bool).triu(1)
    if mask is not None:
        hidden = hidden | ~mask.broadcast_to(shape)
    return hidden.reshape(-1, *shape[2:]) if bool(hidden.any()) else None


def _by_pytorch(call: Call, query: Tensor, key: Tensor, value: Tensor, hidden: Tensor | None) -> Tensor:
    parts = {name: call.layer(f"{name}_projection", []).variables for name in ("query", "key", "value", "output")}
    biases = [parts[name].get("bias") for name in ("query", "key", "value")]
    joint = None if biases[0] is None else torch.cat(biases)
    result, _ = F.multi_head_attention_forward(
        query.transpose(0, 1),
        key.transpose(0, 1),
        value.transpose(0, 1),
        query.shape[-1],
        call.attrs["heads"],
        None,
        joint,
        None,
        None,
        False,
        0.0,
        parts["output"]["weight"].t(),
        parts["output"].get("bias"),
        training=call.training,
        need_weights=False,
        attn_mask=hidden,
        use_separate_proj_weight=True,
        q_proj_weight=parts["query"]["weight"].t(),
        k_proj_weight=parts["key"]["weight"].t(),
        v_proj_weight=parts["value"]["weight"].t(),
    )
    return result.transpose(0, 1)


def _by_hand(call: Call, query: Tensor, key: Tensor, value: Tensor, hidden: Tensor | None) -> Tensor:
    """With the mask of a dropout between the weights and the values, which PyTorch cannot be given."""
    heads = call.attrs["heads"]

    def split(x: Tensor) -> Tensor:
        return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    q, k, v = (
        split(linear(call.layer(f"{name}_projection", [x])))
        for name, x in (("query", query), ("key", key), ("value", value))
    )
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden.reshape(scores.shape), -math.inf)
    weights = masked(torch.softmax(scores, -1), call, "dropout/mask", call.attrs.get("dropout", 0.0))
    mixed = (weights @ v).transpose(1, 2).reshape(query.shape[0], query.shape[1], -1)
    return linear(call.layer("output_projection", [mixed]))


@adapter("nn.MultiHeadAttention")
def multi_head_attention(call: Call) -> Tensor:
    query = call.x
    key = query if call.get(1) is None else call[1]
    value = key if call.get(2) is None else call[2]
    hidden = _hidden(call, call.get(3), call.attrs["heads"], query, key)
    compute = _by_hand if call.training and call.attrs.get("dropout") else _by_pytorch
    return compute(call, query, key, value, hidden)


@adapter("nn.TransformerBlock")
def transformer_block(call: Call) -> Tensor:
    attrs = call.attrs

    def norm(name: str, x: Tensor) -> Tensor:
        return layer_norm_layer(call.layer(name, [x]))

    def attend(x: Tensor) -> Tensor:
        inner = {"heads": attrs["heads"], "causal": attrs["causal"], "dropout": attrs["dropout"]}
        return multi_head_attention(call.layer("attention", [x, None, None, call.get(1)], **inner))

    def think(x: Tensor) -> Tensor:
        inner = {"activation": attrs["activation"], "dropout": attrs["dropout"]}
        return feed_forward(call.layer("feed_forward", [x], **inner))

    if attrs["norm_first"]:
        y = call.x + attend(norm("norm_1", call.x))
        return y + think(norm("norm_2", y))
    y = norm("norm_1", call.x + attend(call.x))
    return norm("norm_2", y + think(y))
