"""The whole protocol between a server and its clients, as types. docs/protocol.md explains it in words.

Three parts: the nouns that both sides use, the messages of the socket (`FromClient`, `FromServer`), and the
bodies of HTTP requests and answers. Everything travels as JSON. web/src/protocol.ts is generated from this
file by tools/protocol_ts.py. Seats are 0 and 1; times are milliseconds since 1970 on the server's clock;
a cell is its index row by row from the top left.

A field that is added must have a default, so that older clients and servers go on to understand each other;
anything else raises PROTOCOL.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from tengen.game import OptionValue

PROTOCOL = 1

# Limits on what a client may send; the server refuses more with the code "malformed".
MAX_MESSAGE_BYTES = 16 * 1024
MAX_UPLOAD_BYTES = 2 * 1024 * 1024
MAX_NAME = 40
MAX_CLIENT_ID = 64

Phase = Literal["playing", "agreement", "over"]
Status = Literal["open", "playing", "over", "cancelled"]


class Noun(Struct, frozen=True):
    """A value of the protocol."""


# Games


class OptionInfo(Noun):
    """One option of a game, described well enough to build a form for it."""

    name: str
    type: Literal["int", "float", "bool", "str"]
    default: OptionValue
    help: str
    choices: list[str] = []
    minimum: int | None = None
    maximum: int | None = None
    optional: bool = False
    late: bool = False  # left out of a game's options where all late ones have their defaults


class LevelInfo(Noun):
    number: int
    name: str


class PieceInfo(Noun):
    """What may stand on a cell, by its letter in a view."""

    letter: str
    name: str
    seat: int | None = None  # whose it is; None is nobody's
    svg: str | None = None  # a picture in a box of 100 by 100 around 0,0, from a game that brings one


class LookInfo(Noun):
    """How a game is drawn and played by hand, for whoever has no drawing of its own for it."""

    pieces: list[PieceInfo] = []
    # place: an action below width × height is a cell, and the next one the pass; choices: see `moves` of a
    # position; own: whole moves are put together from `View.details`
    hand: Literal["place", "choices", "own"] = "place"
    bottom: int | None = None  # the seat that sits below when nobody is at the table; None is either
    colours: tuple[str, str] = ("#2b2b2b", "#f4efe6")  # of the seats, in CSS
    sizes: dict[str, list[OptionValue]] = {}  # by option, the values that are worth a button
    frame_ms: int = 180  # how long a move is shown to happen


class GameInfo(Noun):
    name: str
    title: str
    seats: tuple[str, str]
    reasons: list[str]  # how the rules can end it; REASONS of the match come beside them
    letters: str  # of the cells in a view; the first is the empty cell
    board: Literal["points", "squares", "row"]
    options: list[OptionInfo]
    levels: list[LevelInfo]
    passes: bool  # whether a turn may be passed
    presets: dict[str, dict[str, OptionValue]] = {}  # what a value of the option `rules` changes
    about: str = ""  # one sentence
    rules: str = ""  # a short text, its paragraphs apart by an empty line
    counted: bool = False  # whether points on the board mean something: a lead, whose a cell is
    agreement: bool = False  # whether a game may end in an agreement on dead stones
    look: LookInfo = LookInfo()
    formats: list[str] = []  # that a record of it can be written as
    training: list[str] = []  # the algorithms that can learn it
    training_options: dict[str, OptionValue] = {}  # what a training run of it begins with
    built_in: bool = True  # whether it came with tengen
    gtp: bool = False  # whether programs play it that know nothing but GTP
    estimates: bool = False  # whether a machine can say how a game of it stands in points
    engines: list[str] = []  # strong programs that this server has for it, to play and to analyse with
    wins: dict[str, str] = {}  # by reason: what comes after "Red wins:", with {winner} and {loser}
    draws: dict[str, str] = {}  # by reason: what comes after "The game is a draw"


class View(Noun):
    """What a position looks like, with what a player should see of it.

    `details` is the game's own, described in its folder (src/tengen/games/<game>/details.py).
    """

    board: Literal["points", "squares", "row"]
    width: int
    height: int
    cells: str  # a letter a cell
    to_move: int
    last: list[int] = []
    captured: list[int] = []
    score: tuple[float, float] | None = None
    details: dict[str, Any] = {}


class Outcome(Noun):
    winner: int | None  # None is a draw, or with the reason "void" no result at all
    reason: str
    score: tuple[float, float] | None = None


# Clocks


class NoClock(Struct, frozen=True, tag_field="kind", tag="none"):
    pass


class Absolute(Struct, frozen=True, tag_field="kind", tag="absolute"):
    main_ms: int


class Fischer(Struct, frozen=True, tag_field="kind", tag="fischer"):
    main_ms: int
    increment_ms: int
    cap_ms: int | None = None


class ByoYomi(Struct, frozen=True, tag_field="kind", tag="byo-yomi"):
    main_ms: int
    periods: int
    period_ms: int


class Canadian(Struct, frozen=True, tag_field="kind", tag="canadian"):
    main_ms: int
    moves: int  # to be made in each period
    period_ms: int


class Correspondence(Struct, frozen=True, tag_field="kind", tag="correspondence"):
    days_per_move: int
    vacation_days: int = 0  # of each seat for the whole match, taken by themselves when a move lasts longer


Clock = NoClock | Absolute | Fischer | ByoYomi | Canadian | Correspondence


class Reading(Noun):
    """What a clock shows at `Now.at_ms`; `left_ms` is all the time before its flag falls."""

    left_ms: int
    main_ms: int
    periods: int = 0  # that are left; of a Canadian clock the moves that have to be made in the period
    period_ms: int = 0  # what is left of the period, or of the vacation in correspondence


# Matches


class SeatInfo(Noun):
    """Who has a seat. `player` is what a machine was asked for with, such as level:5."""

    kind: Literal["open", "invited", "person", "machine"]
    name: str = ""
    player: str = ""
    here: bool = False  # whether that person has the match on a screen now


class MatchInfo(Noun):
    """What is fixed about a match, and who sits where."""

    id: str
    game: str
    options: dict[str, OptionValue]
    clock: Clock
    origin: tuple[str, int] | None  # a position and who moves, where it does not begin at the start
    status: Status
    public: bool  # whether the lobby shows it; others are found by their link alone
    seats: tuple[SeatInfo, SeatInfo]
    created_ms: int
    started_ms: int | None = None
    rematch: str | None = None  # the match that followed
    rematch_of: str | None = None
    estimate: bool = False  # whether anybody may ask how it stands while it is played


class Event(Noun):
    """One line of the log, as tengen.match.events describes it."""

    number: int
    kind: str
    seat: int | None
    at_ms: int
    data: dict[str, Any]
    position: str  # a fingerprint of the position after it


class LineMove(Noun):
    """A move (or resumption) that stands: what the move list shows."""

    event: int
    seat: int | None
    text: str
    actions: list[int]  # none where play was resumed
    at_ms: int
    resumed: int | None = None  # the seat that plays on, where the end of the game was taken back


class Offer(Noun):
    what: Literal["draw", "takeback", "rematch", "pause"]
    seat: int


class Marking(Noun):
    dead: list[int]
    neutral: list[int]
    accepted: tuple[bool, bool]


class Count(Noun):
    """The score sheet of an agreement; pairs are by seat."""

    points: tuple[float, float]
    territory: tuple[int, int]
    stones: tuple[int, int]
    lost: tuple[int, int]  # own stones captured in play
    dead: tuple[int, int]  # own stones dead on the board
    owner: list[int]  # by cell: 0 nobody's, 1 Black's, 2 White's


class MoveChoice(Noun):
    """A whole move that is legal, listed for games whose `LookInfo.hand` is choices, 2,000 at most."""

    actions: list[int]
    text: str
    cells: list[int]  # that may be tapped to make it


class Now(Noun):
    """What the log amounts to: enough to draw the match and to offer what can be done."""

    number: int  # of the last event
    position: str
    phase: Phase
    view: View
    legal: list[int]  # single actions; whole moves are in `moves` or `view.details`, as the game's hand says
    line: int  # how many moves stand
    at_ms: int
    running: int | None  # whose clock runs
    clocks: tuple[Reading, Reading] | None  # None where nobody is timed
    outcome: Outcome | None = None
    offer: Offer | None = None
    marking: Marking | None = None
    count: Count | None = None
    suspended: bool = False
    paused: bool = False  # by agreement; either seat may ask to unpause
    can_take_back: tuple[bool, bool] = (False, False)
    moves: list[MoveChoice] = []


class MatchSummary(Noun):
    """A match in a list."""

    info: MatchInfo
    you: list[int]  # the seats that you hold
    moves: int
    to_move: int | None
    moved_ms: int
    diagram: str  # the board, as `position` reads it
    outcome: Outcome | None = None


# The socket, client to server


class Message(Struct, frozen=True, tag_field="type", tag=str.lower):
    pass


class Hello(Message):
    """The first message. Without `secret` the cookie of the connection says who it is, if anyone."""

    protocol: int
    secret: str | None = None
    news: bool = False  # whether `notices` are understood


class Watch(Message):
    """Follow a match. Who has events 1 to `after` and stands at `position` gets only what came since."""

    match: str
    after: int = 0
    position: str | None = None


class Leave(Message):
    match: str


class Visit(Message):
    """Follow the lobby, and which of one's own matches move on, until the same with `on` false."""

    on: bool = True


