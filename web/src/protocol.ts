// Generated from src/tengen/server/protocol.py by tools/protocol_ts.py; change it there.
/**
 * The whole protocol between a server and its clients, as types. docs/protocol.md explains it in words.
 *
 * Three parts: the nouns that both sides use, the messages of the socket (`FromClient`, `FromServer`), and the
 * bodies of HTTP requests and answers. Everything travels as JSON. web/src/protocol.ts is generated from this
 * file by tools/protocol_ts.py. Seats are 0 and 1; times are milliseconds since 1970 on the server's clock;
 * a cell is its index row by row from the top left.
 *
 * A field that is added must have a default, so that older clients and servers go on to understand each other;
 * anything else raises PROTOCOL.
 */

export type OptionValue = boolean | null | number | string;
export const PROTOCOL = 1;

// Limits on what a client may send; the server refuses more with the code "malformed".
export const MAX_MESSAGE_BYTES = 16384;
export const MAX_UPLOAD_BYTES = 2097152;
export const MAX_NAME = 40;
export const MAX_CLIENT_ID = 64;

export type Phase = "playing" | "agreement" | "over";

export type Status = "open" | "playing" | "over" | "cancelled";

// Games

/** One option of a game, described well enough to build a form for it. */
export type OptionInfo = {
  name: string;
  type: "int" | "float" | "bool" | "str";
  default: OptionValue;
  help: string;
  choices: string[];
  minimum: number | null;
  maximum: number | null;
  optional: boolean;
  late: boolean; // left out of a game's options where all late ones have their defaults
};

export type LevelInfo = {
  number: number;
  name: string;
};

/** What may stand on a cell, by its letter in a view. */
export type PieceInfo = {
  letter: string;
  name: string;
  seat: number | null; // whose it is; None is nobody's
  svg: string | null; // a picture in a box of 100 by 100 around 0,0, from a game that brings one
};

/** How a game is drawn and played by hand, for whoever has no drawing of its own for it. */
export type LookInfo = {
  pieces: PieceInfo[];
  hand: "place" | "choices" | "own";
  bottom: number | null; // the seat that sits below when nobody is at the table; None is either
  colours: [string, string]; // of the seats, in CSS
  sizes: Record<string, OptionValue[]>; // by option, the values that are worth a button
  frame_ms: number; // how long a move is shown to happen
};

export type GameInfo = {
  name: string;
  title: string;
  seats: [string, string];
  reasons: string[]; // how the rules can end it; REASONS of the match come beside them
  letters: string; // of the cells in a view; the first is the empty cell
  board: "points" | "squares" | "row";
  options: OptionInfo[];
  levels: LevelInfo[];
  passes: boolean; // whether a turn may be passed
  presets: Record<string, Record<string, OptionValue>>; // what a value of the option `rules` changes
  about: string; // one sentence
  rules: string; // a short text, its paragraphs apart by an empty line
  counted: boolean; // whether points on the board mean something: a lead, whose a cell is
  agreement: boolean; // whether a game may end in an agreement on dead stones
  look: LookInfo;
  formats: string[]; // that a record of it can be written as
  training: string[]; // the algorithms that can learn it
  training_options: Record<string, OptionValue>; // what a training run of it begins with
  built_in: boolean; // whether it came with tengen
  gtp: boolean; // whether programs play it that know nothing but GTP
  estimates: boolean; // whether a machine can say how a game of it stands in points
  engines: string[]; // strong programs that this server has for it, to play and to analyse with
  wins: Record<string, string>; // by reason: what comes after "Red wins:", with {winner} and {loser}
  draws: Record<string, string>; // by reason: what comes after "The game is a draw"
};

/**
 * What a position looks like, with what a player should see of it.
 *
 * `details` is the game's own, described in its folder (src/tengen/games/<game>/details.py).
 */
