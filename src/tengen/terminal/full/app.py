"""The app of the full screen: what is shown where, and what keys and clicks mean. Start at `FullScreen`.

The game runs in a thread (`Show.play`) before a `Stage`; its pictures come as messages. What is looked at is
the game as it is, or with the keys of the move list an earlier position or a variation (`_viewed`).
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Event, Key, Paste, Resize
from textual.message import Message
from textual.screen import Screen as Layer
from textual.widgets import Footer, Input, OptionList, RichLog, Static
from textual.widgets.input import Selection

from tengen.analysis import analyse
from tengen.game import State
from tengen.players.player import PlayerError
from tengen.records import Node, RecordError
from tengen.terminal import saving
from tengen.terminal.ending import CODE
from tengen.terminal.full.board import Board, Field
from tengen.terminal.full.panels import Graph, Log, Moves, Players, line_through
from tengen.terminal.full.questions import OneOf, Page, YesOrNo
from tengen.terminal.full.show import Show
from tengen.terminal.full.stage import Asked, Said, Shown, Thinks
from tengen.terminal.hand import Hand, Tapped, begins_cell
from tengen.terminal.picture import Picture
from tengen.terminal.rules import rules
from tengen.terminal.screen import Left
from tengen.terminal.variations import steps_to

GRAPH_SECONDS = 0.1  # of search for each position of the win graph
TICK_S = 0.5
LAST_WAIT_S = 2.0  # for a game that does not hear that one leaves
PAGE = 96  # columns of a page at most
LEAST_BESIDE = 24  # columns beside the board, below which there is only the board
SAVE_KEY, SAVE = "s", "save "
OPEN, ORDER = "open ", "Press / to type a move or an order"
LINE_KEYS = ("slash", "colon")  # begin a line
HARMLESS = ("g", "h", "j", "k", "l")  # keys that act at once; a digit behind one makes a cell of both
TYPING = "A move or an order; Esc goes back to the board"
ASKED = {  # by key: an order that is asked for first, since a key is as easily the beginning of a move
    "p": ("pass", "Pass?"),
    "d": ("draw", "Offer a draw?"),
    "u": ("undo", "Take a move back?"),
    "a": ("accept", "Accept what is offered?"),
}
OVER = "The game is over: w says why, t plays on from a position, o opens another."
KEYS = """\
arrows, mouse   choose a cell; Enter or a click plays there
h  hint         u  take back        p  pass         m  all moves
g  win graph    , .  a move back, on; Home, End; or click in the list
t  play on from the position that is shown; what was played stays as a variation
w  after the end: where it was lost
a  accept       x  decline, or play on after two passes
d  offer a draw         r  resign
s  save         o  open
/  type a move or an order; a capital letter or a digit begins one, too
   p, u, a and d stand in the line for Enter; go on typing, and they begin a move