class Ask(Message):
    """Something that a seat asks for. `id` is the client's own: the same id never counts twice.

    `position`, where given, is what the client saw: if the match has moved on, the answer is the code stale.
    `seat` is needed only where one person holds both.
    """

    match: str
    id: str
    kind: Literal["move", "resign", "offer", "answer", "mark", "accept", "resume", "claim", "unpause"]
    seat: int | None = None
    position: str | None = None
    text: str | None = None  # move: in the game's notation, or
    actions: list[int] | None = None  # move: as actions
    what: str | None = None  # offer, answer: draw, takeback, rematch, pause; mark: dead, neutral
    accept: bool | None = None  # answer
    cell: int | None = None  # mark
    on: bool | None = None  # mark


class Ping(Message):
    at: float = 0  # anything; it comes back


FromClient = Hello | Watch | Leave | Visit | Ask | Ping


# The socket, server to client

Code = Literal[
    "malformed",  # cannot be read; a bug of the client
    "unknown",  # there is no such match, or not for you
    "stranger",  # you have no such seat
    "not-your-turn",
    "illegal",  # the rules forbid the move; the message says why
    "not-now",  # could be asked for at another time
    "stale",  # the match has moved on; who watches it has been sent a snapshot
    "over",
    "time-up",
    "too-many",  # a limit; try again later
    "unavailable",  # nothing was changed, and the same request may be sent again
]