export type View = {
  board: "points" | "squares" | "row";
  width: number;
  height: number;
  cells: string; // a letter a cell
  to_move: number;
  last: number[];
  captured: number[];
  score: [number, number] | null;
  details: Record<string, unknown>;
};

export type Outcome = {
  winner: number | null; // None is a draw, or with the reason "void" no result at all
  reason: string;
  score: [number, number] | null;
};

// Clocks

export type NoClock = {
  kind: "none";
};

export type Absolute = {
  kind: "absolute";
  main_ms: number;
};

export type Fischer = {
  kind: "fischer";
  main_ms: number;
  increment_ms: number;
  cap_ms: number | null;
};

export type ByoYomi = {
  kind: "byo-yomi";
  main_ms: number;
  periods: number;
  period_ms: number;
};

export type Canadian = {
  kind: "canadian";
  main_ms: number;
  moves: number; // to be made in each period
  period_ms: number;
};

export type Correspondence = {
  kind: "correspondence";
  days_per_move: number;
  vacation_days: number; // of each seat for the whole match, taken by themselves when a move lasts longer
};

export type Clock = NoClock | Absolute | Fischer | ByoYomi | Canadian | Correspondence;

/** What a clock shows at `Now.at_ms`; `left_ms` is all the time before its flag falls. */
export type Reading = {
  left_ms: number;
  main_ms: number;
  periods: number; // that are left; of a Canadian clock the moves that have to be made in the period
  period_ms: number; // what is left of the period, or of the vacation in correspondence
};

// Matches

/** Who has a seat. `player` is what a machine was asked for with, such as level:5. */
export type SeatInfo = {
  kind: "open" | "invited" | "person" | "machine";
  name: string;
  player: string;
  here: boolean; // whether that person has the match on a screen now
};

/** What is fixed about a match, and who sits where. */
export type MatchInfo = {
  id: string;
  game: string;
  options: Record<string, OptionValue>;
  clock: Clock;
  origin: [string, number] | null; // a position and who moves, where it does not begin at the start
  status: Status;
  public: boolean; // whether the lobby shows it; others are found by their link alone
  seats: [SeatInfo, SeatInfo];
  created_ms: number;
  started_ms: number | null;
  rematch: string | null; // the match that followed
  rematch_of: string | null;
  estimate: boolean; // whether anybody may ask how it stands while it is played
};

/** One line of the log, as tengen.match.events describes it. */
export type Event = {
  number: number;
  kind: string;
  seat: number | null;
  at_ms: number;
  data: Record<string, unknown>;
  position: string; // a fingerprint of the position after it
};

/** A move (or resumption) that stands: what the move list shows. */
export type LineMove = {
  event: number;
  seat: number | null;
  text: string;
  actions: number[]; // none where play was resumed
  at_ms: number;
  resumed: number | null; // the seat that plays on, where the end of the game was taken back
};

export type Offer = {
  what: "draw" | "takeback" | "rematch" | "pause";
  seat: number;
};

export type Marking = {
  dead: number[];
  neutral: number[];
  accepted: [boolean, boolean];
};

/** The score sheet of an agreement; pairs are by seat. */
export type Count = {
  points: [number, number];
  territory: [number, number];
  stones: [number, number];
  lost: [number, number]; // own stones captured in play
  dead: [number, number]; // own stones dead on the board
  owner: number[]; // by cell: 0 nobody's, 1 Black's, 2 White's
};

/** A whole move that is legal, listed for games whose `LookInfo.hand` is choices, 2,000 at most. */
export type MoveChoice = {
  actions: number[];
  text: string;
  cells: number[]; // that may be tapped to make it
};

