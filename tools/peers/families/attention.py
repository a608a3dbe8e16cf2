"""Attention, transformer blocks and their stacks."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter
from peers.families.layers import feed_forward, linear, masked
from peers.families.norms import layer_norm_layer, rms_norm
from peers.formulas.positions import slopes


def _added(call: Call, mask: Tensor | None, query: Tensor, key: Tensor) -> Tensor | None:
    """What is added to the scores, [batch, heads, length, other length]: −∞ where looking is forbidden."""
    heads, length, other = call.attrs["heads"], query.shape[1], key.shape[1]
    added = torch.zeros(query.shape[0], heads, length, other, dtype=query.dtype)
    if call.attrs.get("positions") == "alibi":
        distance = (torch.arange(length)[:, None] - torch.arange(other)).abs().to(query.dtype)
        added = added - torch.tensor(slopes(heads), dtype=query.dtype)[:, None, None] * distance
    if call.attrs.get("causal"):
        added = added.masked_fill(torch.ones(length, other, dtype=torch.bool).triu(1), -math.inf)
    if mask is not None:
        added = added.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else added + mask
    return added if added.requires_grad or bool(added.ne(0).any()) else None


def _by_pytorch(call: Call, query: Tensor, key: Tensor, value: Tensor, added: Tensor | None) -> Tensor:
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
        attn_mask=None if added is None else added.reshape(-1, *added.shape[2:]),
        use_separate_proj_weight=True,
        q_proj_weight=parts["query"]["weight"].t(),
        k_proj_weight=parts["key"]["weight"].t(),
        v_proj_weight=parts["value"]["weight"].t(),
    )
    return result.transpose(0, 1)


def _rotated(x: Tensor, base: float) -> Tensor:
    """Pairs of features as complex numbers, turned by their position."""
    half = x.shape[-1] // 2
    rates = base ** (-torch.arange(half).to(x.dtype) / half)
    angles = torch.arange(x.shape[-2]).to(x.dtype)[:, None] * rates
    turned = torch.complex(x[..., :half], x[..., half:]) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], -1)


def _by_hand(call: Call, query: Tensor, key: Tensor, value: Tensor, added: Tensor | None) -> Tensor:
    """With what PyTorch cannot be given: the mask of a dropout, keys that several heads share, rotary codes."""
    heads = call.attrs["heads"]
    shared = call.attrs.get("key_value_heads") or heads

    def project(name: str, x: Tensor, count: int) -> Tensor:
        features = linear(call.layer(f"{name}_projection", [x]))
        return features.reshape(x.shape[0], x.shape[1], count, features.shape[-1] // count).transpose(1, 2)

    q, k, v = project("query", query, heads), project("key", key, shared), project("value", value, shared)
    if call.attrs.get("positions") == "rotary":
        base = call.attrs.get("rotary_base", 10000.0)
        q, k = _rotated(q, base), _rotated(k, base)
    k, v = (x.repeat_interleave(heads // shared, 1) for x in (k, v))
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if added is not None:
        scores = scores + added
    weights = masked(torch.softmax(scores, -1), call, "dot_product/attention/dropout", call.attrs.get("dropout", 0.0))
    mixed = (weights @ v).transpose(1, 2).reshape(query.shape)
    return linear(call.layer("output_projection", [mixed]))


@adapter("nn.MultiHeadAttention")
def multi_head_attention(call: Call) -> Tensor:
    query = call.x
    key = query if call.get(1) is None else call[1]
    value = key if call.get(2) is None else call[2]
    added = _added(call, call.get(3), query, key)
    plain = not call.attrs.get("key_value_heads") and call.attrs.get("positions") != "rotary"
    dropped = call.training and call.attrs.get("dropout")
    compute = _by_pytorch if plain and not dropped and query.numel() > 0 else _by_hand
    return compute(call, query, key, value, added)


def _norm(call: Call, name: str, x: Tensor) -> Tensor:
    inner = call.layer(name, [x], epsilon=call.attrs["epsilon"])
    return layer_norm_layer(inner) if call.attrs["norm"] == "LayerNorm" else rms_norm(inner)


def _residual(call: Call, norm: str, x: Tensor, part: Callable[[Tensor], Tensor]) -> Tensor:
    if call.attrs["norm_first"]:
        return x + part(_norm(call, norm, x))
    return _norm(call, norm, x + part(x))


def _attend(call: Call, x: Tensor, mask: Tensor | None) -> Tensor:
    names = ("heads", "key_value_heads", "causal", "positions", "rotary_base", "dropout")
    return multi_head_attention(
        call.layer("attention", [x, None, None, mask], **{name: call.attrs[name] for name in names})
    )


def _attend_to(call: Call, x: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
    inner = {name: call.attrs[name] for name in ("heads", "key_value_heads", "dropout")}
    return multi_head_attention(call.layer("cross_attention", [x, memory, None, mask], **inner))


def _think(call: Call, x: Tensor) -> Tensor:
    inner = {name: call.attrs[name] for name in ("activation", "approximate", "gated", "dropout")}
    return feed_forward(call.layer("feed_forward", [x], **inner))


@adapter("nn.TransformerBlock")
def transformer_block(call: Call) -> Tensor:
    y = _residual(call, "norm_1", call.x, lambda x: _attend(call, x, call.get(1)))
    return _residual(call, "norm_2", y, lambda x: _think(call, x))


@adapter("nn.TransformerDecoderBlock")
def transformer_decoder_block(call: Call) -> Tensor:
    y = _residual(call, "norm_1", call.x, lambda x: _attend(call, x, call.get(2)))
    y = _residual(call, "norm_2", y, lambda x: _attend_to(call, x, call[1], call.get(3)))
    return _residual(call, "norm_3", y, lambda x: _think(call, x))


def _stack(call: Call, block: Callable[[Call], Tensor]) -> Tensor:
    y = call.x
    for number in range(1, call.attrs["layers"] + 1):
        y = block(call.layer(f"block_{number}", [y, *call.inputs[1:]], **call.attrs))
    return _norm(call, "norm", y) if call.attrs["norm_first"] else y


@adapter("nn.TransformerEncoder")
def transformer_encoder(call: Call) -> Tensor:
    return _stack(call, transformer_block)


@adapter("nn.TransformerDecoder")
def transformer_decoder(call: Call) -> Tensor:
    return _stack(call, transformer_decoder_block)