class Welcome(Message):
    protocol: int
    version: str
    at_ms: int
    name: str | None  # your nickname; None for somebody who has not been seen before


class Snapshot(Message):
    """All of a match. Also sent instead of an update to a client whose position differs."""

    match: MatchInfo
    you: list[int]
    line: list[LineMove]
    now: Now


class Update(Message):
    """Events that follow on those the client has, and what they amount to."""

    match: str
    events: list[Event]
    now: Now


class Info(Message):
    """Somebody sat down, came or left, or a rematch was made."""

    match: MatchInfo
    you: list[int]
    watchers: int = 0


class Accepted(Message):
    """The request is stored as event `number`. A repeated request gets the same answer again."""

    match: str
    id: str
    number: int


class Refused(Message):
    """Nothing was changed. `message` is one sentence for the player."""

    match: str | None
    id: str | None
    code: Code
    message: str


class Pong(Message):
    at: float
    at_ms: int


class Closing(Message):
    """The server is about to close the socket; a client comes back by itself unless `final`."""

    message: str
    final: bool = False


class NoticeInfo(Noun):
    id: str
    text: str
    created_ms: int


class Notices(Message):
    """All that the operator has to say to everybody now; only to who said `news` in the hello."""

    notices: list[NoticeInfo]


class Listed(Message):
    """The lobby, to who visits it: its lists as ids, and of their matches those that are new or changed."""

    open: list[str]
    playing: list[str]
    matches: list[MatchSummary]


class Yours(Message):
    """A match of yours has moved on, or is new; to who visits the lobby."""

    match: str


FromServer = (
    Welcome | Snapshot | Update | Info | Accepted | Refused | Pong | Closing | Notices | Listed | Yours
)


# HTTP


class Problem(Noun):
    """The body of every answer that is not a success."""

    code: Code
    message: str


class SeatWish(Noun):
    """Who should have a seat: oneself, anybody, whoever has the link, or a machine such as level:5."""

    kind: Literal["me", "open", "invited", "machine"]
    player: str = ""


