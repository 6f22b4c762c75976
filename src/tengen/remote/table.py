"""A match as a client knows it: made from its snapshot, moved on by updates, with our own state of the game.

The server sends what a position looks like; who wants to search it, or to write it down, needs a `State`.
`Table` plays the moves along, and `agrees` compares the result with what the server shows.
"""

from __future__ import annotations

from tengen.game import Game, Outcome, State
from tengen.games import game as make_game
from tengen.match import Marking
from tengen.server.protocol import Event, Info, LineMove, MatchInfo, Now, Snapshot, Update


class Table:
    """Events must come in order and without gaps, as `Link` gives them; that is not checked.

    Raises what the game raises (all ValueErrors) if a server sends moves or options that we do not know.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.info: MatchInfo = snapshot.match
        self.you: list[int] = snapshot.you
        self.now: Now = snapshot.now
        self.game: Game = make_game(self.info.game, **self.info.options)
        self.line: list[LineMove] = []
        origin = self.info.origin
        self.states: list[State] = [self.game.start() if origin is None else self.game.position(*origin)]
        for move in snapshot.line:
            self._add(move)

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def outcome(self) -> Outcome | None:
        ended = self.now.outcome
        return None if ended is None else Outcome(ended.winner, ended.reason, ended.score)

    @property
    def marking(self) -> Marking | None:
        """The marks of dead stones, during Go's agreement and after it."""
        marks, cells = self.now.marking, self.state.cells()
        if marks is None:
            return None
        empty = frozenset(cell for cell in marks.neutral if not cells[cell])
        return Marking(cells, self.game.width, frozenset(marks.dead), empty, marks.accepted, touched=True)

    @property
    def started(self) -> bool:
        return self.info.status != "open"

    def update(self, message: Update | Info) -> None:
        """Takes over what an update or an info says."""
        if isinstance(message, Info):
            self.info, self.you = message.match, message.you
            return
        for event in message.events:
            self.follow(event)
        self.now = message.now

    def follow(self, event: Event) -> None:
        """Plays one event along; `now` is as it was."""
        data = event.data
        if event.kind == "move":
            self._add(LineMove(event.number, event.seat, data["text"], list(data["actions"]), event.at_ms))
        elif event.kind == "resume" and event.seat is not None:
            self._add(LineMove(event.number, None, "resume", [], event.at_ms, resumed=1 - event.seat))
        elif "keep" in data:
            del self.line[data["keep"] :], self.states[data["keep"] + 1 :]

    def agrees(self) -> bool:
        """Whether our board is the one that the server shows."""
        cells = "".join(self.game.letters[code] for code in self.state.cells())
        return (cells, self.state.to_move) == (self.now.view.cells, self.now.view.to_move)

    def _add(self, move: LineMove) -> None:
        state = self.state
        if move.resumed is not None:
            state = state.resume(move.resumed)
        for action in move.actions:
            state = state.play(action)
        self.line.append(move)
        self.states.append(state)
