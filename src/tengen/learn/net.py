"""The net of Gumbel AlphaZero: a small residual tower with global pooling, written for PyTorch.

Input `planes` [N, channels, height, width], as `State.encode` gives them. Outputs, all from the mover's side:
`policy` [N, actions] logits, cells first and the other actions after them; `value` [N], before the tanh;
`lead` [N] points over board cells; `ownership` [N, cells], before the tanh. Lead and ownership exist only in
games that are counted. `Net.forward` gives them all; `tengen.learn.export` writes the same net as ONNX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from tengen.game import Game

COUNTED = frozenset({"go", "great-kingdom"})  # the games with points on the board: lead and ownership


@dataclass(frozen=True, slots=True)
class Shape:
    """All that decides which tensors a net has."""

    planes: int
    height: int
    width: int
    actions: int
    blocks: int
    channels: int
    counted: bool  # has lead and ownership

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def extras(self) -> int:
        """The actions that are no cells: pass, and Kelasu's choices."""
        return self.actions - self.cells


def shape_for(game: Game, blocks: int, channels: int) -> Shape:
    planes, height, width = game.start().encode().shape
    return Shape(planes, height, width, game.action_count, blocks, channels, game.name in COUNTED)


class Output(NamedTuple):
    policy: Tensor
    value: Tensor
    lead: Tensor | None
    ownership: Tensor | None


def pools(block: int) -> bool:
    """Every second block sees the whole board: a 3x3 convolution alone moves news two cells a block."""
    return block % 2 == 1


def pooled(x: Tensor) -> Tensor:
    """Mean and maximum of each channel over the board: [N, 2 * channels]."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Conv(nn.Module):
    """A convolution that keeps the board's size, with batch normalisation, which the export folds away."""

    def __init__(self, inputs: int, outputs: int, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, width, padding=width // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.norm(self.conv(x))
        return y

    @torch.no_grad()
    def folded(self) -> tuple[Tensor, Tensor]:
        """The weight and bias of the one convolution that does the same in evaluation mode."""
        norm = self.norm
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        return self.conv.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale

    @torch.no_grad()
    def unfold(self, weight: Tensor, bias: Tensor) -> None:
        """Takes a folded convolution back, with a normalisation that changes nothing."""
        norm = self.norm
        assert norm.running_mean is not None
        assert norm.running_var is not None
        self.conv.weight.copy_(weight)
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.fill_(1)
        norm.bias.copy_(bias)


class Block(nn.Module):
    def __init__(self, channels: int, *, pool: bool) -> None:
        super().__init__()
        self.first = Conv(channels, channels, 3)
        self.second = Conv(channels, channels, 3)
        self.pool = nn.Linear(2 * channels, channels) if pool else None

    def forward(self, x: Tensor) -> Tensor:
        y = torch.relu(self.first(x))
        z: Tensor = x + self.second(y)
        if self.pool is not None:
            z = z + self.pool(pooled(y))[:, :, None, None]
        return torch.relu(z)


class Net(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        channels = shape.channels
        hidden = 2 * channels
        self.stem = Conv(shape.planes, channels, 3)
        self.blocks = nn.ModuleList(Block(channels, pool=pools(i)) for i in range(shape.blocks))
        self.head = Conv(channels, channels, 1)
        self.cells = nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(2 * channels, hidden)
        self.extras = nn.Linear(hidden, shape.extras) if shape.extras else None
        self.value = nn.Linear(hidden, 1)
        self.lead = nn.Linear(hidden, 1) if shape.counted else None
        self.ownership = nn.Conv2d(channels, 1, 1) if shape.counted else None
        self._begin_quietly()

    @torch.no_grad()
    def _begin_quietly(self) -> None:
        """A new net is nearly uniform and nearly even, so that the first games are not one idea repeated."""
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        for block in self.blocks:
            assert isinstance(block, Block)
            nn.init.constant_(block.second.norm.weight, 0.3)
            if block.pool is not None:
                block.pool.weight.mul_(0.3)
        for last in (self.cells, self.extras, self.value, self.lead, self.ownership):
            if last is not None:
                nn.init.normal_(last.weight, std=0.02)
                assert last.bias is not None
                nn.init.zeros_(last.bias)

    def forward(self, planes: Tensor) -> Output:
        x = torch.relu(self.stem(planes))
        for block in self.blocks:
            x = block(x)
        h = torch.relu(self.head(x))
        g = torch.relu(self.hidden(pooled(h)))
        policy = self.cells(h).flatten(1)
        if self.extras is not None:
            policy = torch.cat([policy, self.extras(g)], 1)
        return Output(
            policy=policy,
            value=self.value(g).squeeze(1),
            lead=None if self.lead is None else self.lead(g).squeeze(1),
            ownership=None if self.ownership is None else self.ownership(h).flatten(1),
        )
