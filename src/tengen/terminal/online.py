"""One match on a server: the loop between what the server says and what the person types.

Both come through one inbox. The server is right about everything; our own `Table` is there to draw, to read
moves and to warn. A move that is not whole yet lives in `pending`. Start reading at `Online.run`.
"""

from __future__ import annotations

import queue
from functools import partial
from typing import Any

from rich.text import Text

from tengen.facets.conversation import Conversation
from tengen.game import IllegalAction, State
from tengen.remote import Healed, Link, RemoteError, Server, Table, Trouble, printable
from tengen.server.protocol import (
    Accepted,
    Clock,
    Correspondence,
    Info,
    MatchInfo,
    Now,
    Refused,
    Snapshot,
    Update,
)
from tengen.terminal import clocks, times
from tengen.terminal.agreement import Mark, mark_sentence, show_count
from tengen.terminal.face import make_face
from tengen.terminal.keyboard import Keyboard, Line
from tengen.terminal.orders import Orders
from tengen.terminal.picture import Picture
from tengen.terminal.reach import for_others
from tengen.terminal.screen import TICK_S, Left, Screen, now_ms
from tengen.terminal.telling import called, event_sentence, offer_sentence
from tengen.terminal.variations import Tried

WARN_MS = (60_000, 30_000, 10_000)  # of one's own time left


