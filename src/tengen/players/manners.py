"""What a machine does at the table: makes a move or gives up, answers offers, judges marks of dead stones.

The terminal and the server ask here, so that a machine behaves the same wherever it sits.
"""

from __future__ import annotations

from tengen.analysis import analyse
from tengen.game import State, restore, resumptions_of
from tengen.match import Match, NoClock
from tengen.players.machine import SearchPlayer
from tengen.players.player import Player, PlayerError
from tengen.players.program import ProgramPlayer
from tengen.settings import SettingsError, load

MOST_RESUMES = 2  # a machine that disagrees about dead stones plays on that often, then gives in
JUDGE_VISITS = 400
DRAW_BELOW = 0.45  # a machine that thinks less of its chances agrees to a draw
# Hopeless, at this turn and the two before: so little of the win rate for each width of the board that it is
# behind by, where points are counted. A narrow loss is played to its end. In 22 games of levels 2 to 7 on 9x9
# nobody would have resigned who won in the end, and one would not who lost by more than 18 points.
RESIGN_BELOW = 0.02
RESIGN_WIDTHS = 5  # more of them make it no more hopeless
RESIGN_FROM = 0.2  # of the points played; earlier much can still turn

MOVES_TO_GO = 25  # how many moves the time on a clock is spread over
LEAST_S = 0.03


def move(player: Player, state: State, seconds: float | None = None) -> list[int] | None:
    """The actions of its move, checked; None when it resigns. Raises PlayerError."""
    actions = None if gives_up(player, state) else player.choose(state, seconds)
    after = state
    try:
        for action in actions or ():
            after = after.play(action)
    except ValueError as error:
        raise PlayerError(f"The machine made a move that is not allowed: {error}") from None
    return actions


def move_seconds(match: Match, at_ms: int, most_s: float) -> float:
    """How long a machine may think about its move now: a share of its clock, and never more than `most_s`."""
    clock = match.setup.clock
    if isinstance(clock, NoClock):
        return most_s
    reading = match.clocks(at_ms)[match.state.to_move]
    left_s = (reading.left_ms or 0) / 1000
    each_s = getattr(clock, "increment_ms", 0) / 1000 + getattr(clock, "period_ms", 0) / 1000
    share_s = left_s / MOVES_TO_GO + 0.5 * each_s
    return max(LEAST_S, min(most_s, share_s, left_s * 0.5))


def accepts_marks(match: Match, seat: int) -> bool:
    """Whether the marks leave it the win that its own estimate gives it."""
    state, count = match.state, match.count
    assert count is not None
    found = state.game.opponents.estimate_dead(state)
    own = state.game.table.count(state, found.dead, found.neutral).points
    robbed = own[seat] > own[1 - seat] and count.points[seat] <= count.points[1 - seat]
    return not robbed


def plays_on(match: Match, seat: int) -> bool:
    """Whether it would rather resume play than accept the marks, which it does only so often."""
    resumed = sum(event.kind == "resume" and event.seat == seat for event in match.events)
    return resumed < MOST_RESUMES and not accepts_marks(match, seat)


def answers_draw(player: Player | None, state: State, seat: int) -> bool:
    """Whether it takes a draw; programs do not, since GTP knows no offers."""
    return not isinstance(player, ProgramPlayer) and agrees_to_draw(state, seat)


def agrees_to_draw(state: State, seat: int) -> bool:
    try:
        found = analyse(state, visits=JUDGE_VISITS)
    except TypeError:  # a game that the search does not know
        return False
    chances = found.win if found.to_move == seat else 1 - found.win
    return found.proven == "draw" or chances < DRAW_BELOW


def may_resign() -> bool:
    """Off with the setting Game.Resign, or TENGEN_RESIGN=0 in the environment."""
    try:
        return load().resign
    except SettingsError:
        return True


def gives_up(player: Player, state: State) -> bool:
    """Whether the player to move should resign: our search does in games where that is done, when it has been
    hopeless for a while. Programs resign by themselves.
    """
    if not isinstance(player, SearchPlayer) or not state.game.opponents.resigns or not may_resign():
        return False
    if len(state.actions) < RESIGN_FROM * len(state.cells()):
        return False
    return all(_is_hopeless(state, back) for back in (0, 2, 4))


def _is_hopeless(state: State, back: int) -> bool:
    kept = state.actions[: len(state.actions) - back]
    before = restore(state.game, state.origin, kept, resumptions_of(state))
    if before.outcome is not None or before.to_move != state.to_move:
        return False
    found = analyse(before, visits=JUDGE_VISITS)
    return is_lost(found.win, found.lead, state.game.width)


def is_lost(win: float, lead: float | None, width: int) -> bool:
    """Whether a side with that win rate and lead has nothing to hope for."""
    widths = 1.0 if lead is None else min(-lead / width, RESIGN_WIDTHS)
    return widths >= 1 and win < RESIGN_BELOW * widths
