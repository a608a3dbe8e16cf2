"""Language models and LeNet, written from the papers: functions of a table of weights under Hugging Face's names."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

Weights = dict[str, Tensor]
Shapes = dict[str, tuple[int, ...]]


def _split(x: Tensor, heads: int) -> Tensor:
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).transpose(1, 2)


def _attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Causal attention of [batch, heads, length, width], to [batch, length, heads · width]."""
    length = query.shape[2]
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -math.inf)
    return (scores.softmax(-1) @ value).transpose(1, 2).flatten(2)


@dataclass(frozen=True)
class Gpt2:
    vocabulary: int
    positions: int
    layers: int
    features: int
    heads: int

    def shapes(self) -> Shapes:
        width = self.features
        shapes: Shapes = {"wte.weight": (self.vocabulary, width), "wpe.weight": (self.positions, width)}
        modules = {"attn.c_attn": (width, 3 * width), "attn.c_proj": (width, width)}
        modules |= {"mlp.c_fc": (width, 4 * width), "mlp.c_proj": (4 * width, width)}
        for layer in range(self.layers):
            for norm in ("ln_1", "ln_2"):
                shapes |= {f"h.{layer}.{norm}.{end}": (width,) for end in ("weight", "bias")}
            for name, shape in modules.items():
                shapes |= {f"h.{layer}.{name}.weight": shape, f"h.{layer}.{name}.bias": shape[1:]}
        return shapes | {"ln_f.weight": (width,), "ln_f.bias": (width,)}

    def forward(self, weights: Weights, tokens: Tensor) -> Tensor:
        def conv1d(name: str, x: Tensor) -> Tensor:
            return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

        def norm(name: str, x: Tensor) -> Tensor:
            return F.layer_norm(x, [self.features], weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-5)

        x = weights["wte.weight"][tokens] + weights["wpe.weight"][: tokens.shape[1]]
        for layer in range(self.layers):
            at = f"h.{layer}"
            parts = conv1d(f"{at}.attn.c_attn", norm(f"{at}.ln_1", x)).chunk(3, -1)
            x = x + conv1d(f"{at}.attn.c_proj", _attend(*(_split(part, self.heads) for part in parts)))
            hidden = F.gelu(conv1d(f"{at}.mlp.c_fc", norm(f"{at}.ln_2", x)), approximate="tanh")
            x = x + conv1d(f"{at}.mlp.c_proj", hidden)
        return norm("ln_f", x) @ weights["wte.weight"].t()


@dataclass(frozen=True)
class Llama:
    vocabulary: int
    layers: int
    features: int
    heads: int
    key_value_heads: int
    hidden: int
    rotary_base: float
    epsilon: float
    tied: bool

    def shapes(self) -> Shapes:
        width, shared = self.features, self.features // self.heads * self.key_value_heads
        shapes: Shapes = {"model.embed_tokens.weight": (self.vocabulary, width)}
        modules = {"self_attn.q_proj": (width, width), "self_attn.k_proj": (shared, width)}
        modules |= {"self_attn.v_proj": (shared, width), "self_attn.o_proj": (width, width)}
        modules |= {"mlp.gate_proj": (self.hidden, width), "mlp.up_proj": (self.hidden, width)}
        modules |= {"mlp.down_proj": (width, self.hidden)}
        for layer in range(self.layers):
            at = f"model.layers.{layer}"
            shapes |= {f"{at}.{norm}.weight": (width,) for norm in ("input_layernorm", "post_attention_layernorm")}
            shapes |= {f"{at}.{name}.weight": shape for name, shape in modules.items()}
        shapes["model.norm.weight"] = (width,)
        return shapes if self.tied else shapes | {"lm_head.weight": (self.vocabulary, width)}

    def _turned(self, x: Tensor) -> Tensor:
        """Rotary positions: features k and k + half as a complex number, turned by its position."""
        half = x.shape[-1] // 2
        rates = self.rotary_base ** (-torch.arange(half, dtype=torch.float64) / half)
        angles = torch.arange(x.shape[2], dtype=torch.float64)[:, None] * rates
        turn = torch.polar(torch.ones_like(angles), angles).to(torch.complex128)
        turned = torch.complex(x[..., :half].double(), x[..., half:].double()) * turn
        return torch.cat([turned.real, turned.imag], -1).to(x.dtype)

    def forward(self, weights: Weights, tokens: Tensor) -> Tensor:
        def norm(name: str, x: Tensor) -> Tensor:
            return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.epsilon) * weights[f"{name}.weight"]

        def linear(name: str, x: Tensor) -> Tensor:
            return F.linear(x, weights[f"{name}.weight"])

        group = self.heads // self.key_value_heads
        x = weights["model.embed_tokens.weight"][tokens]
        for layer in range(self.layers):
            at = f"model.layers.{layer}"
            y = norm(f"{at}.input_layernorm", x)
            query = self._turned(_split(linear(f"{at}.self_attn.q_proj", y), self.heads))
            key = self._turned(_split(linear(f"{at}.self_attn.k_proj", y), self.key_value_heads))
            value = _split(linear(f"{at}.self_attn.v_proj", y), self.key_value_heads)
            mixed = _attend(query, key.repeat_interleave(group, 1), value.repeat_interleave(group, 1))
            x = x + linear(f"{at}.self_attn.o_proj", mixed)
            y = norm(f"{at}.post_attention_layernorm", x)
            gated = F.silu(linear(f"{at}.mlp.gate_proj", y)) * linear(f"{at}.mlp.up_proj", y)
            x = x + linear(f"{at}.mlp.down_proj", gated)
        head = "model.embed_tokens.weight" if self.tied else "lm_head.weight"
        return F.linear(norm("model.norm", x), weights[head])


# LeNet-5 has no weights that people exchange, so the names are those of the zoo, and so are the layouts.
LENET: Shapes = {
    "conv_1.weight": (6, 1, 5, 5),
    "conv_1.bias": (6,),
    "conv_2.weight": (16, 6, 5, 5),
    "conv_2.bias": (16,),
    "linear_1.weight": (400, 120),
    "linear_1.bias": (120,),
    "linear_2.weight": (120, 84),
    "linear_2.bias": (84,),
    "head.weight": (84, 10),
    "head.bias": (10,),
}


def lenet(weights: Weights, x: Tensor) -> Tensor:
    def filtered(name: str, y: Tensor, padding: int) -> Tensor:
        return F.avg_pool2d(F.conv2d(y, weights[f"{name}.weight"], weights[f"{name}.bias"], padding=padding).tanh(), 2)

    def linear(name: str, y: Tensor) -> Tensor:
        return y @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    y = filtered("conv_2", filtered("conv_1", x, 2), 0).flatten(1)
    return linear("head", linear("linear_2", linear("linear_1", y).tanh()).tanh())
