"""One scale of strength a game: levels, brains and programs by Elo, from the matches in docs/results.

    python tools/ratings.py                                             # writes the page and the charts
    python tools/ratings.py kelasu brain:default@64 level:5 --games 40  # plays that match first and adds it
    python tools/ratings.py go level:10 "gtp:gnugo --mode gtp --level 10 --chinese-rules" --games 20

Matches are in docs/results/ratings-GAME.json. A player there is told as the arena tells it, without the
engine's build: a level or a name that plays with another brain than before is another player. What plays
otherwise for another reason must be struck out by hand. Ratings are those of `tengen.rating.fit`, all matches
of a game at once, mcts:1000 being 0. Writes docs/ratings.md and docs/images/ratings-GAME.svg, and the shipped
brains' own ratings, at 64 simulations a move, where the scale has them; `python tools/facts.py` then tells
the browser.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tengen.arena import Arena
from tengen.brains.store import RATINGS_FILE, SHIPPED, BrainStore, StoredBrain
from tengen.cli_parts import make_game
from tengen.players.identity import DIGITS, engine
from tengen.rating import PRIOR_ELO, SIMULATIONS, ZERO, Score, fit

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "ratings.md"
IMAGES = ROOT / "docs" / "images"

WIDTH, MARGIN, LINE = 760, 24, 22
LEFT, RIGHT = 270, 680  # of the axis; names on one side of it, numbers on the other
STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328; }
  .card { fill: #ffffff; stroke: #d1d9e0; }
  .faint { fill: #59636e; font-size: 11.5px; }
  .grid { stroke: #d1d9e0; }
  .level { fill: #1d9e75; stroke: #1d9e75; }
  .brain { fill: #7a5af5; stroke: #7a5af5; }
  .other { fill: #7d8590; stroke: #7d8590; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .card { fill: #0d1117; stroke: #3d444d; }
    .faint { fill: #9198a1; }
    .grid { stroke: #3d444d; }
  }
"""
KINDS = {"level": "level", "brain": "brain", "other": "search without a brain, or a program"}
ABOUT = f"""\
# Ratings

Levels, shipped brains and programs of a game on one scale, written by `python tools/ratings.py` from the
matches that are kept in [results](results). Ratings are Elo, as likely as all games of the scale make them
(Bradley and Terry; a draw is half a win). `{ZERO}`, our search without a net at 1,000 visits a move, is 0;
the 95 % intervals are those of the distance to it. Before any game a rating is taken to be within some
{PRIOR_ELO:,.0f} of 0, so that somebody who lost every game has one too. 100 Elo more is a score of 64 %,
200 of 76 %, 400 of 91 %. Scales of different games, boards or rules cannot be compared. Most matches are
between neighbours, whose errors add up along the way.

A match is added, and this page written anew, by for example
`python tools/ratings.py kelasu brain:default@64 level:5 --games 40`. The number after `@` is a brain's
simulations a move; `gtp:` is a program of other people.
"""


@dataclass(frozen=True)
class Row:
    title: str
    kind: str  # of KINDS
    elo: float
    half: float  # of the 95 % interval
    games: int


def add_match(name: str, a: str, b: str, games: int, options: Sequence[str]) -> None:
    path = RESULTS / f"ratings-{name}.json"
    kept = read(path)
    given = options or [f"{key}={told(value)}" for key, value in kept.get("options", {}).items()]
    game = make_game(name, list(given))
    if kept and game.options != kept["options"]:
        raise SystemExit(f"The scale of {name} is for other options: {kept['options']}")
    match = Arena(game, a, b)
    found = match.run(games)
    row = {"a": player(match.identities[0]), "b": player(match.identities[1])}
    row |= {key: value for key, value in found.to_json().items() if not key.startswith(("elo", "score_by"))}
    row |= {"command": " ".join(["python tools/ratings.py", name, quoted(a), quoted(b), f"--games {games}"])}
    row |= {"engine": engine()}
    matches = [*read(path).get("matches", []), row]  # others may have been added meanwhile
    path.write_text(json.dumps({"game": name, "options": game.options, "matches": matches}, indent=1) + "\n")


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}


