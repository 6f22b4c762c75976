"""The net of Gumbel AlphaZero: a small residual tower with global pooling, written for PyTorch.

Input `planes` [N, channels, height, width], as `State.encode` gives them. Outputs, all from the mover's side:
`policy` [N, actions] logits, cells first and the other actions after them; `value` [N], before the tanh;
`lead` [N] points over board cells; `ownership` [N, cells], before the tanh. Lead and ownership exist only in
games that are counted. `reply` and `soon`, the action and the value that come after, only teach: what helps
to foresee them helps the others. `Net.forward` gives them all; `tengen.learn.export` writes the same net as
ONNX without those two.

No weight belongs to a cell, so a net takes a board of any size, but for games whose actions are no cells.
Training shows it several sizes in one batch (`Net.boards`), a tensor a size: nothing is padded, and all sizes
are normalised together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tengen.game import Game

Boards = list[Tensor]  # [N, channels, height, width] each, of different sizes


@dataclass(frozen=True, slots=True)
class Shape:
    """All that decides which tensors a net has.

    A net for boards of any size has height and width 0, and its actions are those that are no cells.
    """

    planes: int
    height: int
    width: int
    actions: int
    blocks: int
    channels: int
    counted: bool  # has lead and ownership
    spread: bool = False  # actions are no cells: each is judged by all of the board, which has one size

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def extras(self) -> int:
        """The actions that are no cells: a pass, and the choices of staged moves."""
        return self.actions - self.cells


def shape_for(game: Game, blocks: int, channels: int, *, any_board: bool = False) -> Shape:
    planes, height, width = game.start().encode().shape
    staged = game.has_stages and game.action_count >= height * width  # cells, one after the other
    spread = game.look.hand == "choices" and not staged
    shape = Shape(planes, height, width, game.action_count, blocks, channels, game.table.counted, spread)
    if not any_board or spread:
        return shape
    return replace(shape, height=0, width=0, actions=shape.extras)


class Output(NamedTuple):
    policy: Tensor
    value: Tensor
    lead: Tensor | None
    ownership: Tensor | None
    reply: Tensor | None = None  # [N, cells], logits of the action after the next
    soon: Tensor | None = None  # [N], the value after some actions, before the tanh


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

    def forward(self, boards: Boards) -> Boards:
        found = [self.conv(x) for x in boards]
        if len(found) == 1 or not self.training:
            return [self.norm(y) for y in found]
        return self._normalised_together(found)

    def _normalised_together(self, found: Boards) -> Boards:
        """Mean and variance over the cells of all boards, since evaluation knows only one of each."""
        norm = self.norm
        assert norm.momentum is not None
        columns = [y.permute(0, 2, 3, 1).reshape(-1, y.shape[1]) for y in found]
        flat = functional.batch_norm(
            torch.cat(columns),
            norm.running_mean,
            norm.running_var,
            norm.weight,
            norm.bias,
            training=True,
            momentum=norm.momentum,
            eps=norm.eps,
        )
        parts = torch.split(flat, [len(column) for column in columns])
        return [
            part.view(len(y), *y.shape[2:], y.shape[1]).permute(0, 3, 1, 2)
            for part, y in zip(parts, found, strict=True)
        ]

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

    def forward(self, boards: Boards) -> Boards:
        inner = [torch.relu(y) for y in self.first(boards)]
        sums = [x + z for x, z in zip(boards, self.second(inner), strict=True)]
        if self.pool is not None:
            pool = self.pool
            sums = [z + pool(pooled(y))[:, :, None, None] for z, y in zip(sums, inner, strict=True)]
        return [torch.relu(z) for z in sums]


class Net(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        channels = shape.channels
        hidden = 2 * channels
        self.stem = Conv(shape.planes, channels, 3)
        self.blocks = nn.ModuleList(Block(channels, pool=pools(i)) for i in range(shape.blocks))
        self.head = Conv(channels, channels, 1)
        self.cells = None if shape.spread else nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(2 * channels, hidden)
        self.extras = nn.Linear(hidden, shape.extras) if shape.extras and not shape.spread else None
        self.spread = nn.Linear(channels * shape.cells, shape.actions) if shape.spread else None
        self.value = nn.Linear(hidden, 1)
        self.lead = nn.Linear(hidden, 1) if shape.counted else None
        self.ownership = nn.Conv2d(channels, 1, 1) if shape.counted else None
        self.reply = None if shape.spread else nn.Conv2d(channels, 1, 1)
        self.soon = nn.Linear(hidden, 1)
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
        policy = self.cells, self.extras, self.spread, self.reply
        for last in (*policy, self.value, self.soon, self.lead, self.ownership):
            if last is not None:
                nn.init.normal_(last.weight, std=0.02)
                assert last.bias is not None
                nn.init.zeros_(last.bias)

    @torch.no_grad()
    def deepened(self, blocks: int) -> Net:
        """A net of so many blocks that says the same: those that are new begin by changing nothing."""
        net = Net(replace(self.shape, blocks=blocks))
        net.load_state_dict(self.state_dict(), strict=False)
        for block in net.blocks[self.shape.blocks :]:
            assert isinstance(block, Block)
            nn.init.zeros_(block.second.norm.weight)
            if block.pool is not None:
                nn.init.zeros_(block.pool.weight)
                nn.init.zeros_(block.pool.bias)
        return net

    @torch.no_grad()
    def widened(self, channels: int) -> Net:
        """A net of so many channels that says the same: what was there hears nothing of the new ones yet."""
        net = Net(replace(self.shape, channels=channels))
        before = self.state_dict()
        for name, new in net.state_dict().items():
            old = before[name]
            if old.ndim == 0:
                continue
            if old.ndim == 1:
                new[: len(old)] = old
                continue
            new[: len(old)] = 0
            halves = 2 if name.endswith(("pool.weight", "hidden.weight")) else 1  # `pooled` joins two lists
            for half, part in enumerate(old.chunk(halves, dim=1)):
                begin = half * new.shape[1] // halves
                new[: len(old), begin : begin + part.shape[1]] = part
        return net

    def forward(self, planes: Tensor) -> Output:
        return self.boards([planes])[0]

    def boards(self, planes: Boards) -> list[Output]:
        """Positions of several sizes of board at once, a tensor a size."""
        xs = [torch.relu(x) for x in self.stem(planes)]
        for block in self.blocks:
            xs = block(xs)
        return [self.heads(torch.relu(h)) for h in self.head(xs)]

    def heads(self, h: Tensor) -> Output:
        g = torch.relu(self.hidden(pooled(h)))
        return Output(
            policy=self._policy(h, g),
            value=self.value(g).squeeze(1),
            lead=None if self.lead is None else self.lead(g).squeeze(1),
            ownership=None if self.ownership is None else self.ownership(h).flatten(1),
            reply=None if self.reply is None else self.reply(h).flatten(1),
            soon=self.soon(g).squeeze(1),
        )

    def _policy(self, h: Tensor, g: Tensor) -> Tensor:
        if self.spread is not None:
            return self.spread(h.flatten(1))  # type: ignore[no-any-return]
        assert self.cells is not None
        policy: Tensor = self.cells(h).flatten(1)
        return policy if self.extras is None else torch.cat([policy, self.extras(g)], 1)