class Online:
    """`invitation` is the link for whoever should have the other seat, if we made the match."""

    def __init__(
        self,
        server: Server,
        link: Link,
        inbox: queue.Queue[Any],
        keyboard: Keyboard,
        screen: Screen,
        match: str,
        invitation: str | None = None,
    ) -> None:
        self._server, self._link, self._inbox = server, link, inbox
        self._keyboard, self.screen, self.match = keyboard, screen, match
        self._invitation = invitation
        self._table: Table | None = None
        self._face: Conversation | None = None
        self.pending: list[int] = []
        self._asked: set[str] = set()  # requests without an answer
        self._shown = ""  # the position that was shown last
        self._fresh = False  # nothing was asked since it was shown
        self._warned_ms = 0
        self._waits = False  # the match had a seat to take when we came
        self._gone: set[int] = set()  # other players who were here and are not
        self._orders = Orders(self)
        self._tried: Tried | None = None

    @property
    def joined(self) -> bool:
        """Whether the server has shown us the match."""
        return self._table is not None

    @property
    def going_on(self) -> bool:
        """Whether we have a seat in it and it is not over."""
        if self._table is None or self._table.info.status == "cancelled":
            return False
        return bool(self._table.you) and self._table.now.phase != "over"

    @property
    def table(self) -> Table:
        assert self._table is not None, "nothing is typed or told before the first snapshot"
        return self._table

    @property
    def where(self) -> str:
        """The link for whoever should join, or watch."""
        waiting = self._table is None or not self.table.started
        return self._invitation if waiting and self._invitation else f"{self._server.url}/play/{self.match}"

    @property
    def face(self) -> Conversation:
        assert self._face is not None
        return self._face

    def run(self) -> str | None:
        """To the end of the match; the id of the rematch if there is one. Raises Left when one goes."""
        self.screen.follow(self)
        self._link.watch(self.match)
        while True:
            if self._wanted():
                if not (self._fresh or self._keyboard.asking) and self.my_turn():
                    self.face.again()
                self._fresh = False
                self._keyboard.ask(self._prompt())
            alarm_s = self._alarm_s()
            try:
                item = self._inbox.get(timeout=self._patience_s(alarm_s))
            except queue.Empty:
                if alarm_s is not None and alarm_s <= TICK_S:
                    with self._keyboard.interrupted():
                        self._warn()
                continue
            if isinstance(item, Line):
                self._keyboard.taken()
                if item.text is None:
                    raise Left
                self._orders.take(item.text.strip())
            elif isinstance(item, Exception):
                raise item
            else:
                with self._keyboard.interrupted():
                    self._hear(item)
                self.screen.changed()
            if self._table is not None and self._finished():
                self._link.leave(self.match)
                return self.table.info.rematch if self.table.you else None

    def _finished(self) -> bool:
        """Whether there is nothing left to do here: players may stay for a rematch."""
        info, over = self.table.info, self.table.now.phase == "over"
        return info.status == "cancelled" or (over and (not self.table.you or info.rematch is not None))

    # What the server says

    def _hear(self, message: object) -> None:
        if isinstance(message, Snapshot):
            self._sit(message)
        elif isinstance(message, Update) and message.match == self.match:
            self._news(message)
        elif isinstance(message, Info) and message.match.id == self.match and self.joined:
            self._info(message)
        elif isinstance(message, Accepted):
            self._asked.discard(message.id)
        elif isinstance(message, Refused):
            self._refused(message)
        elif isinstance(message, Trouble):
            self.screen.say(printable(message.message))
        elif isinstance(message, Healed):
            self.screen.say("All is well again.")

    def _sit(self, snapshot: Snapshot) -> None:
        """The match as it is: at first, when it begins, or because ours was another."""
        if snapshot.match.id != self.match:
            return
        before = self._table
        self._table, self.pending = Table(snapshot), []
        self._face = _make_face(self.screen, self.table)
        if before is None:
            self.face.opening(self.table, going_on=bool(self.table.line))
            if not self.table.you:
                self.screen.say("You are watching.")
        if not self.table.started:
            self._waits = True
            if before is None:
                self.screen.say("Waiting for somebody to join. This is the link:")
                self.tell_link()
            return
        if self._waits:
            self._waits = False
            self._say_begun()
        self._show()

    def tell_link(self) -> None:
        link, warning = for_others(self._server, self.where)
        self.screen.say(Text(link))  # in one piece, however narrow the screen
        if warning:
            self.screen.say(warning)

    def _say_begun(self) -> None:
        for seat, one in enumerate(self.table.info.seats):
            if one.kind == "person" and seat not in self.table.you:
                self.screen.say(f"{called(one)} sits down as {self.table.game.seats[seat]}.")

    def _info(self, message: Info) -> None:
        before, info = self.table.info, message.match
        self.table.update(message)
        if info.status == "cancelled":
            self.screen.say("The match was called off.")
        elif before.status == "open" and self.table.started:
            self._link.watch(self.match)  # for the position that it begins with
        elif info.status == "playing":
            for seat, (was, one) in enumerate(zip(before.seats, info.seats, strict=True)):
                if one.kind == "person" and seat not in message.you:
                    self._presence(seat, was.here, one.here)

    def _presence(self, seat: int, was_here: bool, here: bool) -> None:
        if here == (seat in self._gone) and (was_here or here):
            self._gone ^= {seat}
            self.screen.say(f"{self.table.game.seats[seat]} {'is back' if here else 'has gone'}.")

    def _news(self, message: Update) -> None:
        if self._table is None:
            return
        table = self.table
        agreed = table.marking is not None and any(table.marking.accepted)
        for event in message.events:
            before = table.state
            table.follow(event)
            if event.kind == "move" and event.seat is not None:
                self.face.moved(before, table.state, event.seat, printable(event.data["text"]))
            elif event.kind == "mark" and event.seat is not None:
                mark = Mark(event.data["what"], event.data["cell"], event.data["on"])
                self.screen.say(mark_sentence(table.game, event.seat, mark, agreed))
            elif said := event_sentence(event, table.game, table.you, table.state):
                self.screen.say(said)
            agreed = event.kind == "accept"
        table.now = message.now
        if not table.agrees():
            self._link.watch(self.match)
            return
        if self.pending and not self._can_go_on():
            self.pending = []
        self._show()

    def _can_go_on(self) -> bool:
        try:
            return self.my_turn() and bool(self.state())
        except IllegalAction:
            return False

    def _refused(self, message: Refused) -> None:
        if message.id is None and self._table is None:
            raise RemoteError(message.message, message.code)
        self._asked.discard(message.id or "")
        self.pending = []
        if message.code != "stale":  # an update has been shown
            self.answer(printable(message.message))

    def _show(self) -> None:
        """The position, if it is another than before, and what is wanted now."""
        table, now = self.table, self.table.now
        key = f"{now.position} {now.phase}"
        if key == self._shown:
            return
        self._shown, self._warned_ms = key, 0
        if now.phase == "over":
            self.face.over(table)
            if table.you:
                self.screen.say("Type rematch to play again, save FILE to keep the game, or quit.")
        elif now.phase == "agreement":
            if table.marking is not None and now.count is not None:
                show_count(self.screen, table.state, table.marking, now.count)
        elif self.my_turn():
            self.face.turn(table.state)
            self._fresh = True
            self.tell_clocks()
            if self.pending:
                self.face.answer([self.table.game.table.begun_words(self.state())])
        else:
            self.face.watched(table.state)
            self.tell_clocks()
            self.screen.say(f"{table.game.seats[now.view.to_move]} to move.")
        if now.offer is not None:
            self.screen.say(offer_sentence(now.offer, table.game, table.you))

    # Time

    def tell_clocks(self) -> None:
        line = clocks.tell(self.table.info.clock, self.table.now, self.table.game.seats, self._at_ms())
        if line is not None:
            self.screen.say(line)

    def _at_ms(self) -> int:
        return now_ms() + self._link.ahead_ms

    def _left_ms(self) -> int | None:
        """Of our own time while it runs; days are nobody's hurry."""
        table = self._table
        if table is None or isinstance(table.info.clock, Correspondence):
            return None
        if table.now.running not in table.you:
            return None
        shown = clocks.readings(table.info.clock, table.now, self._at_ms())
        return None if shown is None or table.now.running is None else shown[table.now.running].left_ms

    def _alarm_s(self) -> float | None:
        left_ms = self._left_ms()
        if left_ms is None:
            return None
        due = [left_ms - warn_ms for warn_ms in WARN_MS if warn_ms < (self._warned_ms or left_ms)]
        return max(0, min(due)) / 1000 if due else None

    def _patience_s(self, alarm_s: float | None) -> float | None:
        """Until the clocks show something else, where they are shown, or a warning is due."""
        if not self._clocks_run() or not self.screen.live:
            return alarm_s
        return TICK_S if alarm_s is None else min(alarm_s, TICK_S)

    def _clocks_run(self) -> bool:
        """Whether time passes that a person would look at."""
        table = self._table
        if table is None or isinstance(table.info.clock, Correspondence):
            return False
        return table.now.clocks is not None and table.now.running is not None

    def _warn(self) -> None:
        left_ms = self._left_ms()
        if left_ms is not None:
            self._warned_ms = min((ms for ms in WARN_MS if ms >= left_ms - 500), default=WARN_MS[0])
            self.screen.say(f"You have {times.time(left_ms)} left.")

    # What the person types

    def _wanted(self) -> bool:
        """Whether a line is read now. A pipe is read only when it is our turn to do something."""
        if self._asked or self._table is None:
            return False
        if self.screen.typed:
            return True
        table, now = self.table, self.table.now
        if now.phase == "over":
            return bool(table.you)
        if now.offer is not None and 1 - now.offer.seat in table.you:
            return True
        if now.marking is not None:
            return any(not now.marking.accepted[seat] for seat in table.you)
        return self.my_turn()

    def my_turn(self) -> bool:
        if self._table is None:
            return False
        now = self.table.now
        return self.table.started and now.phase == "playing" and now.view.to_move in self.table.you

    def seat(self) -> int:
        """The seat that we speak for: the only one, or in a hot seat the one to act."""
        table, now = self.table, self.table.now
        if len(table.you) < 2:
            return table.you[0]
        if now.offer is not None:
            return 1 - now.offer.seat
        if now.marking is not None:
            return int(now.marking.accepted[0])
        return now.view.to_move

    def _prompt(self) -> str:
        prompt = self.face.prompt(self.seat()) if self._table is not None and self.table.you else "> "
        if not self._clocks_run() or not self.screen.live:
            return prompt
        shown = clocks.readings(self.table.info.clock, self.table.now, self._at_ms())
        return prompt if shown is None else times.before_prompt(shown) + prompt

    def picture(self) -> Picture | None:
        table = self._table
        if table is None:
            return None
        if self._tried is None or self._tried.tree.game != table.game:
            self._tried = Tried.since(table.states[0])
        self._tried.follow([(move.seat, move.text) for move in table.line])
        marking, sheet = table.marking, table.now.count
        if table.now.phase == "agreement" and marking is not None and sheet is not None:
            words = table.game.table.count_words(table.state, marking.dead, sheet, plain=False)
        else:
            words = table.game.table.status_words(self.state())
        players = ["you" if seat in table.you else called(one) for seat, one in enumerate(table.info.seats)]
        offer = table.now.offer
        return Picture(
            game=table.game,
            players=(players[0], players[1]),
            whole=table.state,
            state=self.state(),
            phase=table.now.phase if table.started else "waiting",
            marking=marking,
            words=tuple(words),
            ended="" if table.outcome is None else table.game.table.outcome_words(table.outcome),
            tried=self._tried,
            clocks=partial(_clock_words, table.info.clock, table.now, self._link),
            helps=self.may_ask_machine(),
            tries=False,
            offered=offer is not None and 1 - offer.seat in table.you,
        )

    def may_ask_machine(self) -> bool:
        """Not against other people."""
        table = self.table
        others = [one for seat, one in enumerate(table.info.seats) if seat not in table.you]
        return not (table.you and any(one.kind == "person" for one in others))

    def answer(self, *lines: str) -> None:
        self.face.answer(list(lines))

    def state(self) -> State:
        """With what is pending."""
        state = self.table.state
        for action in self.pending:
            state = state.play(action)
        return state

    def ask(self, kind: str, **fields: Any) -> None:
        self._asked.add(self._link.ask(self.match, kind, seat=self.seat(), **fields))


def _clock_words(clock: Clock, now: Now, link: Link) -> tuple[str, str] | None:
    shown = clocks.readings(clock, now, now_ms() + link.ahead_ms)
    return None if shown is None else (clocks.reading(clock, shown[0]), clocks.reading(clock, shown[1]))


def _make_face(screen: Screen, table: Table) -> Conversation:
    info: MatchInfo = table.info
    names = ["you" if seat in table.you else called(one) for seat, one in enumerate(info.seats)]
    others = ["" if name == "you" else name for name in names]
    return make_face(screen, table.game, (others[0], others[1]), (names[0], names[1]))
