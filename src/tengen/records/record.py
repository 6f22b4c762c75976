"""Our own record of a game: one JSON object with all that a match has to tell. Format: docs/records.md.

A `Record` is a value made of plain data. Its moves are text in the game's own notation, one entry a turn, so
that it can be read without this program; `states` replays them. Reading checks everything, the moves
included, and raises nothing but `RecordError`. Start reading at `Record`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.files import write_whole
from tengen.game import Game, InvalidOption, OptionValue, Outcome, State
from tengen.games import game as make_game
from tengen.line import Line, turns_to

FORMAT = "tengen-record"
VERSION = 1

# Against hostile files. The longest random games of the registry have a few thousand turns.
MAX_BYTES = 16 * 2**20
MAX_MOVES = 100_000
MAX_WORK = 10**10  # turns times cells: what replaying may cost, about two seconds

# How a match can end without the rules of its game having ended it.
MATCH_REASONS = ("resign", "time", "agreement", "forfeit", "void")

_WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


class RecordError(ValueError):
    """The record cannot be read or written; the message is one sentence that says what is wrong and where."""


@dataclass(frozen=True)
class Player:
    """Who had a seat. `kind` is a word such as person, level, brain or program, or empty."""

    name: str = ""
    rank: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Move:
    """One turn in the game's notation, with what was noted about it.

    `clock_s` is the time that the mover had left after it. `analysis` is any JSON object. The text
    `resume Black` (any seat's name) stands for play that goes on after two passes, with that seat to move.
    """

    text: str
    clock_s: float | None = None
    comment: str = ""
    analysis: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Result:
    """How the game ended: a word of `Game.reasons` or of MATCH_REASONS, and the scores where they are known.

    `margin` is for results of which only the difference is known, as in SGF's B+3.5.
    """

    winner: int | None
    reason: str
    score: tuple[float, float] | None = None
    margin: float | None = None

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        return cls(outcome.winner, outcome.reason, outcome.score)


@dataclass(frozen=True)
class Record:
    """One game, from its start or `origin` on. Options are complete: nothing depends on today's defaults.

    The constructor takes the parts as they are; `check` says whether they fit together, and everything that
    reads a record has called it.
    """

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    players: tuple[Player, Player] = (Player(), Player())
    origin: tuple[str, int] | None = None
    result: Result | None = None
    started: str = ""  # ISO 8601 where the source has it
    finished: str = ""
    comment: str = ""  # on the game as a whole, or on its start
    info: Mapping[str, str] = field(default_factory=dict)  # event, round, place and the like
    events: tuple[Mapping[str, Any], ...] = ()  # the log of the match, as the match wrote it

    @classmethod
    def from_state(
        cls,
        state: State,
        *,
        players: tuple[Player, Player] = (Player(), Player()),
        result: Result | None = None,
        notes: Mapping[int, Move] | None = None,
        **parts: Any,
    ) -> Record:
        """The record of the game that led to this state.

        `notes` gives clock, comment and analysis of turns by their index from 0; the text in them is not
        looked at. Without `result` the outcome of the state is taken. `parts` are other fields.
        """
        notes = notes or {}
        moves = []
        for index, (_, text) in enumerate(turns(state)):
            note = notes.get(index, Move(""))
            moves.append(Move(text, note.clock_s, note.comment, note.analysis))
        if result is None and state.outcome is not None:
            result = Result.of(state.outcome)
        return cls(
            game=state.game.name,
            options=dict(state.game.options),
            moves=tuple(moves),
            players=players,
            origin=state.origin,
            result=result,
            **parts,
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """The record that `to_json` wrote, checked; raises RecordError."""
        from tengen.records._json import read_json

        record = read_json(text)
        record.check()
        return record

    def to_json(self) -> str:
        from tengen.records._json import write_json

        return write_json(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        return cls.from_json(read_limited(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file as a whole or not at all."""
        save_file(path, self.to_json().encode())

    def make_game(self) -> Game:
        """The game with its options; raises RecordError when there is none such."""
        try:
            return make_game(self.game, **self.options)
        except (ValueError, TypeError, OverflowError) as error:
            raise RecordError(f"The game cannot be set up: {error}") from None

    def start(self) -> State:
        game = self.make_game()
        if self.origin is None:
            return game.start()
        try:
            return game.position(*self.origin)
        except (ValueError, TypeError) as error:
            raise RecordError(f"The position that the game starts from cannot be used: {error}") from None

    def states(self) -> Iterator[State]:
        """The start and the state after each turn, replayed; raises RecordError at the first wrong one."""
        state = self.start()
        cells = state.game.width * state.game.height
        if len(self.moves) > MAX_MOVES or len(self.moves) * cells > MAX_WORK:
            raise RecordError(
                f"The record has {len(self.moves)} moves, too many for a board of {cells} cells."
            )
        yield state
        for number, move in enumerate(self.moves, start=1):
            state = play_turn(state, move.text, number)
            yield state

    def final(self) -> State:
        """The state after the last turn."""
        state = None
        for state in self.states():  # noqa: B007
            pass
        assert state is not None
        return state

    def check(self) -> None:
        """Replays the game; raises RecordError when a move is wrong or the result contradicts the board.

        A score is not compared: stones agreed dead are not part of the moves.
        """
        outcome = self.final().outcome
        result = self.result
        if result is None or outcome is None or result.reason != outcome.reason or outcome.reason == "score":
            return
        if result.winner != outcome.winner:
            raise RecordError(f"The result names the wrong winner: the game ended by {outcome.reason}.")


def turns(state: State) -> Iterator[tuple[int, str]]:
    """The turns that led to a state: who made each, and its text in the game's notation (see `Move`)."""
    return ((step.seat, step.text) for step in turns_to(state))


def play_turn(state: State, text: str, number: int) -> State:
    """The state after a turn of a record; the number is for the error."""
    try:
        return Line(state).read(text).after
    except ValueError as error:
        raise RecordError(f"Move {number}, {shorten(text)!r}: {error}") from None


def shorten(text: str, most: int = 40) -> str:
    """Text from a file as a message may show it."""
    return text if len(text) <= most else text[: most - 1] + "…"


def read_limited(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecordError(f"Cannot read {os.fspath(path)}: {reason}.") from None
    check_size(len(data))
    return data


def check_size(length: int) -> None:
    if length > MAX_BYTES:
        raise RecordError(
            f"The file is larger than {MAX_BYTES // 2**20} MB, which no record of a game needs."
        )


def save_file(path: str | os.PathLike[str], data: bytes) -> None:
    """As `write_whole`; raises RecordError."""
    target = Path(path)
    try:
        write_whole(target, data)
    except OSError as error:
        raise RecordError(f"Cannot write {target}: {error.strerror or error}.") from None


def valid_reason(word: str) -> bool:
    return _WORD.fullmatch(word) is not None


def game_from_words(name: str, words: Iterable[str]) -> Game:
    """The game with options written `name=value`, as SGF files and GTP commands have them; InvalidOption.

    Values are JSON or bare words: size=9, neutral=false, castles=null, ko=superko.
    """
    options: dict[str, OptionValue] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise InvalidOption(f"{shorten(word)!r} is not an option written as name=value.")
        try:
            read = json.loads(value.lower() if value.lower() in ("true", "false", "none", "null") else value)
        except (ValueError, RecursionError):
            read = None if value.lower() == "none" else value
        options[key.strip()] = read
    try:
        return make_game(name, **options)
    except (TypeError, OverflowError):
        raise InvalidOption(f"The options of {name} cannot be read.") from None


def option_words(game: Game) -> list[str]:
    """What `game_from_words` reads."""
    return [f"{k}={v if isinstance(v, str) else json.dumps(v)}" for k, v in game.options.items()]
