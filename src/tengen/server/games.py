"""Games and positions as the protocol tells them, and the games that clients may ask for.

Everything that a client is told of a game stands in its `GameInfo`; nobody beyond asks what a game is called.
Start reading at `game_info`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from tengen.facets import Look
from tengen.game import Game, InvalidOption, OptionValue, State
from tengen.game import Outcome as GameOutcome
from tengen.games import game as make
from tengen.games import game_class, game_classes, is_built_in
from tengen.games.compiled import CompiledGame
from tengen.kata import usable
from tengen.server import protocol as p
from tengen.server.errors import Refusal

MOST_CELLS = 2000  # of a board on a server: every update carries the whole of it

_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=64)
def game_info(name: str) -> p.GameInfo:
    """Raises InvalidOption for a game that there is not."""
    kind = game_class(name)
    plain = kind()
    return p.GameInfo(
        name=name,
        title=kind.title,
        seats=kind.seats,
        reasons=list(kind.reasons),
        letters=kind.letters,
        board=plain.view(plain.start()).board,
        options=[
            p.OptionInfo(
                name=option.name,
                type=option.type.__name__,  # type: ignore[arg-type]
                default=option.default,
                help=option.help,
                choices=list(option.choices),
                minimum=option.minimum,
                maximum=None if option.maximum is None else min(option.maximum, MOST_CELLS),
                optional=option.optional,
                late=option.late,
            )
            for option in kind.option_list
        ],
        levels=[p.LevelInfo(level.number, level.name) for level in plain.opponents.levels],
        passes=plain.table.passes,
        presets=_presets(kind, plain),
        about=plain.table.summary,
        rules="\n".join(plain.table.rule_lines),
        counted=plain.table.counted,
        agreement=any(each.table.agreement for each in _variants(kind)),
        look=_look(plain.look),
        formats=list(plain.records.formats),
        training=list(plain.learning.algorithms),
        training_options=dict(plain.learning.options),
        built_in=is_built_in(name),
        gtp=plain.records.gtp,
        estimates=plain.opponents.estimates,
        wins=dict(plain.table.wins),
        draws=dict(plain.table.draws),
    )


def game_infos() -> list[p.GameInfo]:
    return [game_info(name) for name in game_classes()]


def with_engines(infos: list[p.GameInfo]) -> list[p.GameInfo]:
    """The same with the strong programs that are on this machine."""
    found = ["katago"] if usable() is not None else []
    return [replace(info, engines=found) if _takes_katago(info.name) else info for info in infos]


@lru_cache(maxsize=64)
def _takes_katago(name: str) -> bool:
    return game_class(name)().records.kata


def _presets(kind: type[Game], plain: Game) -> dict[str, dict[str, OptionValue]]:
    rules = next((option for option in kind.option_list if option.name == "rules"), None)
    if rules is None:
        return {}
    return {
        choice: {
            name: value
            for name, value in kind(rules=choice).options.items()
            if name != "rules" and value != plain.all_options[name]
        }
        for choice in rules.choices
    }


def _variants(kind: type[Game]) -> Iterator[Game]:
    """The game with each value of each option that is a choice, the others as they are by default."""
    yield kind()
    for option in kind.option_list:
        for choice in option.choices:
            yield kind(**{option.name: choice})


def _look(look: Look) -> p.LookInfo:
    return p.LookInfo(
        pieces=[p.PieceInfo(one.letter, one.name, one.seat, one.svg) for one in look.pieces],
        hand=look.hand,
        bottom=look.bottom,
        colours=look.colours,
        sizes={name: list(values) for name, values in look.sizes.items()},
        frame_ms=look.frame_ms,
    )


def make_game(name: str, options: dict[str, OptionValue]) -> Game:
    """The game that a client asks for; raises Refusal."""
    try:
        game = make(name, **options)
    except (TypeError, OverflowError):
        raise Refusal("malformed", f"The options of {name[:40]} cannot be read.") from None
    except InvalidOption as error:
        raise Refusal.of(error) from None
    if game.width * game.height > MOST_CELLS:
        raise Refusal("malformed", f"A board on this server has at most {MOST_CELLS} cells.")
    return game


def shared_game(game: Game) -> Game:
    """The same game as one object, however many matches there are of it."""
    return _shared(game, tuple(game.options.items()))


@lru_cache(maxsize=256)
def _shared(game: Game, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    return game


# Positions


def view_of(state: State) -> p.View:
    seen = state.game.view(state)
    return p.View(
        board=seen.board,
        width=seen.width,
        height=seen.height,
        cells="".join(seen.cells),
        to_move=seen.to_move,
        last=list(seen.last),
        captured=list(seen.captured),
        score=seen.score,
        details=dict(seen.details),
    )


def told_view(state: State) -> Raw:
    """What `view_of` says, encoded: by the core where it can, since every move is told with it."""
    if isinstance(state.game, CompiledGame):
        return Raw(state.game.view_json(state))
    return Raw(_encode(view_of(state)))


def choices(state: State) -> list[p.MoveChoice]:
    """The whole moves of a position, where its game is played by choosing among them."""
    look = state.game.look
    if state.outcome is not None or look.hand != "choices":
        return []
    return [p.MoveChoice(list(one.actions), one.text, list(one.cells)) for one in look.moves(state)]


def outcome(found: GameOutcome | None) -> p.Outcome | None:
    return None if found is None else p.Outcome(found.winner, found.reason, found.score)
