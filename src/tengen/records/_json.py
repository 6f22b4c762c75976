"""The JSON text of a record: reading with a check of every field, and writing. The format: docs/records.md.

Each `_field` function takes what JSON gave and the name of the place it came from, for the message. Start
reading at `read_json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from tengen.records.record import (
    FORMAT,
    MAX_MOVES,
    VERSION,
    Move,
    Player,
    Record,
    RecordError,
    Result,
    check_size,
    shorten,
    valid_reason,
)

_FIELDS = {
    "format",
    "version",
    "game",
    "options",
    "players",
    "started",
    "finished",
    "origin",
    "moves",
    "result",
    "comment",
    "info",
    "events",
}


def read_json(text: str | bytes) -> Record:
    """The record in the text; that its moves are legal is left to `Record.check`."""
    data = _object(_parse(text), "the record")
    _check_header(data)
    for name in data:
        if name not in _FIELDS:
            raise RecordError(f"The record has an unknown field {shorten(name)!r}.")
    name = _text(data.get("game"), "the game")
    bare = Record(name, _options(data.get("options", {})))
    moves = _list(data.get("moves", []), "moves")
    if len(moves) > MAX_MOVES:
        raise RecordError(f"The record has {len(moves)} moves; {MAX_MOVES} are the most.")
    return Record(
        game=name,
        options=dict(bare.make_game().options),
        moves=tuple(_move(move, number) for number, move in enumerate(moves, start=1)),
        players=_players(data.get("players", [{}, {}])),
        origin=_origin(data.get("origin")),
        result=_result(data.get("result")),
        started=_text(data.get("started", ""), "started"),
        finished=_text(data.get("finished", ""), "finished"),
        comment=_text(data.get("comment", ""), "the comment"),
        info={
            k: _text(v, f"info, {shorten(k)!r},") for k, v in _object(data.get("info", {}), "info").items()
        },
        events=tuple(_object(event, "an event") for event in _list(data.get("events", []), "events")),
    )


def write_json(record: Record) -> str:
    """Fields that are empty are left out, but for those that tell what game it was."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "options": dict(record.options),
        "players": [_some({"name": p.name, "rank": p.rank, "kind": p.kind}) for p in record.players],
        **_some({"started": record.started, "finished": record.finished}),
    }
    if record.origin is not None:
        data["origin"] = {"position": record.origin[0], "to_move": record.origin[1]}
    data["moves"] = [_written_move(move) for move in record.moves]
    data["result"] = None
    if record.result is not None:
        score = record.result.score
        data["result"] = {
            "winner": record.result.winner,
            "reason": record.result.reason,
            **_some({"score": None if score is None else list(score), "margin": record.result.margin}),
        }
    data |= _some({"comment": record.comment, "info": dict(record.info), "events": list(record.events)})
    lines = ",\n".join(f"{_dump(name)}: {_block(value)}" for name, value in data.items())
    return "{\n" + lines + "\n}\n"


def _written_move(move: Move) -> Any:
    extra = {"clock_s": move.clock_s, "comment": move.comment, "analysis": move.analysis}
    noted = _some(extra)
    return {"move": move.text, **noted} if noted else move.text