def told(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


def player(identity: str) -> str:
    """Who plays, whatever build of the engine."""
    return identity.partition(" by tengen ")[0]


def rows_of(matches: Sequence[dict[str, Any]], shipped: StoredBrain | None) -> list[Row]:
    """The scale, strongest first."""
    points: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    by_player: Counter[str] = Counter()
    for match in matches:
        score, a, b = match["score"], match["a"], match["b"]
        if a > b:
            score, a, b = 1 - score, b, a
        pair = (a, b)
        points[pair] += score * match["games"]
        games[pair] += match["games"]
        for name in pair:
            by_player[name] += match["games"]
    found = fit({pair: Score(games[pair], points[pair] / games[pair]) for pair in games}, ZERO)
    rows = [
        Row(title_of(name, shipped), kind_of(name), elo, half, by_player[name])
        for name, (elo, half) in found.items()
    ]
    return sorted(rows, key=lambda row: -row.elo)


def kind_of(name: str) -> str:
    word = re.split("[: ]", name)[0]
    return word if word in KINDS else "other"


def title_of(name: str, shipped: StoredBrain | None) -> str:
    """With a brain's name in place of its digest where it is shipped."""

    def named(found: re.Match[str]) -> str:
        if shipped is None or found[2] != shipped.digest[:DIGITS]:
            return f"{found[1] or ''}brain {found[2]}{found[3] or ''}, not shipped"
        return f"brain:{shipped.name}{found[3]}" if found[3] else ""

    return re.sub(rf"( with )?brain ([0-9a-f]{{{DIGITS}}})(@\S+)?", named, name)


def table(rows: Sequence[Row]) -> str:
    lines = ["| | Elo | 95 % interval | games |", "|---|---|---|---|"]
    for row in rows:
        interval = "" if row.half == 0 else f"{row.elo - row.half:+.0f} to {row.elo + row.half:+.0f}"
        lines.append(f"| `{row.title}` | {row.elo:+.0f} | {interval} | {row.games} |")
    return "\n".join(lines)


def text(at: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{at:.1f}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def card(label: str, height: float, parts: Sequence[str]) -> str:
    """A picture of those parts, light or dark as the reader's page; `label` is for who cannot see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-label="{escape(label)}">',
            f"<style>{STYLE}</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
            *parts,
            "</svg>\n",
        ]
    )


def chart(title: str, rows: Sequence[Row]) -> str:
    low = min(row.elo - row.half for row in rows)
    high = max(row.elo + row.half for row in rows)
    step = 200 if high - low < 2400 else 500
    ticks = range(int(low // step) * step, int(-(-high // step)) * step + 1, step)
    scale = (RIGHT - LEFT) / (ticks[-1] - ticks[0])
    top, bottom = MARGIN + 30, MARGIN + 30 + LINE * len(rows)
    height = bottom + 60

    def x(elo: float) -> float:
        return LEFT + (elo - ticks[0]) * scale

    parts = [text(MARGIN, MARGIN + 8, f"{title}: Elo with 95 % intervals, {ZERO} is 0")]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" y1="{top}" x2="{x(tick):.1f}" y2="{bottom}"/>')
        parts.append(text(x(tick), bottom + 16, f"{tick:+d}" if tick else "0", "faint", "middle"))
    for number, row in enumerate(rows):
        y = top + LINE * number + LINE / 2
        name = row.title if len(row.title) <= 34 else f"{row.title[:33]}\N{HORIZONTAL ELLIPSIS}"
        ends = f'x1="{x(row.elo - row.half):.1f}" y1="{y}" x2="{x(row.elo + row.half):.1f}" y2="{y}"'
        parts.append(text(LEFT - 14, y + 4, name, "", "end"))
        parts.append(f'<line class="{row.kind}" stroke-width="2" {ends}/>')
        parts.append(f'<circle class="{row.kind}" cx="{x(row.elo):.1f}" cy="{y}" r="4"/>')
        parts.append(text(WIDTH - MARGIN, y + 4, f"{row.elo:+.0f}", "", "end"))
    for number, (kind, words) in enumerate(KINDS.items()):
        at = MARGIN + 90 * number
        parts.append(f'<circle class="{kind}" cx="{at + 4}" cy="{height - 20}" r="4"/>')
        parts.append(text(at + 14, height - 16, words, "faint"))
    return card(f"{title}: ratings", height, parts)


def ship(rows: Sequence[Row], shipped: StoredBrain) -> None:
    """Keeps what the scale says of the shipped brain, where `tengen brains` reads it."""
    row = next((row for row in rows if row.title == f"brain:{shipped.name}@{SIMULATIONS}"), None)
    if row is None:
        return
    path = SHIPPED / RATINGS_FILE
    ratings = json.loads(path.read_text())
    told = {"rating": row.elo, "low": row.elo - row.half, "high": row.elo + row.half}
    rounded = {key: round(value, 1) for key, value in told.items()}
    ratings[shipped.digest] = {"engine": engine(), "games": row.games} | rounded
    path.write_text(json.dumps(ratings, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="One scale of strength a game, from the matches kept.")
    parser.add_argument("game", nargs="?", help="plays a match of it first")
    parser.add_argument("a", nargs="?")
    parser.add_argument("b", nargs="?")
    parser.add_argument("option", nargs="*", help="NAME=VALUE, for the first match of a scale")
    parser.add_argument("--games", type=int, default=40)
    arguments = parser.parse_intermixed_args()
    if arguments.game and not arguments.b:
        parser.error("a match has two players")
    if arguments.game:
        add_match(arguments.game, arguments.a, arguments.b, arguments.games, arguments.option)
    page = [ABOUT]
    store = BrainStore()
    for path in sorted(RESULTS.glob("ratings-*.json")):
        kept = json.loads(path.read_text())
        shipped = store.shipped(kept["game"])
        rows = rows_of(kept["matches"], shipped)
        if shipped is not None:
            ship(rows, shipped)
        game = make_game(kept["game"], [])
        (IMAGES / f"ratings-{game.name}.svg").write_text(chart(game.title, rows))
        options = ", ".join(
            f"{key}={told(value)}" for key, value in kept["options"].items() if value is not None
        )
        page.append(
            f"## {game.title}\n\nWith {options} ([matches](results/{path.name})):\n\n"
            f"![Ratings of {game.title}](images/ratings-{game.name}.svg)\n\n{table(rows)}\n"
        )
    PAGE.write_text("\n".join(page))


if __name__ == "__main__":
    main()
