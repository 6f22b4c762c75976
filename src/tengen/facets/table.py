"""`Table`: how a game is sat down to and talked about. Every sentence has a default for any game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from tengen.facets.errors import NotationError
from tengen.facets.words import count, number, points

if TYPE_CHECKING:
    from tengen.facets.conversation import Conversation, Paper
    from tengen.game import Game, Outcome, State

PASS_WORDS = ("pass", "p", "--")  # what a person may write to give the turn away

MOST_NAMED = 60  # actions that are listed in one line

# How a match can end in any game, seen from the loser and the winner.
_MATCH_WINS = {
    "resign": "{loser} resigns",
    "time": "{loser} has run out of time",
    "forfeit": "{loser} has left",
}
_MATCH_DRAWS = {"agreement": "by agreement"}


def score_of(state: State) -> tuple[float, float] | None:
    """As it stands, where the state counts that; at the end what the outcome says."""
    outcome = state.outcome
    if outcome is not None and outcome.score is not None:
        return outcome.score
    found = getattr(state, "score", None)
    return found if isinstance(found, tuple) else None


class ScoreSheet(Protocol):
    """A count of a stopped game, ours or a server's; pairs are by seat, `owner` by cell (seat + 1, or 0)."""

    @property
    def points(self) -> tuple[float, float]: ...
    @property
    def territory(self) -> tuple[int, int]: ...
    @property
    def stones(self) -> tuple[int, int]: ...
    @property
    def lost(self) -> tuple[int, int]: ...
    @property
    def dead(self) -> tuple[int, int]: ...
    @property
    def owner(self) -> Sequence[int]: ...


