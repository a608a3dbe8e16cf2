"""Interpolation between pixels."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from peers.call import Call, Unsupported, adapter

LINEAR = {3: "linear", 4: "bilinear", 5: "trilinear"}


def _interpolation(call: Call) -> dict[str, object]:
    """What PyTorch calls the mode and the coordinates, where it knows them."""
    attrs = call.attrs
    coordinates, mode = attrs["coordinate_transformation_mode"], attrs["mode"]
    if mode == "nearest":
        if (coordinates, attrs["nearest_mode"]) == ("asymmetric", "floor"):
            return {"mode": "nearest"}
        raise Unsupported
    if coordinates not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        raise Unsupported
    if mode == "cubic" and (call.x.dim() != 4 or attrs["cubic_coeff_a"] != -0.75):
        raise Unsupported
    name = "bicubic" if mode == "cubic" else LINEAR[call.x.dim()]
    return {"mode": name, "align_corners": coordinates == "align_corners"}


@adapter("Resize")
def resize(call: Call) -> Tensor:
    attrs, x = call.attrs, call.x
    scales, sizes = (None if value is None or value.numel() == 0 else value for value in (call.get(2), call.get(3)))
    special = attrs.get("antialias") or attrs.get("exclude_outside") or attrs.get("axes")
    stretches = attrs.get("keep_aspect_ratio_policy", "stretch") == "stretch"
    if special or not stretches or x.dim() not in LINEAR or x.numel() == 0:
        raise Unsupported
    if not x.is_floating_point() or not bool(x.detach().isfinite().all()):
        raise Unsupported  # PyTorch multiplies infinities by weights of 0
    options = _interpolation(call)
    if scales is not None:
        lengths = scales * x.new_tensor(x.shape)
        # With aligned corners ONNX spans the fraction of a length, PyTorch the whole number that is left of it.
        cut = options.get("align_corners") and bool((lengths != lengths.floor()).any())
        if scales[0] != 1 or scales[1] != 1 or cut:
            raise Unsupported
        return F.interpolate(x, scale_factor=[float(each) for each in scales[2:]], **options)
    if sizes is None or list(sizes[:2]) != list(x.shape[:2]):
        raise Unsupported
    return F.interpolate(x, size=[int(each) for each in sizes[2:]], **options)


@adapter("GridSample")
def grid_sample(call: Call) -> Tensor:
    modes = {"linear": "bilinear", "nearest": "nearest", "cubic": "bicubic"}
    return F.grid_sample(
        call.x,
        call[1],
        mode=modes.get(call.attrs["mode"], call.attrs["mode"]),
        padding_mode=call.attrs["padding_mode"],
        align_corners=bool(call.attrs["align_corners"]),
    )