class NewMatch(Noun):
    """POST /api/matches. Two seats for `me` are one person who plays both sides."""

    game: str
    seats: tuple[SeatWish, SeatWish]
    options: dict[str, OptionValue] = {}
    clock: Clock = NoClock()
    origin: tuple[str, int] | None = None
    public: bool = True
    name: str | None = None  # a nickname to take at the same time
    estimate: bool = False  # whether two persons who play may ask how it stands; else they may anyway


class Created(Noun):
    """`secret` is who you are, for programs; browsers keep it in a cookie. It is told once."""

    match: str
    you: list[int]
    invitation: str | None = None  # the token of the seat that waits for whoever has the link
    secret: str | None = None


class Join(Noun):
    """POST /api/matches/{match}/join"""

    token: str | None = None
    name: str | None = None


class Me(Noun):
    """GET and PUT /api/me"""

    name: str = ""


class Device(Noun):
    """A browser or a program that is you."""

    id: str
    name: str  # such as "Firefox, Android"; empty where it did not say
    created_ms: int
    seen_ms: int  # about when it was last used
    this: bool  # whether it is the one that asks


class PasskeyInfo(Noun):
    id: str
    name: str  # of the device that it was made on
    created_ms: int
    used_ms: int | None = None


class Account(Noun):
    """GET /api/me/account: how you come back, and from where you are here."""

    known: bool  # whether the server has seen you before; if not, all else is empty
    name: str = ""
    recovery_ms: int | None = None  # when your recovery code was made, if you have one
    devices: list[Device] = []
    passkeys: list[PasskeyInfo] = []
    blocked: list[Blocked] = []


class RecoveryCode(Noun):
    """POST /api/me/recovery: a code that lets you back in once. It is told once, and ends the one before."""

    code: str


class Recover(Noun):
    """POST /api/me/recover"""

    code: str


class DeviceLink(Noun):
    """POST /api/me/link: for the address /device#TOKEN, which makes another device yours, once."""

    token: str
    until_ms: int


class UseLink(Noun):
    """POST /api/me/device"""

    token: str


class Admitted(Noun):
    """Who you are on this device from now on. `recovery` is a new code: the one that was used is spent."""

    name: str
    recovery: str | None = None
    secret: str | None = None  # for programs; browsers keep it in a cookie


class PasskeyOptions(Noun):
    """What a browser is to be asked, as `PublicKeyCredential.parse…OptionsFromJSON` takes it."""

    options: dict[str, Any]


class PasskeyAnswer(Noun):
    """What the browser answered, as `PublicKeyCredential.toJSON` gives it."""

    credential: dict[str, Any]


class Erase(Noun):
    """POST /api/me/erase. Your games stay with whom you played, as games of nobody."""

    sure: bool


class Blocked(Noun):
    """Somebody whom you do not meet any more."""

    id: str
    name: str  # that they had when you blocked them
    created_ms: int


class Block(Noun):
    """POST /api/me/blocks: whoever has that seat."""

    match: str
    seat: int


class Report(Noun):
    """POST /api/reports: a name at a match, or a study; `reason` is yours, one or two sentences."""

    match: str | None = None
    seat: int | None = None
    study: str | None = None
    reason: str = ""


class Log(Noun):
    """GET /api/matches/{match}/events, and with ?after=N those that follow on event N, a thousand at most"""

    events: list[Event]
    number: int  # of the last event that there is
    more: bool = False


class Lobby(Noun):
    """GET /api/lobby"""

    open: list[MatchSummary]
    playing: list[MatchSummary]


class Estimate(Noun):
    """GET /api/matches/{match}/estimate: how it stands. `ownership` is like that of an analysis."""

    points: tuple[float, float]  # that the seats may expect at the end
    dead: list[int]
    ownership: list[float]


class Absence(Noun):
    """GET /api/matches/{match}/absence: since when or from when on the opponent of who asks can be claimed
    against, by the server's clock; null while there is nothing to claim.
    """

    claim_from_ms: int | None


class MyMatches(Noun):
    """GET /api/me/matches, and with ?before=MOVED_MS:ID of the last one the page after it"""

    matches: list[MatchSummary]
    more: bool = False


class Place(Noun):
    """A position by how it came about: what the search and the review are asked about."""

    game: str
    options: dict[str, OptionValue] = {}
    origin: tuple[str, int] | None = None
    moves: list[list[int]] = []  # the actions of each move
    resumptions: list[tuple[int, int]] = []  # where play was resumed: after how many moves, who moves next


