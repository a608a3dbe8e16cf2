"""Products of matrices."""

from __future__ import annotations

import torch
from torch import Tensor

from peers.call import Call, adapter


@adapter("Gemm")
def gemm(call: Call) -> Tensor:
    a = call.x.t() if call.attrs["transA"] else call.x
    b = call[1].t() if call.attrs["transB"] else call[1]
    alpha, beta = call.attrs["alpha"], call.attrs["beta"]
    if call.get(2) is None:
        return alpha * (a @ b)
    return torch.addmm(call[2], a, b, beta=beta, alpha=alpha)


@adapter("Einsum")
def einsum(call: Call) -> Tensor:
    return torch.einsum(call.attrs["equation"].replace(" ", ""), *call.inputs)
