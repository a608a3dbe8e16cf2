"""Losses."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, adapter


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


def _label_options(call: Call) -> dict[str, Any]:
    options: dict[str, Any] = {"reduction": call.attrs["reduction"], "weight": call.get(2)}
    if call.attrs.get("ignore_index") is not None:
        options["ignore_index"] = call.attrs["ignore_index"]
    return options


def _classes_second(x: Tensor, axis: int) -> Tensor:
    """PyTorch has the classes on axis 1, or on the only one."""
    return x.movedim(axis, 1) if x.dim() > 1 else x


@adapter("loss.CrossEntropy")
def cross_entropy(call: Call) -> Tensor:
    scores = _classes_second(call.x, call.attrs.get("axis", -1))
    smoothing = call.attrs.get("label_smoothing", 0.0)
    return F.cross_entropy(scores, call[1].long(), label_smoothing=smoothing, **_label_options(call))


@adapter("loss.NLL")
def nll(call: Call) -> Tensor:
    return F.nll_loss(_classes_second(call.x, call.attrs.get("axis", -1)), call[1].long(), **_label_options(call))


@adapter("NegativeLogLikelihoodLoss")
def negative_log_likelihood(call: Call) -> Tensor:
    return F.nll_loss(call.x, call[1].long(), **_label_options(call))


@adapter("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy(call: Call) -> list[Tensor]:
    loss = F.cross_entropy(call.x, call[1].long(), **_label_options(call))
    return [loss, torch.log_softmax(call.x, 1)]


@adapter("loss.MeanSquaredError")
def mean_squared_error(call: Call) -> Tensor:
    return F.mse_loss(*call.inputs, reduction=call.attrs["reduction"])


@adapter("loss.Focal")
def focal(call: Call) -> Tensor:
    """As torchvision's sigmoid_focal_loss, which Debian does not have, is written."""
    logits, target = call.inputs
    p = torch.sigmoid(logits)
    entropy = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    right = p * target + (1 - p) * (1 - target)
    losses = entropy * (1 - right) ** call.attrs["gamma"]
    if call.attrs["alpha"] >= 0:
        losses = (call.attrs["alpha"] * target + (1 - call.attrs["alpha"]) * (1 - target)) * losses
    return _reduced(losses, call.attrs["reduction"])


@adapter("loss.BinaryCrossEntropyWithLogits")
def binary_cross_entropy_with_logits(call: Call) -> Tensor:
    return F.binary_cross_entropy_with_logits(
        call.x, call[1], pos_weight=call.get(2), reduction=call.attrs["reduction"]
    )


@adapter("loss.KLDivergence")
def kl_divergence(call: Call) -> Tensor:
    return F.kl_div(call.x, call[1], reduction=call.attrs["reduction"], log_target=call.attrs["log_target"])


@adapter("loss.Hinge")
def hinge(call: Call) -> Tensor:
    # A score against nothing, with the labels as the order that is wanted.
    score, label = call.inputs
    return F.margin_ranking_loss(score, torch.zeros_like(score), label, 1.0, reduction=call.attrs["reduction"])


@adapter("loss.SquaredHinge")
def squared_hinge(call: Call) -> Tensor:
    score, label = call.inputs
    losses = F.margin_ranking_loss(score, torch.zeros_like(score), label, 1.0, reduction="none")
    return _reduced(losses**2, call.attrs["reduction"])


@adapter("loss.CosineEmbedding")
def cosine_embedding(call: Call) -> Tensor:
    first, second, labels = call.inputs
    if first.dim() > 2:
        losses = F.cosine_embedding_loss(
            first.reshape(-1, first.shape[-1]),
            second.reshape(-1, first.shape[-1]),
            labels.reshape(-1),
            margin=call.attrs["margin"],
            reduction="none",
        )
        return _reduced(losses.reshape(labels.shape), call.attrs["reduction"])
    return F.cosine_embedding_loss(
        first, second, labels, margin=call.attrs["margin"], reduction=call.attrs["reduction"]
    )


@adapter("loss.CTC")
def ctc(call: Call) -> Tensor:
    """Logits come as [batch, length, classes]; PyTorch wants logarithms of probabilities, the length first."""
    logits, labels, *lengths = call.inputs
    given = [*lengths, None, None][:2]
    whole = [torch.full(shape[:1], shape[1]) for shape in (logits.shape, labels.shape)]
    logit_lengths, label_lengths = (w if g is None else g.long() for g, w in zip(given, whole))
    return F.ctc_loss(
        F.log_softmax(logits, -1).transpose(0, 1),
        labels.long(),
        logit_lengths,
        label_lengths,
        blank=call.attrs.get("blank", 0),
        reduction=call.attrs["reduction"],
        zero_infinity=bool(call.attrs.get("zero_infinity", False)),
    )
