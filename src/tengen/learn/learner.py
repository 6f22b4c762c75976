"""The part of Gumbel AlphaZero that learns: batches under symmetries, losses, optimiser, averaged weights.

The policy learns the search's improved policy (cross entropy), the value the outcome mixed with the search's
own value (cross entropy of the chance to win, a draw being half), lead and ownership what the board was in
the end, where the game was counted: NaN marks where it was not. Two more only teach: the reply to the action
that was made, and what the next searches made of the game. Start reading at `Learner.step`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tengen.game import Game, State
from tengen.learn.game_record import NOTHING
from tengen.learn.mixture import Board
from tengen.learn.net import Conv, Net, Output, shape_for
from tengen.learn.settings import GumbelSettings

Batch = Mapping[str, NDArray[Any]]
LOSSES = ("policy", "value", "reply", "soon", "lead", "ownership")


def best_device() -> str:
    """Where nets learn: the graphics card that PyTorch finds, or else the processor."""
    return "cuda" if torch.cuda.is_available() else "cpu"


class Symmetries:
    """Turns and mirrors batches, each position by a symmetry of its own."""

    def __init__(self, game: Game, device: str = "cpu") -> None:
        # Where each action and cell of the turned position comes from: the inverse of the maps.
        moved = np.array([game.action_map(k) for k in range(game.symmetries)])
        actions = np.argsort(moved, axis=1)
        cells = np.argsort(np.array([game.cell_map(k) for k in range(game.symmetries)]), axis=1)
        self.count = game.symmetries
        self._moved = torch.from_numpy(moved).to(device)  # where each action goes
        self._actions = torch.from_numpy(actions).to(device)
        self._cells = torch.from_numpy(cells).to(device)

    def turn(self, batch: dict[str, Tensor], which: Tensor) -> dict[str, Tensor]:
        """The batch with position `i` under symmetry `which[i]`."""
        actions, cells = self._actions[which], self._cells[which]
        turned = dict(batch)
        planes = batch["planes"].flatten(2)
        index = cells[:, None, :].expand(-1, planes.shape[1], -1)
        turned["planes"] = planes.gather(2, index).view_as(batch["planes"])
        turned["policy"] = batch["policy"].gather(1, actions)
        if "reply" in batch:
            reply = batch["reply"].long()
            to = self._moved[which, reply.clamp(min=0)]
            turned["reply"] = torch.where(reply < 0, reply, to)
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
    if "reply" in batch and found.reply is not None:
        reply = batch["reply"].long()
        reply = torch.where(reply < found.reply.shape[1], reply, NOTHING)  # only cells are foreseen
        missed = functional.cross_entropy(found.reply, reply, ignore_index=NOTHING, reduction="sum")
        result["reply"] = missed / (reply >= 0).sum().clamp(min=1)
    if "soon" in batch and (soon := found.soon) is not None:
        result["soon"] = _counted(
            (batch["soon"] + 1) / 2,
            lambda to: functional.binary_cross_entropy_with_logits(2 * soon, to, reduction="none"),
        )
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


def _constants(games: Sequence[Game]) -> dict[int, float]:
    """The planes that hold one number all over, the same for both movers in all those games."""
    seen = [state.encode() for game in games for state in _first_states(game)]
    return {
        plane: float(seen[0][plane].flat[0])
        for plane in range(len(seen[0]))
        if all((planes[plane] == seen[0][plane].flat[0]).all() for planes in seen)
    }


def _first_states(game: Game) -> list[State]:
    """The beginning of a game, far enough for what changes during a game to have changed."""
    rng, found = random.Random(1), [game.start()]
    while found[-1].outcome is None and len(found) < 4 * game.width * game.height:
        found.append(found[-1].play(rng.choice(found[-1].legal_actions())))
    return found[:-1]


class Learner:
    """A net with its optimiser and the average of its weights, which is what plays."""

    def __init__(
        self,
        games: Sequence[Game],
        settings: GumbelSettings,
        net: Net | None = None,
        *,
        any_board: bool = False,
        device: str | None = None,
    ) -> None:
        """`games` are all that it learns; a new net takes their one board, or any."""
        self.settings = settings
        self.device = device or best_device()
        self.symmetries: dict[Board, Symmetries] = {
            (game.height, game.width): Symmetries(game, self.device) for game in games
        }
        net = net or Net(shape_for(games[0], settings.blocks, settings.channels, any_board=any_board))
        net.to(self.device)
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

    def step(self, batches: Sequence[Batch]) -> dict[str, float]:
        """One batch, in a part for each board; returns its losses, "loss" being the weighted sum.

        Raises ValueError if it explodes.
        """
        count = sum(len(batch["value"]) for batch in batches)
        self.net.train()
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        parts = self.losses(batches)
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

    def losses(self, batches: Sequence[Batch]) -> dict[str, Tensor]:
        """The mean of each loss over all positions of a batch, each turned by chance."""
        turned = [self._turned(batch) for batch in batches]
        count = sum(len(part["value"]) for part in turned)
        parts: dict[str, Tensor] = {}
        for output, part in zip(self.found([part["planes"] for part in turned]), turned, strict=True):
            for name, loss in losses(output, part, self.settings.value_mix).items():
                weighted = loss * (len(part["value"]) / count)
                parts[name] = parts[name] + weighted if name in parts else weighted
        return parts

    def found(self, planes: list[Tensor]) -> list[Output]:
        """What the net that learns says of those positions, a tensor a board."""
        return self.net.boards(planes)

    def _turned(self, batch: Batch) -> dict[str, Tensor]:
        tensors = {name: torch.from_numpy(array).to(self.device).float() for name, array in batch.items()}
        height, width = tensors["planes"].shape[2:]
        symmetries = self.symmetries[height, width]
        which = torch.randint(symmetries.count, (len(tensors["value"]),))  # the same on every device
        return symmetries.turn(tensors, which.to(self.device))

    def _total(self, parts: Mapping[str, Tensor]) -> Tensor:
        s = self.settings
        weights = {name: getattr(s, f"{name}_weight") for name in LOSSES if name != "policy"}
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

    @torch.no_grad()
    def quiet_inputs(self, known: Sequence[Game], new: Sequence[Game]) -> None:
        """Readies a net that learned `known` for `new`: planes that never changed taught it nothing.

        Their weights are chance, or a part of the bias; such a plane that takes other numbers now would
        disturb the net. What it added goes to a plane that is 1 all over in every game.
        """
        before, after = _constants(known), _constants(new)
        ones = [plane for plane, value in before.items() if value == 1 and after.get(plane) == 1]
        if not ones:
            return
        for net in (self.net, self.average):
            weight = net.stem.conv.weight
            for plane, value in before.items():
                if after.get(plane) != value:
                    weight[:, ones[0]] += value * weight[:, plane]
                    weight[:, plane] = 0

    def settle_norms(self, boards: Sequence[NDArray[np.float32]]) -> None:
        """Gives a net that was read from a file its batch normalisation back, without changing how it plays.

        In the file it is folded into the convolutions. Training normalises by each batch, which would make
        another net of it unless mean and variance are first taken out of the convolutions again.
        """
        convs = [module for module in self.net.modules() if isinstance(module, Conv)]
        seen: dict[Conv, list[Tensor]] = {conv: [] for conv in convs}
        hooks = [
            conv.conv.register_forward_hook(
                lambda _module, _inputs, output, conv=conv: seen[conv].append(
                    output.transpose(0, 1).flatten(1)
                )
            )
            for conv in convs
        ]
        self.net.eval()
        with torch.no_grad():
            self.net.boards([torch.from_numpy(planes).to(self.device) for planes in boards])
            for hook in hooks:
                hook.remove()
            for conv, outputs in seen.items():
                norm, values = conv.norm, torch.cat(outputs, 1)
                mean, variance = values.mean(1), values.var(1, unbiased=False)
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