class Position(Noun):
    """One position of a line."""

    text: str  # the move that led here, empty for the start
    seat: int | None  # who made it
    view: View
    legal: list[int]
    diagram: str
    outcome: Outcome | None = None
    moves: list[MoveChoice] = []
    resumed: int | None = None  # the seat that plays on here, where no move but a resumption led here


class Line(Noun):
    """POST /api/line answers a Place with every position on the way to it."""

    positions: list[Position]


# Who judged: everything is known of the position, a program was asked, a brain knows the board, or playouts
# alone, whose figures are rough.
Judge = Literal["exact", "katago", "brain", "search"]
# Who is asked: the strongest that there is, our own search, or the program.
Engine = Literal["auto", "own", "katago"]


class AnalysisRequest(Noun):
    """POST /api/analysis"""

    place: Place
    seconds: float = 1.0


class Candidate(Noun):
    move: str
    actions: list[int]
    visits: int
    win: float  # for the player to move, 0 to 1
    lead: float | None
    proven: Literal["win", "draw", "loss"] | None
    line: list[str]
    line_actions: list[list[int]] = []  # the actions of each move of `line`


class Analysis(Noun):
    to_move: int
    visits: int
    win: float
    lead: float | None
    proven: Literal["win", "draw", "loss"] | None
    moves: list[Candidate]
    ownership: list[float] | None  # by cell: 1 the first seat's, -1 the second's
    by: Judge = "search"


class Exploration(Noun):
    """POST /api/explore answers with a Finding a line, for as long as somebody listens."""

    place: Place
    engine: Engine = "auto"
    seconds: float = 30.0  # at most


class Finding(Noun):
    """What is known by now. `message` is a sentence for the player, or empty; after `done` comes no more."""

    analysis: Analysis | None
    message: str = ""
    done: bool = False


class TurningRequest(Noun):
    """POST /api/turning: of a game that has ended in that place, perhaps by giving up."""

    place: Place
    loser: int


class TurningPoint(Noun):
    """Why a game was lost: by that move, `slowly` and most of it by that move, not on the board (`open`), or
    without a chance (`never`)."""

    kind: Literal["move", "slowly", "open", "never"]
    seat: int  # of the loser
    number: int = 0  # of the move, from 1
    move: str = ""
    better: str = ""  # empty where it slipped away and the search knows no better move
    proven: bool = False  # whether the better move wins for certain
    chance: float = 0.0  # of the loser with the better move, or as it stood at the end
    line: list[str] = []  # the better move first
    line_actions: list[list[int]] = []
    since: int = 0  # between these two moves it slipped away
    until: int = 0
    had: float = 0.0  # of the loser at those moves
    left: float = 0.0


class ReviewRequest(Noun):
    """POST /api/review answers with a ReviewedMove a line, as each is found."""

    place: Place
    visits: int = 400


class ReviewedMove(Noun):
    number: int
    seat: int
    move: str
    win_before: float  # the mover's chances with the best move
    win_after: float  # and with the one that was played
    lead: float | None
    best: str
    line: list[str]
    mistake: Literal["blunder", "mistake", "inaccuracy"] | None
    line_actions: list[list[int]] = []  # the actions of each move of `line`, the best move first
    by: Judge = "search"


class StudyNode(Noun):
    """A move of a study; its parent stands before it in the list. The root is node 0 and has no move."""

    parent: int | None
    seat: int | None = None
    text: str = ""
    actions: list[int] = []
    comment: str = ""
    resumed: int | None = None  # the seat that plays on, where this is no move but a resumption
    origin: tuple[str, int] | None = None  # the position set up, where this is no move but goes on from there
    analysis: Analysis | None = None  # what is known of the position here, and
    review: ReviewedMove | None = None  # of the move that led here
    sgf: dict[str, list[str]] = {}  # what else a file said here, such as clocks and marks, as SGF has it


class Person(Noun):
    name: str = ""
    kind: str = ""


class Study(Noun):
    """A game to look at, with variations: a finished match or an imported record."""

    game: str
    options: dict[str, OptionValue]
    nodes: list[StudyNode]
    id: str | None = None
    origin: tuple[str, int] | None = None
    players: tuple[Person, Person] = (Person(), Person())
    result: Outcome | None = None
    title: str = ""
    number: int = 1  # of the game in the file that it came from, and
    games: int = 1  # how many that has
    info: dict[str, str] = {}  # what else the file said, such as the event
    started: str = ""  # a date, as the file has it
    notice: str = ""  # what of the file could not be opened, in a sentence