q  leave: the game is kept
"""


class Ended(Message):
    """The thread of a show is at its end; with what was raised there."""

    def __init__(self, show: Show, error: BaseException | None) -> None:
        self.show, self.error = show, error
        super().__init__()


class Judged(Message):
    def __init__(self, node: Node, win: float | None) -> None:
        self.node, self.win = node, win
        super().__init__()


class FullScreen(App[None]):
    TITLE = "tengen"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "full.tcss"
    BINDINGS: ClassVar = [
        Binding("h", "order('hint')", "Hint"),
        Binding("u", "ask('u')", "Undo"),
        Binding("p", "ask('p')", "Pass"),
        Binding("a", "ask('a')", "Accept"),
        Binding("x", "decline", "Play on"),
        Binding("m", "moves", "Moves"),
        Binding("g", "graph", "Graph"),
        Binding("t", "try", "Try from here"),
        Binding("w", "why", "Why lost"),
        Binding("d", "ask('d')", "Draw", show=False),
        Binding("r", "order('resign')", "Resign"),
        Binding(SAVE_KEY, f"type('{SAVE}')", "Save", show=False),
        Binding("o", "open", "Open"),
        Binding("comma,pageup", "browse(-1)", "Back", show=False),
        Binding("full_stop,pagedown", "browse(1)", "On", show=False),
        Binding("home", "browse(-100000)", "First", show=False),
        Binding("end", "live", "Last", show=False),
        Binding("escape", "board", "Board", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("q", "leave", "Leave"),
        Binding("ctrl+q,ctrl+c", "leave", "Leave", show=False, priority=True),
    ]

    def __init__(self, show: Show) -> None:
        super().__init__()
        self.current = show
        self.error: BaseException | None = None
        self.picture: Picture | None = None
        self.asked = False  # an order is waited for
        self.ended = False  # by SIGTERM
        self._leaving = False
        self._next: Show | None = None
        self._thread: threading.Thread | None = None
        self._hand: Hand | None = None
        self._viewed: Node | None = None  # an earlier position or a variation, None for the game as it is
        self._drawn_soon = False
        self._letter = ""  # of a harmless key, if that was pressed last
        self._offered: tuple[str, bool, bool, bool] | None = None  # what the keys in the footer depend on
        self._wins: dict[Node, float] = {}
        self._graphed = False  # the win graph is shown, and follows the game
        self._judging: threading.Event | None = None  # set to end the thread that makes the graph

    # What is shown

    def compose(self) -> ComposeResult:
        with Horizontal(id="main"):
            with Field(id="field"):
                yield Board(self.current.stage)
            with Vertical(id="side"):
                yield Players(id="players")
                yield Static(id="words")
                yield Static(id="others")
                yield Graph(id="graph")
                yield Moves()
                yield Log(id="said", wrap=True, min_width=1, max_lines=200)
        yield Input(id="order", placeholder=ORDER, select_on_focus=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#said", RichLog).can_focus = False
        self.query_one(Board).focus()
        self.set_interval(TICK_S, self._tick)
        with contextlib.suppress(NotImplementedError):  # Windows has no such signal
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._end)
        self._begin(self.current, self.current.play)

    def _begin(self, show: Show, play: Callable[[], None]) -> None:
        def run() -> None:
            error: BaseException | None = None
            try:
                play()
            except BaseException as raised:
                error = raised
            self.post_message(Ended(show, error))

        self.current = show
        show.stage.attach(self)
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def on_ended(self, message: Ended) -> None:
        if message.show is not self.current:
            return
        self.asked = False
        self._thread = None
        if self._next is not None:
            self._restart(self._next)
        elif message.error is not None or self._leaving:
            if not self._leaving and not isinstance(message.error, Left):
                self.error = message.error
            self.exit()

    def _restart(self, show: Show) -> None:
        self._next, self._viewed, self._hand, self.picture = None, None, None, None
        self._wins = {}
        self.query_one("#said", RichLog).clear()
        self._begin(show, show.play)

    def on_said(self, message: Said) -> None:
        self._say(message.text)

    def _say(self, text: str) -> None:
        log = self.query_one("#said", RichLog)
        log.write(Text(text))
        log.call_after_refresh(log.scroll_end, animate=False)

    def on_thinks(self, message: Thinks) -> None:
        self.query_one("#order", Input).placeholder = f"{message.who} is thinking…" if message.who else ORDER

    def on_shown(self, message: Shown) -> None:
        if message.asks is not None:
            self.asked = True
        if message.picture is None:
            return
        if self.picture is None or message.picture.game is not self.picture.game:
            self._hand = Hand(message.picture.game)
        elif message.picture.state is not self.picture.state and self._hand is not None:
            self._hand.chosen.clear()
        self.picture = message.picture
        if not self._drawn_soon:
            self._drawn_soon = True
            self.call_next(self._draw)

    def on_asked(self, message: Asked) -> None:
        self.push_screen(YesOrNo(message.question), message.answer.put)

    @property
    def viewed(self) -> Node:
        assert self.picture is not None
        return self._viewed or self.picture.tried.here

    def _draw(self) -> None:
        self._drawn_soon = False
        picture = self.picture
        if picture is None:
            return
        self._draw_board(picture)
        words = [picture.ended] if picture.ended else list(picture.words)
        if self._viewed is not None:
            words = [f"After move {len(steps_to(self._viewed))}. t plays on from here, End goes back."]
        self.query_one("#words", Static).update(Text("\n".join(words)))
        self.query_one(Players).show(picture)
        self._draw_others(picture)
        self.query_one(Moves).show(picture, self.viewed)
        self._draw_graph()
        if self._graphed and picture.helps:
            self._judge()
        offered = (picture.phase, picture.offered, picture.helps, self._viewed is None)
        if offered != self._offered:
            self._offered = offered
            self.refresh_bindings()

    def _draw_board(self, picture: Picture) -> None:
        board, hand = self.query_one(Board), self._hand
        assert hand is not None
        if self._viewed is not None:
            board.show(self._state_of(self._viewed), None, frozenset(), frozenset())
            return
        targets = hand.targets(picture.whole, picture.state) if picture.phase == "playing" else frozenset()
        begun = picture.state.actions[len(picture.whole.actions) :]
        cells = picture.game.width * picture.game.height
        chosen = frozenset(hand.chosen) or frozenset(action for action in begun if action < cells)
        board.show(picture.state, picture.marking, chosen, targets)

    def _draw_others(self, picture: Picture) -> None:
        assert self._hand is not None
        others = self._hand.others(picture.state) if picture.phase == "playing" and not self._viewed else []
        links = [
            Content.from_markup(f"[@click=app.other({number})]$name[/]", name=f" {text} ")
            for number, text in enumerate(others)
        ]
        self.query_one("#others", Static).update(Content(" ").join(links) if links else "")

    def _draw_graph(self) -> None:
        if self.picture is not None:
            line = line_through(self.viewed)
            self.query_one(Graph).show(self.picture, line, self._wins if self._graphed else {}, self.viewed)

    def _state_of(self, node: Node) -> State:
        assert self.picture is not None
        return self.picture.tried.tree.state(node)

    def _tick(self) -> None:
        if self.picture is not None and not self.screen.is_modal:
            self.query_one(Players).show(self.picture)

    def on_resize(self, event: Resize) -> None:
        board = self.query_one(Board)
        narrow = event.size.width < board.least_width + LEAST_BESIDE
        self.query_one("#side").display = not narrow

    # Orders

    def give(self, *orders: str) -> None:
        """What a person wants, if somebody waits for it."""
        if not self.asked:
            over = self.picture is not None and self.picture.phase == "over"
            self._say(OVER if over else "Not now.")
            return
        self.asked = False
        for order in orders:
            self.current.stage.give(order)

    def on_board_tapped(self, message: Board.Tapped) -> None:
        picture = self.picture
        if picture is None or self._hand is None:
            return
        if self._viewed is not None:
            self._say("This is another position: t plays on from here, End goes back.")
        elif picture.phase == "playing" and self.asked:
            self._take(self._hand.tap(picture.whole, picture.state, message.cell))
        else:
            self.give(picture.game.look.cell_name(message.cell))

    def _take(self, tapped: Tapped) -> None:
        if tapped.refusal:
            self._say(tapped.refusal)
        elif tapped.choices:
            self._choose("Which move?", tapped.choices)
        elif tapped.orders:
            self.give(*tapped.orders)
        self._draw()

    def _choose(self, question: str, texts: tuple[str, ...]) -> None:
        def chosen(text: str | None) -> None:
            if text is not None:
                self.give(text)

        self.push_screen(OneOf(question, texts), chosen)

    def action_order(self, order: str) -> None:
        self.give(order)

    def action_ask(self, key: str) -> None:
        """By a click on the key's name at the foot."""
        order, question = ASKED[key]

        def answered(yes: bool | None) -> None:
            if yes:
                self.give(order)

        self.push_screen(YesOrNo(question), answered)

    def _ask(self, key: str) -> None:
        """By the key: its order stands in the line for Enter, and what is typed on makes a move of it."""
        order, question = ASKED[key]
        if not self.asked:
            self.give(order)  # says why not
            return
        self._say(f"{question} Enter does it, Esc does not.")
        self.action_type(order)
        self.query_one("#order", Input).selection = Selection(len(key), len(order))

    def action_decline(self) -> None:
        agreeing = self.picture is not None and self.picture.phase == "agreement"
        self.give("resume" if agreeing else "decline")

    def action_other(self, number: int) -> None:
        if self.picture is not None and self._hand is not None:
            self.give(self._hand.others(self.picture.state)[number])

    def action_why(self) -> None:
        if self._thread is None:
            self._begin(self.current, self.current.why)
        else:
            self.give("why")

    def action_moves(self) -> None:
        if self.picture is not None and self._hand is not None:
            self._choose("Which move?", tuple(self._hand.all_moves(self.picture.state)))

    def action_type(self, text: str) -> None:
        order = self.query_one("#order", Input)
        order.placeholder = TYPING
        order.value = text
        self.screen.set_focus(order)  # now, and not after the keys that wait
        order.cursor_position = len(text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        self.action_board()
        if line.lower() in ("quit", "exit"):
            self.action_leave()
        elif line.lower() == "why":
            self.action_why()
        elif line.lower().startswith(OPEN):
            self._open(line[len(OPEN) :].strip())
        elif line:
            self.give(line)

    async def on_event(self, event: Event) -> None:
        """Looks at keys before a widget does: those that come close behind the first belong to its line."""
        fresh = isinstance(event, Key | Paste) and not event.is_forwarded
        on_board = fresh and isinstance(self.focused, Board)
        begun = self._begun_by(event) if on_board else None
        if on_board and isinstance(event, Key) and event.key in ASKED and event.key in self.active_bindings:
            self._ask(event.key)
        elif begun is None:
            await super().on_event(event)
        else:
            self.action_type(begun)

    def _begun_by(self, event: Event) -> str | None:
        """The line that it begins: a letter that is no key here, or a digit, is the first of a move.

        A key that begins a line does so at once, before the letters behind it are taken for keys.
        """
        if isinstance(event, Paste):
            return next(iter(event.text.splitlines()), "").strip()
        if not isinstance(event, Key):
            return None
        letter, self._letter = self._letter, ""
        if event.key in HARMLESS and event.key in self.active_bindings and self.asked:
            self._letter = event.key
        if event.key in LINE_KEYS:
            return ""
        if event.key == SAVE_KEY:
            return SAVE
        character = event.character or ""
        picture, cell = self.picture, letter + character
        if letter and picture and character.isdigit() and begins_cell(picture.game, cell):
            if letter == "g":
                self.action_graph()  # off again
            self.asked = True  # the move waits behind the hint
            return cell
        if not character.isalnum() or event.key in self.active_bindings:
            return None
        if self._thread is None:  # nobody waits for a move: what is left to do has keys
            self._say(OVER)
            return None
        return character

    def action_board(self) -> None:
        order = self.query_one("#order", Input)
        order.placeholder, order.value = ORDER, ""
        self.screen.set_focus(self.query_one(Board))

    def action_help(self) -> None:
        if self.picture is not None:
            width = min(self.size.width * 9 // 10, PAGE) - 8
            self.push_screen(Page([*KEYS.splitlines(), "", *rules(self.picture.game, width)]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        picture = self.picture
        if picture is None:
            return action in ("leave", "help")
        if isinstance(self.screen, OneOf | Page | YesOrNo):
            return action == "leave" and isinstance(self.screen, Layer)
        if action == "try":
            return picture.tries and (self._viewed is not None or picture.phase == "over")
        if action == "why":
            return picture.phase == "over"
        if action == "graph":
            return picture.helps
        if parameters == ("hint",):
            return picture.helps and picture.phase == "playing"
        if action == "decline" or parameters == ("a",):
            return picture.phase == "agreement" or picture.offered
        if parameters == ("p",):
            return picture.phase == "playing" and picture.game.table.passes
        if parameters == ("resign",):
            return picture.phase != "over"
        if action in ("order", "ask", "moves"):
            return picture.phase == "playing"
        return True

    # Other positions

    def action_browse(self, by: int) -> None:
        if self.picture is None:
            return
        line = line_through(self.viewed)
        at = max(0, min(len(line) - 1, line.index(self.viewed) + by))
        self._view(line[at])

    def action_live(self) -> None:
        self._viewed = None
        self._draw()

    def _view(self, node: Node) -> None:
        assert self.picture is not None
        try:
            self._state_of(node)
        except RecordError as error:
            self._say(str(error))
            return
        self._viewed = None if node is self.picture.tried.here else node
        self._draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        moves = self.query_one(Moves)
        if event.option_list is moves:
            self._view(moves.nodes[event.option_index])
            self.query_one(Board).focus()

    def action_try(self) -> None:
        picture, node = self.picture, self.viewed
        if picture is None:
            return
        if self._state_of(node).outcome is not None:
            self._say("The game is over there: go back a move first.")
            return
        if self._thread is not None and not self.asked:
            self._say("Not now.")
            return
        self._viewed = None
        if self._thread is None:
            show = self.current
            self._begin(show, lambda: show.again(node))
        else:
            self.asked = False
            self.current.stage.go(node)

    # The win graph

    def action_graph(self) -> None:
        self._graphed = not self._graphed
        self._draw()

    def _judge(self) -> None:
        """Looks at the positions of the line that have not been looked at yet."""
        picture = self.picture
        if picture is None:
            return
        tree, nodes = picture.tried.tree, [n for n in line_through(self.viewed) if n not in self._wins]
        if not nodes:
            return
        if self._judging is not None:
            self._judging.set()
        self._judging = stop = threading.Event()

        def judge() -> None:
            for node in nodes:
                if stop.is_set():
                    return
                self.post_message(Judged(node, _chances(tree.state(node))))

        threading.Thread(target=judge, daemon=True).start()

    def on_judged(self, message: Judged) -> None:
        if message.win is not None:
            self._wins[message.node] = message.win
        self._draw_graph()

    # Coming and going

    def action_open(self) -> None:
        offers = self.current.offers()
        other = "another file…"

        def chosen(text: str | None) -> None:
            if text == other:
                self.action_type(OPEN)
            elif text is not None:
                self._open(offers[text])

        self.push_screen(OneOf("Open which game?", (*offers, other)), chosen)

    def _open(self, name: str) -> None:
        try:
            self._next = self.current.opened(saving.named(name))
        except (ValueError, OSError, PlayerError) as error:
            self._say(str(error))
            return
        if self._thread is None:
            self._restart(self._next)
        else:
            self.current.stop()
            self.current.stage.leave()

    def _end(self) -> None:
        self.ended = True
        self.action_leave()

    def action_leave(self) -> None:
        self._leaving = True
        if self._judging is not None:
            self._judging.set()
        self.current.stop()
        self.current.stage.leave()
        if self._thread is None:
            self.exit()
        else:
            self.set_timer(LAST_WAIT_S, self.exit)


def _chances(state: State) -> float | None:
    """Of the first seat; None where no search can tell."""
    if state.outcome is not None:
        return {0: 1.0, 1: 0.0, None: 0.5}[state.outcome.winner]
    try:
        found = analyse(state, GRAPH_SECONDS)
    except TypeError:  # a game that the search does not know
        return None
    return found.win if found.to_move == 0 else 1.0 - found.win


def present(show: Show) -> Show:
    """Shows it until the person leaves; gives what was shown last, raises what was raised there."""
    app = FullScreen(show)
    app.run()
    app.current.stage.close()
    if app.ended:
        raise SystemExit(CODE)
    if app.return_code:  # a fault of ours, which the toolkit has told
        raise SystemExit(app.return_code)
    if app.error is not None:
        raise app.error
    return app.current