/** What the log amounts to: enough to draw the match and to offer what can be done. */
export type Now = {
  number: number; // of the last event
  position: string;
  phase: Phase;
  view: View;
  legal: number[]; // single actions; whole moves are in `moves` or `view.details`, as the game's hand says
  line: number; // how many moves stand
  at_ms: number;
  running: number | null; // whose clock runs
  clocks: [Reading, Reading] | null; // None where nobody is timed
  outcome: Outcome | null;
  offer: Offer | null;
  marking: Marking | null;
  count: Count | null;
  suspended: boolean;
  paused: boolean; // by agreement; either seat may ask to unpause
  can_take_back: [boolean, boolean];
  moves: MoveChoice[];
};

/** A match in a list. */
export type MatchSummary = {
  info: MatchInfo;
  you: number[]; // the seats that you hold
  moves: number;
  to_move: number | null;
  moved_ms: number;
  diagram: string; // the board, as `position` reads it
  outcome: Outcome | null;
};

// The socket, client to server

/** The first message. Without `secret` the cookie of the connection says who it is, if anyone. */
export type Hello = {
  type: "hello";
  protocol: number;
  secret?: string | null;
  news?: boolean; // whether `notices` are understood
};

/** Follow a match. Who has events 1 to `after` and stands at `position` gets only what came since. */
export type Watch = {
  type: "watch";
  match: string;
  after?: number;
  position?: string | null;
};

export type Leave = {
  type: "leave";
  match: string;
};

/** Follow the lobby, and which of one's own matches move on, until the same with `on` false. */
export type Visit = {
  type: "visit";
  on?: boolean;
};

/**
 * Something that a seat asks for. `id` is the client's own: the same id never counts twice.
 *
 * `position`, where given, is what the client saw: if the match has moved on, the answer is the code stale.
 * `seat` is needed only where one person holds both.
 */
export type Ask = {
  type: "ask";
  match: string;
  id: string;
  kind: "move" | "resign" | "offer" | "answer" | "mark" | "accept" | "resume" | "claim" | "unpause";
  seat?: number | null;
  position?: string | null;
  text?: string | null; // move: in the game's notation, or
  actions?: number[] | null; // move: as actions
  what?: string | null; // offer, answer: draw, takeback, rematch, pause; mark: dead, neutral
  accept?: boolean | null; // answer
  cell?: number | null; // mark
  on?: boolean | null; // mark
};

export type Ping = {
  type: "ping";
  at?: number; // anything; it comes back
};

export type FromClient = Hello | Watch | Leave | Visit | Ask | Ping;

// The socket, server to client

export type Code =
  | "malformed" // cannot be read; a bug of the client
  | "unknown" // there is no such match, or not for you
  | "stranger" // you have no such seat
  | "not-your-turn"
  | "illegal" // the rules forbid the move; the message says why
  | "not-now" // could be asked for at another time
  | "stale" // the match has moved on; who watches it has been sent a snapshot
  | "over"
  | "time-up"
  | "too-many" // a limit; try again later
  | "unavailable"; // nothing was changed, and the same request may be sent again

export type Welcome = {
  type: "welcome";
  protocol: number;
  version: string;
  at_ms: number;
  name: string | null; // your nickname; None for somebody who has not been seen before
};

/** All of a match. Also sent instead of an update to a client whose position differs. */
export type Snapshot = {
  type: "snapshot";
  match: MatchInfo;
  you: number[];
  line: LineMove[];
  now: Now;
};

/** Events that follow on those the client has, and what they amount to. */
export type Update = {
  type: "update";
  match: string;
  events: Event[];
  now: Now;
};

/** Somebody sat down, came or left, or a rematch was made. */
export type Info = {
  type: "info";
  match: MatchInfo;
  you: number[];
  watchers: number;
};

/** The request is stored as event `number`. A repeated request gets the same answer again. */
export type Accepted = {
  type: "accepted";
  match: string;
  id: string;
  number: number;
};

/** Nothing was changed. `message` is one sentence for the player. */
export type Refused = {
  type: "refused";
  match: string | null;
  id: string | null;
  code: Code;
  message: string;
};

export type Pong = {
  type: "pong";
  at: number;
  at_ms: number;
};