class Turning(Protocol):
    """Where a game was lost, as `tengen.turning` finds it: by a `move`, `slowly`, `never` or `open`."""

    @property
    def kind(self) -> str: ...
    @property
    def seat(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def move(self) -> str: ...
    @property
    def better(self) -> str: ...
    @property
    def proven(self) -> bool: ...
    @property
    def chance(self) -> float: ...
    @property
    def since(self) -> int: ...
    @property
    def until(self) -> int: ...
    @property
    def had(self) -> float: ...
    @property
    def left(self) -> float: ...


class Table:
    """The facts and words of one game with its options fixed."""

    about: ClassVar[str] = ""  # one sentence; made from the board where it is empty
    rules: ClassVar[str] = ""  # plain paragraphs, a line each
    credits: ClassVar[str] = ""  # who made the game, in a sentence or two
    counted: ClassVar[bool] = False  # points on the board mean something: lead and ownership
    wins: ClassVar[
        Mapping[str, str]
    ] = {}  # by reason: what comes after "Red wins:", with {winner} and {loser}
    draws: ClassVar[Mapping[str, str]] = {}  # by reason: what comes after "The game is a draw"
    saved: ClassVar[Mapping[str, str]] = {}  # by reason: what comes after "Until move 7"
    examples: ClassVar[Mapping[str, str]] = {}  # moves as a person writes them, and what they do

    def __init__(self, game: Game) -> None:
        self.game = game

    # Facts

    @property
    def summary(self) -> str:
        """The game in one sentence."""
        game = self.game
        return self.about or f"{game.title} is a game for two on {game.width}×{game.height} cells."

    @property
    def rule_lines(self) -> list[str]:
        """The rules in short and who made them, a line each."""
        lines = (self.rules or f"{self.game.title} brings its own rules.").split("\n")
        return [*lines, self.credits] if self.credits else lines

    @property
    def pass_action(self) -> int | None:
        """The action that gives the turn away, None in a game without passes."""
        return None

    @property
    def passes(self) -> bool:
        return self.pass_action is not None

    @property
    def agreement(self) -> bool:
        """Whether a game with these options may end in an agreement on dead stones."""
        return False

    @property
    def size_words(self) -> str:
        """The size of the board beside the title, empty where it is always the same."""
        game = self.game
        return f"{game.width}x{game.height}" if game.option_list and game.height > 1 else ""

    @property
    def move_examples(self) -> Mapping[str, str]:
        """Moves as a person writes them, and what they do."""
        if self.examples:
            return self.examples
        start = self.game.start()
        first = self.game.look.moves(start, 1)
        return {first[0].text: "a move"} if first else {}

    def can_resume(self, state: State) -> bool:
        """Whether a game that has ended may still go on, if both players want to."""
        return False

    def loses_at_once(self, state: State, actions: Sequence[int]) -> str:
        """A warning before a move that loses on the spot and may not be meant; empty for any other."""
        return ""

    def count(self, state: State, dead: Iterable[int], neutral: Iterable[int]) -> ScoreSheet:
        """How a game that ends in an agreement is counted without the dead stones."""
        raise TypeError(f"{self.game.title} is not counted by agreement.")

    def read_cell(self, text: str) -> int:
        """The cell that a person names; raises NotationError."""
        names = {self.game.look.cell_name(cell): cell for cell in range(self.game.width * self.game.height)}
        word = text.strip().upper()
        if word not in names:
            raise NotationError(f"{text.strip()!r} is not a cell such as {next(iter(names))}.")
        return names[word]

    def conversation(self, paper: Paper, machines: tuple[str, str]) -> Conversation | None:
        """What a terminal says in place of the usual; `machines` are the names of those seats, or empty."""
        return None

    # Words

    def outcome_words(self, outcome: Outcome) -> str:
        """Who won and why, in one sentence."""
        game = self.game
        if outcome.reason == "void":
            return "The game does not count."
        if outcome.winner is None:
            return f"The game is a draw {self.draw_words(outcome)}."
        names = {"winner": game.seats[outcome.winner], "loser": game.seats[1 - outcome.winner]}
        if why := (_MATCH_WINS | dict(self.wins)).get(outcome.reason):
            return f"{names['winner']} wins: {why.format(**names)}."
        if outcome.score is None:
            return f"{names['winner']} wins ({outcome.reason})."
        return self.score_words(outcome)

    def draw_words(self, outcome: Outcome) -> str:
        return (_MATCH_DRAWS | dict(self.draws)).get(outcome.reason, f"({outcome.reason})")

    def score_words(self, outcome: Outcome) -> str:
        """A win that the scores explain."""
        assert outcome.winner is not None and outcome.score is not None
        winner, (one, other) = self.game.seats[outcome.winner], outcome.score
        return f"{winner} wins by {abs(one - other):g}, {points(outcome.score)}."

    def turning_words(self, found: Turning, outcome: Outcome) -> str:
        """Why it was lost, in one sentence."""
        loser = self.game.seats[found.seat]
        if found.kind == "open":
            return f"Nothing was lost on the board yet: {loser} still had {found.chance:.0%}."
        if found.kind == "never":
            return f"{loser} had little chance from the first move on, as far as the search can see."
        if found.kind == "slowly":
            return self._slipped_words(found)
        could = self.saved.get(outcome.reason, "{loser} could still hold the game").format(loser=loser)
        worth = "wins" if found.proven else f"keeps a chance of {found.chance:.0%}"
        return f"Until move {found.number} {could}: {found.better} instead of {found.move} {worth}."

    def _slipped_words(self, found: Turning) -> str:
        loser = self.game.seats[found.seat]
        fell = (
            f"No single move lost it: {loser}'s chance fell from {found.had:.0%} at move {found.since} "
            f"to {found.left:.0%} at move {found.until}"
        )
        if not found.better:
            return f"{fell}, and the search knows no better move in between."
        step = f"{found.better} instead of {found.move} keeps a chance of {found.chance:.0%}"
        return f"{fell}. The largest step was move {found.number}: {step}."

    def count_words(
        self, state: State, dead: Collection[int], sheet: ScoreSheet, *, plain: bool
    ) -> list[str]:
        """The count that the players are asked to agree to; `plain` is for those who see no board."""
        return [f"{name}: {number(sheet.points[seat])}" for seat, name in enumerate(self.game.seats)]

    def move_words(self, before: State, after: State, seat: int, text: str) -> str:
        """What a move did."""
        name = self.game.seats[seat]
        return f"{name} passes." if text == "pass" else f"{name} plays {text}."

    def status_words(self, state: State) -> list[str]:
        """How it stands, a line each: what goes under a board."""
        score = score_of(state)
        if score is None:
            return []
        return [", ".join(f"{name} {number(had)}" for name, had in zip(self.game.seats, score, strict=True))]

    def standing_words(self, state: State) -> list[str]:
        """How it stands for somebody who asks for the score."""
        return self.status_words(state) or ["This game keeps no score."]

    @property
    def turn_is_said(self) -> bool:
        """Whether `status_words` tell who is to move."""
        return False

    def begun_words(self, state: State) -> str:
        """What a move of several actions that was begun still needs."""
        names = " ".join(self.game.action_name(action) for action in state.legal_actions()[:MOST_NAMED])
        return f"The move is not complete yet; it goes on with one of {names}."

    def legal_words(self, state: State) -> list[str]:
        """What may be played, a line each."""
        return ["  ".join(choice.text for choice in self.game.look.moves(state))]

    def board_words(self, state: State) -> list[str]:
        """All pieces, row by row: what a screen reader reads instead of a drawing."""
        game, cells = self.game, state.cells()
        lines = []
        for row in range(game.height):
            pieces: dict[int, list[int]] = {}
            for cell in range(row * game.width, (row + 1) * game.width):
                if cells[cell]:
                    pieces.setdefault(cells[cell], []).append(cell)
            if here := [f"{self.piece_name(code)} {self.where(own)}" for code, own in pieces.items()]:
                lines.append(f"{self.row_name(row)}: {', '.join(here)}.")
        return lines or ["The board is empty."]

    def piece_name(self, code: int) -> str:
        """What stands on a cell of that code, its owner included."""
        return self.game.look.pieces[code - 1].name

    def row_name(self, row: int) -> str:
        return f"Row {self.game.height - row}"

    def where(self, cells: Collection[int]) -> str:
        """Cells of one row, by their columns."""
        return " ".join(self.game.look.column_names[cell % self.game.width] for cell in cells)

    def read(self, text: str) -> str:
        """What a person typed, as `Game.parse` reads it."""
        return text

    def made_words(self, moves: int) -> str:
        """How many moves have been made."""
        return f"{count(moves, 'move')} made"
