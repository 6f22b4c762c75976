"""The part of Gumbel AlphaZero that learns: batches under symmetries, losses, optimiser, averaged weights.

The policy learns the search's improved policy (cross entropy), the value the outcome mixed with the search's
own value (cross entropy of the chance to win, a draw being half), lead and ownership what the board was in
the end, where the game was counted: NaN marks where it was not. Start reading at `Learner.step`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tengen.game import Game
from tengen.learn.net import Conv, Net, Output, shape_for
from tengen.learn.settings import GumbelSettings

Batch = Mapping[str, NDArray[Any]]
LOSSES = ("policy", "value", "lead", "ownership")


class Symmetries:
    """Turns and mirrors batches, each position by a symmetry of its own."""

    def __init__(self, game: Game) -> None:
        cells = game.width * game.height
        maps = np.array([game.action_map(k) for k in range(game.symmetries)])
        # Where each action of the turned position comes from: the inverse of action_map.
        sources = np.argsort(maps, axis=1)
        self.count = game.symmetries
        self._actions = torch.from_numpy(sources)
        self._cells = torch.from_numpy(sources[:, :cells].copy())

    def turn(self, batch: dict[str, Tensor], which: Tensor) -> dict[str, Tensor]:
        """The batch with position `i` under symmetry `which[i]`."""
        actions, cells = self._actions[which], self._cells[which]
        turned = dict(batch)
        planes = batch["planes"].flatten(2)
        index = cells[:, None, :].expand(-1, planes.shape[1], -1)
        turned["planes"] = planes.gather(2, index).view_as(batch["planes"])
        turned["policy"] = batch["policy"].gather(1, actions)
        if "ownership" in batch:
            turned["ownership"] = batch["ownership"].gather(1, cells)
        return turned


def losses(found: Output, batch: Mapping[str, Tensor], value_mix: float) -> dict[str, Tensor]:
    """The mean of each loss over the batch; lead and ownership over what was counted."""
    value = (1 - value_mix) * batch["value"] + value_mix * batch["root_value"]
    result = {
        "policy": functional.cross_entropy(found.policy, batch["policy"]),
        # tanh(x) is 2 * sigmoid(2 * x) - 1
        "value": functional.binary_cross_entropy_with_logits(2 * found.value, (value + 1) / 2),
    }
    if found.lead is not None and found.ownership is not None:
        result["lead"] = _counted(
            batch["lead"], lambda to: functional.smooth_l1_loss(found.lead, to, reduction="none", beta=0.1)
        )
        result["ownership"] = _counted(
            batch["ownership"], lambda to: (torch.tanh(found.ownership) - to).square()
        )
    return result


def _counted(target: Tensor, loss: Any) -> Tensor:
    """The mean loss over the entries that are numbers, 0 without any."""
    known = torch.isfinite(target)
    each: Tensor = loss(torch.where(known, target, 0.0))
    return (each * known).sum() / known.sum().clamp(min=1)


class Learner:
    """A net with its optimiser and the average of its weights, which is what plays."""

    def __init__(self, game: Game, settings: GumbelSettings, net: Net | None = None) -> None:
        self.settings = settings
        self.symmetries = Symmetries(game)
        net = net or Net(shape_for(game, settings.blocks, settings.channels))
        self.average = deepcopy(net).eval()
        self.net = net
        for parameter in net.parameters():
            if parameter.ndim == 4:  # a fifth faster on CPUs
                parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)
        self.trained = 0  # samples
        self.limit_used = 0.0  # how much of the run's time or games, from 0 to 1
        matrices = [p for p in self.net.parameters() if p.ndim > 1]
        vectors = [p for p in self.net.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": settings.weight_decay},
                {"params": vectors, "weight_decay": 0.0},
            ],
            lr=settings.learning_rate,
        )

    def step(self, batch: Batch) -> dict[str, float]:
        """One batch; returns its losses, "loss" being the weighted sum. Raises ValueError if it explodes."""
        tensors = {name: torch.from_numpy(array).float() for name, array in batch.items()}
        count = len(tensors["value"])
        tensors = self.symmetries.turn(tensors, torch.randint(self.symmetries.count, (count,)))
        self.net.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        parts = losses(self.net(tensors["planes"]), tensors, self.settings.value_mix)
        total = self._total(parts)
        if not torch.isfinite(total):
            raise ValueError("The loss is not a number any more: start again with a lower learning rate.")
        self.optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip)
        self.optimiser.step()
        self.trained += count
        self._blend(count)
        return {"loss": total.item()} | {name: part.item() for name, part in parts.items()}

    def _total(self, parts: Mapping[str, Tensor]) -> Tensor:
        s = self.settings
        weights = {"value": s.value_weight, "lead": s.lead_weight, "ownership": s.ownership_weight}
        return torch.stack([part * weights.get(name, 1.0) for name, part in parts.items()]).sum()

    def rate(self) -> float:
        """The learning rate now: up over the warm-up, then down along a cosine, with which the run ends."""
        s = self.settings
        rising = min(1.0, (self.trained + s.batch) / max(1, s.warm_up))
        way = min(1.0, max(self.limit_used, self.trained / max(1, s.rate_samples)))
        falling = 0.5 * (1 + math.cos(math.pi * way))
        return rising * (s.final_rate + (s.learning_rate - s.final_rate) * falling)

    @torch.no_grad()
    def _blend(self, count: int) -> None:
        """Moves the average towards the net; faster at first, so that it soon forgets the random start."""
        share = max(count / max(count, self.settings.average_samples), 1 / (1 + self.trained / (4 * count)))
        own = self.net.state_dict()
        for name, mean in self.average.state_dict().items():
            if mean.is_floating_point():
                mean.lerp_(own[name], share)
            else:
                mean.copy_(own[name])

    def settle_norms(self, planes: NDArray[np.float32]) -> None:
        """Gives a net that was read from a file its batch normalisation back, without changing how it plays.

        In the file it is folded into the convolutions. Training normalises by each batch, which would make
        another net of it unless mean and variance are first taken out of the convolutions again.
        """
        convs = [module for module in self.net.modules() if isinstance(module, Conv)]
        seen: dict[Conv, tuple[torch.Tensor, torch.Tensor]] = {}
        hooks = [
            conv.conv.register_forward_hook(
                lambda _module, _inputs, output, conv=conv: seen.__setitem__(
                    conv, (output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False))
                )
            )
            for conv in convs
        ]
        self.net.eval()
        with torch.no_grad():
            self.net(torch.from_numpy(planes))
            for hook in hooks:
                hook.remove()
            for conv, (mean, variance) in seen.items():
                norm = conv.norm
                assert norm.running_mean is not None
                assert norm.running_var is not None
                scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
                norm.bias.add_(scale * (mean - norm.running_mean))
                norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
                norm.running_mean.copy_(mean)
                norm.running_var.copy_(variance)
        self.average.load_state_dict(self.net.state_dict())

    def state(self) -> dict[str, Any]:
        return {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "trained": self.trained,
            "torch_rng": torch.get_rng_state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        for group, decay in zip(self.optimiser.param_groups, (self.settings.weight_decay, 0.0), strict=True):
            group["weight_decay"] = decay
        self.trained = state["trained"]
        torch.set_rng_state(state["torch_rng"])