/** The server is about to close the socket; a client comes back by itself unless `final`. */
export type Closing = {
  type: "closing";
  message: string;
  final: boolean;
};

export type NoticeInfo = {
  id: string;
  text: string;
  created_ms: number;
};

/** All that the operator has to say to everybody now; only to who said `news` in the hello. */
export type Notices = {
  type: "notices";
  notices: NoticeInfo[];
};

/** The lobby, to who visits it: its lists as ids, and of their matches those that are new or changed. */
export type Listed = {
  type: "listed";
  open: string[];
  playing: string[];
  matches: MatchSummary[];
};

/** A match of yours has moved on, or is new; to who visits the lobby. */
export type Yours = {
  type: "yours";
  match: string;
};

export type FromServer = Welcome | Snapshot | Update | Info | Accepted | Refused | Pong | Closing | Notices | Listed | Yours;

// HTTP

/** The body of every answer that is not a success. */
export type Problem = {
  code: Code;
  message: string;
};

/** Who should have a seat: oneself, anybody, whoever has the link, or a machine such as level:5. */
export type SeatWish = {
  kind: "me" | "open" | "invited" | "machine";
  player?: string;
};

/** POST /api/matches. Two seats for `me` are one person who plays both sides. */
export type NewMatch = {
  game: string;
  seats: [SeatWish, SeatWish];
  options?: Record<string, OptionValue>;
  clock?: Clock;
  origin?: [string, number] | null;
  public?: boolean;
  name?: string | null; // a nickname to take at the same time
  estimate?: boolean; // whether two persons who play may ask how it stands; else they may anyway
};

/** `secret` is who you are, for programs; browsers keep it in a cookie. It is told once. */
export type Created = {
  match: string;
  you: number[];
  invitation: string | null; // the token of the seat that waits for whoever has the link
  secret: string | null;
};

/** POST /api/matches/{match}/join */
export type Join = {
  token?: string | null;
  name?: string | null;
};

/** GET and PUT /api/me */
export type Me = {
  name: string;
};

/** A browser or a program that is you. */
export type Device = {
  id: string;
  name: string; // such as "Firefox, Android"; empty where it did not say
  created_ms: number;
  seen_ms: number; // about when it was last used
  this: boolean; // whether it is the one that asks
};

export type PasskeyInfo = {
  id: string;
  name: string; // of the device that it was made on
  created_ms: number;
  used_ms: number | null;
};

/** GET /api/me/account: how you come back, and from where you are here. */
export type Account = {
  known: boolean; // whether the server has seen you before; if not, all else is empty
  name: string;
  recovery_ms: number | null; // when your recovery code was made, if you have one
  devices: Device[];
  passkeys: PasskeyInfo[];
  blocked: Blocked[];
};

/** POST /api/me/recovery: a code that lets you back in once. It is told once, and ends the one before. */
export type RecoveryCode = {
  code: string;
};

/** POST /api/me/recover */
export type Recover = {
  code: string;
};

/** POST /api/me/link: for the address /device#TOKEN, which makes another device yours, once. */
export type DeviceLink = {
  token: string;
  until_ms: number;
};

/** POST /api/me/device */
export type UseLink = {
  token: string;
};

/** Who you are on this device from now on. `recovery` is a new code: the one that was used is spent. */
export type Admitted = {
  name: string;
  recovery: string | null;
  secret: string | null; // for programs; browsers keep it in a cookie
};

/** What a browser is to be asked, as `PublicKeyCredential.parse…OptionsFromJSON` takes it. */
export type PasskeyOptions = {
  options: Record<string, unknown>;
};

/** What the browser answered, as `PublicKeyCredential.toJSON` gives it. */
export type PasskeyAnswer = {
  credential: Record<string, unknown>;
};

/** POST /api/me/erase. Your games stay with whom you played, as games of nobody. */
export type Erase = {
  sure: boolean;
};

