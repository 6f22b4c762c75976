"""The results as a table for people and as JSON for programs."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

from benchmarks.imports import ImportCost
from benchmarks.measure import Measured, Series, Spread, ratio
from benchmarks.targets import Target

TABLE_WIDTH = 123
NOTES = (
    "OpenSpiel's rollouts are whole games by its rules: any legal move, a pass or an own eye too, with "
    "every board looked up among the earlier ones, until two passes, a repeated board or 2 x size x size "
    "moves. Ours are light: own eyes are not filled, a pass comes only when nothing else is left, and Go "
    "keeps no history in them (simple ko only, 3 x size x size moves at most). A part of the ratio is that "
    "difference.",
    "'per move' takes the different lengths out. OpenSpiel does not count the moves of a rollout: its "
    "length is the mean of games played the same way from Python.",
    "A Kelasu playout is stopped after 5000 actions and counts as a draw.",
    "From Python, tengen and OpenSpiel play whole games by their full rules. tengen makes a new state a "
    "move; OpenSpiel, PettingZoo and sgfmill change theirs in place. PettingZoo also makes an observation "
    "a move. sgfmill's board enforces neither ko nor suicide.",
)


def table(measured: Sequence[Measured], imported: ImportCost, goals: Sequence[Target]) -> str:
    return "\n".join(
        [
            *_rate_lines(measured),
            "",
            *_import_lines(imported),
            "",
            *_target_lines(goals),
            "",
            *(fill(note, TABLE_WIDTH, subsequent_indent="  ") for note in NOTES),
        ]
    )


def as_json(measured: Sequence[Measured], imported: ImportCost, goals: Sequence[Target]) -> dict[str, Any]:
    return {
        "rows": [
            {
                "key": entry.row.key,
                "title": entry.row.title,
                "unit": entry.row.unit,
                "contestants": [_contestant_json(entry, series) for series in entry.series],
            }
            for entry in measured
        ],
        "import": {
            "seconds": round(imported.seconds, 4),
            "empty_interpreter_seconds": round(imported.empty_seconds, 4),
            "heavy_modules": list(imported.heavy_modules),
        },
        "targets": [
            {
                "name": goal.name,
                "value": round(goal.value, 4),
                "unit": goal.unit.strip(),
                "at_least" if goal.at_least else "below": goal.bound,
                "met": goal.met,
            }
            for goal in goals
        ],
        "notes": list(NOTES),
    }


def _contestant_json(entry: Measured, series: Series) -> dict[str, Any]:
    ours = entry.series[0]
    facts: dict[str, Any] = {
        "name": series.name,
        "per_second": _spread_json(Spread.of(series.units_per_second), 1),
    }
    if entry.row.unit == "playouts":
        facts["moves_per_playout"] = round(series.moves_per_unit(), 2)
        facts["moves_per_second"] = _spread_json(Spread.of(series.moves_per_second), 1)
    if series is not ours:
        facts["tengen_ratio"] = _spread_json(ratio(ours.units_per_second, series.units_per_second), 3)
        if entry.row.unit == "playouts":
            facts["tengen_ratio_per_move"] = _spread_json(
                ratio(ours.moves_per_second, series.moves_per_second), 3
            )
    return facts


def _spread_json(spread: Spread, digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in spread._asdict().items()}


def _rate_lines(measured: Sequence[Measured]) -> Iterator[str]:
    yield (
        f"{'':36}{'':12}{'a second':>11}{'min .. max':>23}{'moves':>8}{'moves a second':>16}"
        f"{'tengen is':>11}{'per move':>10}"
    )
    for entry in measured:
        for number, series in enumerate(entry.series):
            title = f"{entry.row.title}, {entry.row.unit}" if number == 0 else ""
            yield f"{title:36}{series.name:12}{_rates(entry, series)}".rstrip()


def _rates(entry: Measured, series: Series) -> str:
    ours, playouts = entry.series[0], entry.row.unit == "playouts"
    rate = Spread.of(series.units_per_second)
    text = f"{rate.median:11,.0f}{f'{rate.min:,.0f} .. {rate.max:,.0f}':>23}"
    if playouts:
        text += f"{series.moves_per_unit():8.1f}{Spread.of(series.moves_per_second).median:16,.0f}"
    else:
        text += " " * 24
    if series is not ours:
        text += f"{ratio(ours.units_per_second, series.units_per_second).median:10.2f}x"
        if playouts:
            text += f"{ratio(ours.moves_per_second, series.moves_per_second).median:9.2f}x"
    return text


def _import_lines(imported: ImportCost) -> Iterator[str]:
    heavy = ", ".join(imported.heavy_modules) or "none"
    yield f"import tengen: {imported.seconds:.3f} s on top of Python's own {imported.empty_seconds:.3f} s"
    yield f"heavy modules it imports: {heavy}"


def _target_lines(goals: Sequence[Target]) -> Iterator[str]:
    for goal in goals:
        digits = 3 if goal.unit == " s" else 0 if goal.unit == "" else 2
        value = f"{goal.value:.{digits}f}{goal.unit}"
        bound = f"{'at least' if goal.at_least else 'below'} {goal.bound:g}{goal.unit}"
        yield f"target {'met' if goal.met else 'NOT MET':9}{goal.name:42}{value:>10}  ({bound})"
