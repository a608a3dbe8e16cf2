"""Attention, which PyTorch 1.13 has only inside a layer."""

from __future__ import annotations

import numpy as np

from peers.call import Call, formula


def _weights(call: Call, query: np.ndarray, key: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """The softmax of the scores; a row that may look nowhere is 0. There are as many heads of keys as of queries."""
    attrs = call.attrs
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * (attrs.get("scale") or 1 / np.sqrt(query.shape[-1]))
    allowed = np.ones(scores.shape, bool)
    if attrs.get("is_causal") or attrs.get("causal"):
        allowed &= np.tri(*scores.shape[-2:], dtype=bool)
    if mask is not None and mask.dtype == bool:
        allowed &= mask
    elif mask is not None:
        finite = np.isfinite(mask.real)
        allowed &= finite
        scores = scores + np.where(finite, mask, 0)
    largest = np.where(allowed, scores.real, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    powers = np.where(allowed, np.exp(scores - np.where(np.isfinite(largest), largest, 0)), 0)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _kept(call: Call, path: str) -> np.ndarray | float:
    """What dropout multiplies each weight with."""
    ratio = call.attrs["dropout"]
    return call.randoms[path] / (1 - ratio) if ratio > 0 and path in call.randoms else 1.0


def _repeated(call: Call, x: np.ndarray) -> np.ndarray:
    """A head of keys and values serves several heads of queries."""
    return np.repeat(x, call.x.shape[1] // max(1, x.shape[1]), axis=1)


@formula("Attention")
def attention(call: Call) -> np.ndarray:
    query, key, value = call.x, _repeated(call, call[1]), _repeated(call, call[2])
    weights = _weights(call, query, key, call.get(3)) * _kept(call, "dropout")
    return np.einsum("bhqk,bhkd->bhqd", weights, value)


@formula("nn.DotProductAttention")
def dot_product_attention(call: Call) -> np.ndarray:
    query, key, value = call.x, _repeated(call, call[1]), _repeated(call, call[2])
    weights = _weights(call, query, key, call.get(3)) * _kept(call, "attention/dropout")
    return np.einsum("bhqk,bhkd->bhqd", weights, value)


@formula("AttentionGrad")
def attention_grad(call: Call) -> list[np.ndarray]:
    query, key, value = call.x, _repeated(call, call[1]), _repeated(call, call[2])
    gradient, kept = call[3], _kept(call, "dropout")
    weights = _weights(call, query, key, call.get(4))
    by_weights = np.einsum("bhqd,bhkd->bhqk", gradient, value) * kept
    by_scores = weights * (by_weights - (weights * by_weights).sum(axis=-1, keepdims=True))
    by_scores = by_scores * (call.attrs["scale"] or 1 / np.sqrt(query.shape[-1]))

    def shared(x: np.ndarray, like: np.ndarray) -> np.ndarray:
        """Summed over the heads that share one."""
        served = x.shape[1] // max(1, like.shape[1])
        return x.reshape(*like.shape[:2], served, *like.shape[2:]).sum(axis=2)

    return [
        np.einsum("bhqk,bhkd->bhqd", by_scores, key),
        shared(np.einsum("bhqk,bhqd->bhkd", by_scores, query), call[1]),
        shared(np.einsum("bhqk,bhqd->bhkd", weights * kept, gradient), call[2]),
    ]