/** Somebody whom you do not meet any more. */
export type Blocked = {
  id: string;
  name: string; // that they had when you blocked them
  created_ms: number;
};

/** POST /api/me/blocks: whoever has that seat. */
export type Block = {
  match: string;
  seat: number;
};

/** POST /api/reports: a name at a match, or a study; `reason` is yours, one or two sentences. */
export type Report = {
  match: string | null;
  seat: number | null;
  study: string | null;
  reason: string;
};

/** GET /api/matches/{match}/events, and with ?after=N those that follow on event N, a thousand at most */
export type Log = {
  events: Event[];
  number: number; // of the last event that there is
  more: boolean;
};

/** GET /api/lobby */
export type Lobby = {
  open: MatchSummary[];
  playing: MatchSummary[];
};

/** GET /api/matches/{match}/estimate: how it stands. `ownership` is like that of an analysis. */
export type Estimate = {
  points: [number, number]; // that the seats may expect at the end
  dead: number[];
  ownership: number[];
};

/**
 * GET /api/matches/{match}/absence: since when or from when on the opponent of who asks can be claimed
 * against, by the server's clock; null while there is nothing to claim.
 */
export type Absence = {
  claim_from_ms: number | null;
};

/** GET /api/me/matches, and with ?before=MOVED_MS:ID of the last one the page after it */
export type MyMatches = {
  matches: MatchSummary[];
  more: boolean;
};

/** A position by how it came about: what the search and the review are asked about. */
export type Place = {
  game: string;
  options?: Record<string, OptionValue>;
  origin?: [string, number] | null;
  moves?: number[][]; // the actions of each move
  resumptions?: [number, number][]; // where play was resumed: after how many moves, who moves next
};

/** One position of a line. */
export type Position = {
  text: string; // the move that led here, empty for the start
  seat: number | null; // who made it
  view: View;
  legal: number[];
  diagram: string;
  outcome: Outcome | null;
  moves: MoveChoice[];
  resumed: number | null; // the seat that plays on here, where no move but a resumption led here
};

/** POST /api/line answers a Place with every position on the way to it. */
export type Line = {
  positions: Position[];
};

// Who judged: everything is known of the position, a program was asked, a brain knows the board, or playouts

// alone, whose figures are rough.

export type Judge = "exact" | "katago" | "brain" | "search";

// Who is asked: the strongest that there is, our own search, or the program.

export type Engine = "auto" | "own" | "katago";

/** POST /api/analysis */
export type AnalysisRequest = {
  place: Place;
  seconds?: number;
};

export type Candidate = {
  move: string;
  actions: number[];
  visits: number;
  win: number; // for the player to move, 0 to 1
  lead: number | null;
  proven: "win" | "draw" | "loss" | null;
  line: string[];
  line_actions: number[][]; // the actions of each move of `line`
};

export type Analysis = {
  to_move: number;
  visits: number;
  win: number;
  lead: number | null;
  proven: "win" | "draw" | "loss" | null;
  moves: Candidate[];
  ownership: number[] | null; // by cell: 1 the first seat's, -1 the second's
  by: Judge;
};

/** POST /api/explore answers with a Finding a line, for as long as somebody listens. */
export type Exploration = {
  place: Place;
  engine?: Engine;
  seconds?: number; // at most
};

/** What is known by now. `message` is a sentence for the player, or empty; after `done` comes no more. */
export type Finding = {
  analysis: Analysis | null;
  message: string;
  done: boolean;
};

/** POST /api/turning: of a game that has ended in that place, perhaps by giving up. */
export type TurningRequest = {
  place: Place;
  loser: number;
};

/**
 * Why a game was lost: by that move, `slowly` and most of it by that move, not on the board (`open`), or
 * without a chance (`never`).
 */