def _some(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that say nothing; 0 says something."""
    return {name: value for name, value in fields.items() if value is not None and value not in ("", {}, [])}


def _block(value: Any) -> str:
    """A list has a line an item, so that a record can be read and compared line by line."""
    if isinstance(value, list) and value:
        return "[\n  " + ",\n  ".join(_dump(item) for item in value) + "\n]"
    return _dump(value)


def _dump(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=dict)
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return json.dumps(value, allow_nan=False, default=dict)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"The record holds something that JSON cannot: {error}.") from None
    return text


def _parse(text: str | bytes) -> Any:
    check_size(len(text))
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RecordError("The record is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"The record is not JSON: {error.msg} in line {error.lineno}.") from None
    except RecursionError:
        raise RecordError("The record is nested too deeply.") from None
    except RecordError:
        raise
    except ValueError:  # a number with thousands of digits
        raise RecordError("The record has a number that is too long.") from None


def _no_constant(word: str) -> NoReturn:
    raise RecordError(f"The record has the number {word}, which JSON does not know.")


def _check_header(data: Mapping[str, Any]) -> None:
    if data.get("format") != FORMAT:
        raise RecordError(f"This is not a record of ours: its format is not {FORMAT!r}.")
    version = data.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise RecordError("The record's version is missing or not a number.")
    if version > VERSION:
        raise RecordError(
            f"The record has version {version} and this program reads up to {VERSION}: use a newer tengen."
        )


def _options(value: Any) -> dict[str, Any]:
    options = _object(value, "options")
    for name, given in options.items():
        if isinstance(given, list | dict):
            raise RecordError(f"The option {shorten(name)!r} must be a single value.")
    return options


def _players(value: Any) -> tuple[Player, Player]:
    players = _list(value, "players")
    if len(players) != 2:
        raise RecordError(f"The record has {len(players)} players and not two.")
    read = []
    for seat, player in enumerate(players):
        fields = _object(player, f"player {seat}")
        for name in fields:
            if name not in ("name", "rank", "kind"):
                raise RecordError(f"Player {seat} has an unknown field {shorten(name)!r}.")
        read.append(Player(**{name: _text(text, f"player {seat}, {name},") for name, text in fields.items()}))
    return read[0], read[1]


def _origin(value: Any) -> tuple[str, int] | None:
    if value is None:
        return None
    origin = _object(value, "origin")
    to_move = origin.get("to_move", 0)
    if to_move not in (0, 1) or not isinstance(to_move, int) or isinstance(to_move, bool):
        raise RecordError("The origin's to_move must be 0 or 1.")
    return _text(origin.get("position"), "the origin's position"), to_move


def _move(value: Any, number: int) -> Move:
    if isinstance(value, str):
        return Move(value)
    where = f"move {number}"
    fields = _object(value, where)
    for name in fields:
        if name not in ("move", "clock_s", "comment", "analysis"):
            raise RecordError(f"Move {number} has an unknown field {shorten(name)!r}.")
    analysis = fields.get("analysis")
    return Move(
        _text(fields.get("move"), where),
        _number(fields.get("clock_s"), f"{where}, clock_s,"),
        _text(fields.get("comment", ""), f"{where}, comment,"),
        None if analysis is None else _object(analysis, f"{where}, analysis,"),
    )


def _result(value: Any) -> Result | None:
    if value is None:
        return None
    fields = _object(value, "result")
    for name in fields:
        if name not in ("winner", "reason", "score", "margin"):
            raise RecordError(f"The result has an unknown field {shorten(name)!r}.")
    winner = fields.get("winner")
    if winner is not None and (
        winner not in (0, 1) or not isinstance(winner, int) or isinstance(winner, bool)
    ):
        raise RecordError("The result's winner must be 0, 1 or null.")
    reason = _text(fields.get("reason"), "the result's reason")
    if not valid_reason(reason):
        raise RecordError(f"The result's reason must be a word, not {shorten(reason)!r}.")
    score = None
    if fields.get("score") is not None:
        points = [
            _number(item, "the result's score") for item in _list(fields["score"], "the result's score")
        ]
        if len(points) != 2 or points[0] is None or points[1] is None:
            raise RecordError("The result's score must be two numbers.")
        score = (points[0], points[1])
    return Result(winner, reason, score, _number(fields.get("margin"), "the result's margin"))


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{_capital(where)} must be a JSON object.")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError(f"{_capital(where)} must be a list.")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{_capital(where)} must be text.")
    return value


def _number(value: Any, where: str) -> float | None:
    if value is None:
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(float(value)):
            return float(value)
    except OverflowError:
        pass
    raise RecordError(f"{_capital(where)} must be a finite number.")


def _capital(where: str) -> str:
    return where[0].upper() + where[1:]