class StudyReview(Noun):
    """POST /api/studies/review answers with a NodeReview a line: the main line first, then the variations."""

    study: Study
    visits: int = 400
    engine: Engine = "auto"


class NodeReview(Noun):
    """What was found out about a node of a study: the move that led to it, or the position there."""

    node: int
    review: ReviewedMove | None = None
    analysis: Analysis | None = None
    message: str = ""  # a sentence for the player, or empty
    done: int = 0  # how many moves have been reviewed, of
    total: int = 0  # all


class Import(Noun):
    """POST /api/studies: SGF or our JSON record, and which game of an SGF collection.

    `data` are the bytes of a file, in base64, whose encoding the server finds out; otherwise `text` is read.
    """

    text: str = ""
    data: bytes = b""
    number: int = 1


class GameEntry(Noun):
    """A game of a collection; `problem` says why one cannot be opened."""

    number: int
    game: str = ""
    title: str = ""
    players: tuple[str, str] = ("", "")
    date: str = ""
    result: Outcome | None = None
    problem: str = ""


class Collection(Noun):
    """POST /api/studies/games: the games of a file, as many as are listed, and how many it has."""

    entries: list[GameEntry]
    games: int


# Brains and the Lab


class BrainInfo(Noun):
    """GET /api/brains: a brain that can have a seat, as brain:NAME or with simulations as brain:NAME@64."""

    game: str
    name: str
    options: dict[str, OptionValue]  # of the game that it was trained on
    algorithm: str
    games: int  # that it has learned from
    loss: float
    rating: float | None  # measured in the arena; None where nobody has
    created: str  # a date in the form of ISO 8601
    title: str = ""
    champion: bool = False  # whether brain:latest means it
    shipped: bool = False  # whether it came with tengen, and cannot be removed
    any_board: bool = False  # whether it takes every board and rules of the game, not `options` alone


RunKind = Literal["gumbel", "dqn", "duel"]
RunState = Literal["starting", "running", "paused", "stopping", "stopped", "finished", "failed"]


class NewRun(Noun):
    """POST /api/lab/runs: a brain learns by playing, or two play each other and learn from it."""

    kind: RunKind
    game: str
    minutes: float = 30.0
    brains: list[str] = []  # the names of two for a duel; of one that "gumbel" goes on from, if any
    options: dict[str, OptionValue] = {}  # of the game; with brains theirs, or left out


class RunWish(Noun):
    """POST /api/lab/runs/{run}. `resume` also goes on with a run that was stopped or broke off."""

    wish: Literal["pause", "resume", "stop", "save"]
    minutes: float | None = None  # of one that goes on, from here; unless given what was left


class RunInfo(Noun):
    """A training run; it lives on when its browser is closed and when the server stops."""

    name: str
    kind: RunKind
    game: str
    options: dict[str, OptionValue]
    brains: list[str]
    created: str
    state: RunState
    message: str  # one sentence, or empty
    games: int
    loss: float | None
    games_per_s: float | None
    elapsed_s: float
    left_s: float | None
    brain: str | None  # the one that was saved last


class RunPoint(Noun):
    """What the curves are drawn from."""

    t_s: float
    games: int
    loss: float | None
    elo: float | None
    win_rates: dict[str, float]  # by opponent, 0 to 1


class LiveGame(Noun):
    """The game that a run plays at this moment."""

    names: tuple[str, str]
    moves: int  # actions so far
    view: View
    outcome: Outcome | None = None


class RunReport(Noun):
    """GET /api/lab/runs/{run}, and with ?after=N only the points that follow on the first N"""

    run: RunInfo
    after: int  # how many points came before these; less than asked for where the run has lost some
    points: list[RunPoint]
    live: LiveGame | None = None


class Lab(Noun):
    """GET /api/lab"""

    missing: str  # why nothing can be trained here, one sentence; empty where it can
    kinds: dict[str, list[str]]  # by game, what it can be trained with
    runs: list[RunInfo]  # the latest first


class ServerInfo(Noun):
    """GET /api/server: what this server is and offers."""

    version: str
    protocol: int
    programs: list[str]  # names of GTP programs that can have a seat, as program:NAME
    addresses: list[str] = []  # where others on the network find it; empty on one's own machine
    lab: bool = False  # whether you may train brains on it