export type TurningPoint = {
  kind: "move" | "slowly" | "open" | "never";
  seat: number; // of the loser
  number: number; // of the move, from 1
  move: string;
  better: string; // empty where it slipped away and the search knows no better move
  proven: boolean; // whether the better move wins for certain
  chance: number; // of the loser with the better move, or as it stood at the end
  line: string[]; // the better move first
  line_actions: number[][];
  since: number; // between these two moves it slipped away
  until: number;
  had: number; // of the loser at those moves
  left: number;
};

/** POST /api/review answers with a ReviewedMove a line, as each is found. */
export type ReviewRequest = {
  place: Place;
  visits?: number;
};

export type ReviewedMove = {
  number: number;
  seat: number;
  move: string;
  win_before: number; // the mover's chances with the best move
  win_after: number; // and with the one that was played
  lead: number | null;
  best: string;
  line: string[];
  mistake: "blunder" | "mistake" | "inaccuracy" | null;
  line_actions: number[][]; // the actions of each move of `line`, the best move first
  by: Judge;
};

/** A move of a study; its parent stands before it in the list. The root is node 0 and has no move. */
export type StudyNode = {
  parent: number | null;
  seat: number | null;
  text: string;
  actions: number[];
  comment: string;
  resumed: number | null; // the seat that plays on, where this is no move but a resumption
  origin: [string, number] | null; // the position set up, where this is no move but goes on from there
  analysis: Analysis | null; // what is known of the position here, and
  review: ReviewedMove | null; // of the move that led here
  sgf: Record<string, string[]>; // what else a file said here, such as clocks and marks, as SGF has it
};

export type Person = {
  name: string;
  kind: string;
};

/** A game to look at, with variations: a finished match or an imported record. */
export type Study = {
  game: string;
  options: Record<string, OptionValue>;
  nodes: StudyNode[];
  id: string | null;
  origin: [string, number] | null;
  players: [Person, Person];
  result: Outcome | null;
  title: string;
  number: number; // of the game in the file that it came from, and
  games: number; // how many that has
  info: Record<string, string>; // what else the file said, such as the event
  started: string; // a date, as the file has it
  notice: string; // what of the file could not be opened, in a sentence
};

/** POST /api/studies/review answers with a NodeReview a line: the main line first, then the variations. */
export type StudyReview = {
  study: Study;
  visits: number;
  engine: Engine;
};

/** What was found out about a node of a study: the move that led to it, or the position there. */
export type NodeReview = {
  node: number;
  review: ReviewedMove | null;
  analysis: Analysis | null;
  message: string; // a sentence for the player, or empty
  done: number; // how many moves have been reviewed, of
  total: number; // all
};

/**
 * POST /api/studies: SGF or our JSON record, and which game of an SGF collection.
 *
 * `data` are the bytes of a file, in base64, whose encoding the server finds out; otherwise `text` is read.
 */
export type Import = {
  text?: string;
  data?: string;
  number?: number;
};

/** A game of a collection; `problem` says why one cannot be opened. */
export type GameEntry = {
  number: number;
  game: string;
  title: string;
  players: [string, string];
  date: string;
  result: Outcome | null;
  problem: string;
};

/** POST /api/studies/games: the games of a file, as many as are listed, and how many it has. */
export type Collection = {
  entries: GameEntry[];
  games: number;
};

// Brains and the Lab

/** GET /api/brains: a brain that can have a seat, as brain:NAME or with simulations as brain:NAME@64. */
export type BrainInfo = {
  game: string;
  name: string;
  options: Record<string, OptionValue>; // of the game that it was trained on
  algorithm: string;
  games: number; // that it has learned from
  loss: number;
  rating: number | null; // measured in the arena; None where nobody has
  created: string; // a date in the form of ISO 8601
  title: string;
  champion: boolean; // whether brain:latest means it
  shipped: boolean; // whether it came with tengen, and cannot be removed
  any_board: boolean; // whether it takes every board and rules of the game, not `options` alone
};

export type RunKind = "gumbel" | "dqn" | "duel";

