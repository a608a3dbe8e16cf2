"""Attention, which PyTorch 1.13 has only inside a layer."""

from __future__ import annotations

import numpy as np

from peers.call import Call, formula


@formula("Attention")
def attention(call: Call) -> np.ndarray:
    query, key, value = call.inputs[:3]
    mask, attrs = call.get(3), call.attrs
    # A head of keys and values serves several heads of queries.
    served = query.shape[1] // max(1, key.shape[1])
    key, value = np.repeat(key, served, axis=1), np.repeat(value, served, axis=1)
    scores = np.einsum("bhqd,bhkd->bhqk", query, key) * (attrs["scale"] or 1 / np.sqrt(query.shape[-1]))
    allowed = np.ones(scores.shape, bool)
    if attrs["is_causal"]:
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
    weights = powers / np.where(total == 0, 1, total)  # who may look nowhere gets zeros
    if attrs["dropout"] > 0:
        weights = weights * call.randoms["dropout"] / (1 - attrs["dropout"])
    return np.einsum("bhqk,bhkd->bhqd", weights, value)