export type RunState = "starting" | "running" | "paused" | "stopping" | "stopped" | "finished" | "failed";

/** POST /api/lab/runs: a brain learns by playing, or two play each other and learn from it. */
export type NewRun = {
  kind: RunKind;
  game: string;
  minutes?: number;
  brains?: string[]; // the names of two for a duel; of one that "gumbel" goes on from, if any
  options?: Record<string, OptionValue>; // of the game; with brains theirs, or left out
};

/** POST /api/lab/runs/{run}. `resume` also goes on with a run that was stopped or broke off. */
export type RunWish = {
  wish: "pause" | "resume" | "stop" | "save";
  minutes?: number | null; // of one that goes on, from here; unless given what was left
};

/** A training run; it lives on when its browser is closed and when the server stops. */
export type RunInfo = {
  name: string;
  kind: RunKind;
  game: string;
  options: Record<string, OptionValue>;
  brains: string[];
  created: string;
  state: RunState;
  message: string; // one sentence, or empty
  games: number;
  loss: number | null;
  games_per_s: number | null;
  elapsed_s: number;
  left_s: number | null;
  brain: string | null; // the one that was saved last
};

/** What the curves are drawn from. */
export type RunPoint = {
  t_s: number;
  games: number;
  loss: number | null;
  elo: number | null;
  win_rates: Record<string, number>; // by opponent, 0 to 1
};

/** The game that a run plays at this moment. */
export type LiveGame = {
  names: [string, string];
  moves: number; // actions so far
  view: View;
  outcome: Outcome | null;
};

/** GET /api/lab/runs/{run}, and with ?after=N only the points that follow on the first N */
export type RunReport = {
  run: RunInfo;
  after: number; // how many points came before these; less than asked for where the run has lost some
  points: RunPoint[];
  live: LiveGame | null;
};

/** GET /api/lab */
export type Lab = {
  missing: string; // why nothing can be trained here, one sentence; empty where it can
  kinds: Record<string, string[]>; // by game, what it can be trained with
  runs: RunInfo[]; // the latest first
};

/** GET /api/server: what this server is and offers. */
export type ServerInfo = {
  version: string;
  protocol: number;
  programs: string[]; // names of GTP programs that can have a seat, as program:NAME
  addresses: string[]; // where others on the network find it; empty on one's own machine
  lab: boolean; // whether you may train brains on it
};

// What games tell of a position beside its board: `View.details`

/** `View.details` of Go. */
export type GoDetails = {
  liberties: number[]; // by cell, of the chain on it
  ko: number | null; // the cell that may not be retaken
  prisoners: [number, number]; // stones captured by each seat
};

/** `View.details` of Great Kingdom. */
export type GreatKingdomDetails = {
  territory: number[]; // by cell: 0 nobody's, 1 Blue's, 2 Orange's
  liberties: number[]; // by cell, of the group on it
  suicide: number[]; // where a castle would lose at once, so that a client can ask first
  passes: number; // in a row
  lead: number; // how far Blue must be ahead
  castles_left: [number, number] | null; // None without a limit
};

export type MoveKind = "move" | "capture" | "convert" | "recall";

export type KelasuTarget = {
  cell: number;
  kind: MoveKind;
};

export type KelasuMoves = {
  from: number;
  targets: KelasuTarget[];
};

export type KelasuMerge = {
  kind: string; // the letter of the piece, in capitals
  cost: number; // how many blanks it takes
  targets: number[]; // the blanks that can take part, and where the piece may stand
};

/** `View.details` of Kelasu. */
export type KelasuDetails = {
  energy: number;
  quiet_rounds: number;
  moved: number[]; // cells of pieces that have moved this turn
  victory_tiles: number[];
  stages: number[]; // the actions of the move under way
  moves: KelasuMoves[]; // for each piece that can move
  merges: KelasuMerge[]; // for each kind that can be merged
  may_end_turn: boolean;
};
