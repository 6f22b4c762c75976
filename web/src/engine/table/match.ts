/**
 * One contest on the device: the rules of a match as src/tengen/match/match.py has them, for the seats that a device
 * can have, a person who plays both sides or plays with machines. The rules of the game are the core's.
 *
 * A `Match` is a value: what is asked for gives the next one, whose last event is new, or is refused and changes
 * nothing. All but the position itself (`told`) is plain data (`Kept`), and that is what is stored. Start reading at
 * `Match.apply`. table.test.ts plays the same scripts here and there.
 */
import { wayOf } from "../../net/place";
import type { Ask, Clock, Event, LineMove, Now, Offer, OptionValue, Outcome, Phase, Place, Reading } from "../../protocol";
import type { Core, Made, Told } from "../core/types";
import * as agreement from "./agreement";
import type { Mark, Marks } from "./agreement";
import * as clock from "./clock";
import type { Reserve } from "./clock";
import { Refusal } from "./refusal";

export interface Occupant {
  kind: "person" | "machine";
  name: string;
  player: string; // what a machine is asked for with
}

export interface Setup {
  game: string;
  seatNames: [string, string]; // as sentences call them
  options: Record<string, OptionValue>;
  origin: [string, number] | null;
  clock: Clock;
  seats: [Occupant, Occupant];
  started_ms: number;
  agreement?: boolean; // whether two machines agree on dead stones too; matches of before did not say
}

type Pair<T> = [T, T];

/** A move that stands, with what both seats had on their clocks after it. */
export interface Step extends LineMove {
  reserves: Pair<Reserve>;
}

/** What a log amounts to. `used_ms` of the turn under way were counted up to `since_ms`. */
export interface Standing {
  line: Step[];
  reserves: Pair<Reserve>;
  since_ms: number;
  used_ms: number;
  suspended: boolean;
  paused: boolean; // by agreement of the seats
  outcome: Outcome | null;
  marks: Marks | null; // from two passes on until play is resumed; kept if the match ends there
  offer: Offer | null;
  declined: Offer[]; // since the last move
  rematch: boolean; // agreed
}

/** A match as it is stored. */
export interface Kept {
  setup: Setup;
  events: Event[];
  standing: Standing;
}

export type Request = Pick<Ask, "kind" | "position" | "text" | "actions" | "what" | "accept" | "cell" | "on"> & {
  seat: number;
  at_ms: number;
};

const OFFERS = ["draw", "takeback", "rematch", "pause"];
const MARKS = ["dead", "neutral"];

interface Decision {
  kind: string;
  data: Record<string, unknown>;
  standing: Standing;
  told?: Told;
}

export class Match {
  private constructor(
    private readonly core: Core,
    readonly setup: Setup,
    readonly events: readonly Event[],
    readonly standing: Standing,
    readonly told: Told,
  ) {}

  static async begin(core: Core, setup: Setup): Promise<Match> {
    const reserves: Pair<Reserve> = [clock.start(setup.clock), clock.start(setup.clock)];
    const standing: Standing = {
      line: [],
      reserves,
      since_ms: setup.started_ms,
      used_ms: 0,
      suspended: false,
      paused: false,
      outcome: null,
      marks: null,
      offer: null,
      declined: [],
      rematch: false,
    };
    const told = await core.position(placeOf(setup, []));
    const match = new Match(core, setup, [], standing, told);
    return new Match(core, setup, [], match.#arrived(standing, told), told);
  }

  static async restore(core: Core, { setup, events, standing }: Kept): Promise<Match> {
    return new Match(core, setup, events, standing, await core.position(placeOf(setup, standing.line)));
  }

  get kept(): Kept {
    return { setup: this.setup, events: [...this.events], standing: this.standing };
  }

  // What the log amounts to.

  get line(): readonly Step[] {
    return this.standing.line;
  }

  get place(): Place {
    return placeOf(this.setup, this.line);
  }

  get outcome(): Outcome | null {
    return this.standing.outcome;
  }

  get phase(): Phase {
    if (this.outcome) return "over";
    return this.standing.marks ? "agreement" : "playing";
  }

  get toMove(): number {
    return this.told.view.to_move;
  }

  /** What the position is called: the same only for the same line and, in an agreement, the same marks. */
  get position(): string {
    return positionOf(this.standing);
  }

  /** The seat whose clock runs. */
  get running(): number | null {
    const { suspended, paused } = this.standing;
    return this.phase === "playing" && !suspended && !paused ? this.toMove : null;
  }

  get flag_at_ms(): number | null {
    if (this.running === null) return null;
    const budget_ms = clock.budget_ms(this.setup.clock, this.standing.reserves[this.running]!);
    return budget_ms === null ? null : this.standing.since_ms + budget_ms - this.standing.used_ms;
  }

  canTakeBack(seat: number): boolean {
    return this.phase === "playing" && this.#turnStart(seat) !== null;
  }

  /** As the protocol tells it. */
  async now(at_ms: number): Promise<Now> {
    const { standing, told, phase, setup } = this;
    const { marks } = standing;
    const neutral = marks ? agreement.neutral(marks) : [];
    return {
      number: this.events.length,
      position: this.position,
      phase,
      view: told.view,
      legal: phase === "playing" ? told.legal : [],
      line: this.line.length,
      at_ms,
      running: this.running,
      clocks: setup.clock.kind === "none" ? null : [this.reading(0, at_ms), this.reading(1, at_ms)],
      outcome: this.outcome,
      offer: standing.offer,
      marking: marks && { dead: marks.dead, neutral, accepted: marks.accepted },
      count: marks && (await this.core.count(this.place, marks.dead, neutral)),
      suspended: standing.suspended,
      paused: standing.paused,
      can_take_back: [this.canTakeBack(0), this.canTakeBack(1)],
      moves: phase === "playing" ? told.moves : [],
    };
  }

  reading(seat: number, at_ms: number): Reading {
    const underWay = this.phase === "playing" && this.toMove === seat;
    const used_ms = underWay ? this.#used_ms(this.#time(at_ms)) : 0;
    return clock.reading(this.setup.clock, this.standing.reserves[seat]!, used_ms);
  }

  // What the seats ask for.

  /** The match with what a seat asks for; throws `Refusal`. */
  async apply(request: Request): Promise<Match> {
    const { kind, seat } = request;
    const at_ms = this.#time(request.at_ms);
    const seen = request.position ?? null;
    if (kind === "accept" && seen === null) {
      throw new Refusal("malformed", "An acceptance says which marks it is for.");
    }
    if (kind !== "offer" && kind !== "answer") this.#checkNotOver();
    if (kind === "claim") throw new Refusal("not-now", "Nobody has left this match.");
    this.#checkFlag(at_ms);
    if (this.standing.suspended && kind !== "resign") throw new Refusal("not-now", "The match is suspended.");
    if (seen !== null && seen !== this.position) {
      throw new Refusal("stale", "The match has moved on since.");
    }
    try {
      return this.#appended(seat, at_ms, await this.#decide(request, at_ms));
    } catch (error) {
      throw Refusal.of(error);
    }
  }

  async #decide(request: Request, at_ms: number): Promise<Decision> {
    const { kind, seat } = request;
    switch (kind) {
      case "move":
        return this.#move(request, at_ms);
      case "resign":
        return { kind, data: {}, standing: this.#ended(at_ms, { winner: 1 - seat, reason: "resign", score: null }) };
      case "offer":
        return this.#offer(seat, at_ms, word(request.what, OFFERS));
      case "answer":
        return this.#answer(seat, at_ms, word(request.what, OFFERS), request.accept);
      case "mark":
        return this.#mark(request);
      case "accept":
        return this.#accept(seat, at_ms);
      case "resume":
        return this.#resume(seat, at_ms);
      case "unpause":
        return this.#unpause(at_ms);
      default:
        throw new Refusal("malformed", "There is no such request.");
    }
  }

  async #move(request: Request, at_ms: number): Promise<Decision> {
    const { seat } = request;
    this.#checkPlaying();
    if (this.standing.paused) throw new Refusal("not-now", "The match is paused: let it go on first.");
    if (this.toMove !== seat) {
      throw new Refusal("not-your-turn", `It is the turn of ${this.setup.seatNames[this.toMove]}.`);
    }
    const { actions, text, after } = await this.#read(request);
    const turnOver = after.view.to_move !== seat || after.outcome !== null;
    const standing = turnOver ? this.#stopped(at_ms, true) : this.standing;
    const step = { seat, text, actions, resumed: null };
    return { kind: "move", data: { actions, text }, standing: this.#stepped(standing, step, at_ms, after), told: after };
  }

  async #read({ actions, text }: Request): Promise<Made> {
    const { core, place } = this;
    if (!actions && typeof text !== "string") {
      throw new Refusal("malformed", "A move is given as text or as actions.");
    }
    const wanted = actions ?? (await core.parse(place, text!)).actions;
    if (!wanted.length) throw new Refusal("malformed", "A move has at least one action.");
    return core.move(place, wanted);
  }

  async #offer(seat: number, at_ms: number, what: Offer["what"]): Promise<Decision> {
    const { standing } = this;
    if (what === "rematch") {
      if (this.phase !== "over") throw new Refusal("not-now", "A rematch comes after the end of this match.");
      if (standing.rematch) throw new Refusal("not-now", "The rematch is already agreed.");
    } else {
      this.#checkNotOver();
      this.#checkPlaying();
    }
    if (what === "pause") this.#checkPausable();
    const pending = standing.offer;
    if (what !== "takeback" && pending?.what === what && pending.seat === 1 - seat) {
      return this.#answer(seat, at_ms, what, true);
    }
    const keep = what === "takeback" ? this.#turnStart(seat) : null;
    if (what === "takeback" && keep === null) {
      throw new Refusal("not-now", "You have made no move that could be taken back.");
    }
    if (this.#grantsAtOnce(seat)) {
      if (keep !== null) return { kind: "takeback", data: { keep }, ...(await this.#takenBack(keep, at_ms)) };
      if (what === "rematch") return { kind: what, data: {}, standing: { ...standing, rematch: true, offer: null } };
      if (what === "pause") return { kind: what, data: {}, standing: this.#paused(at_ms) };
    }
    if (pending) throw new Refusal("not-now", "There is already an offer that waits for its answer.");
    if (standing.declined.some((each) => each.what === what && each.seat === seat)) {
      throw new Refusal("not-now", "That was declined; it can be offered again after the next move.");
    }
    return { kind: "offer", data: { what }, standing: { ...standing, offer: { what, seat } } };
  }

  async #answer(seat: number, at_ms: number, what: Offer["what"], accept: unknown): Promise<Decision> {
    const { standing } = this;
    if (typeof accept !== "boolean") {
      throw new Refusal("malformed", "An answer says whether the offer is accepted.");
    }
    const { offer } = standing;
    if (offer?.what !== what || offer.seat !== 1 - seat) {
      throw new Refusal("not-now", "There is no such offer for you to answer.");
    }
    const made = { kind: "answer", data: { what, accept } };
    if (!accept) return { ...made, standing: { ...standing, offer: null, declined: [...standing.declined, offer] } };
    if (what === "draw") {
      return { ...made, standing: this.#ended(at_ms, { winner: null, reason: "agreement", score: null }) };
    }
    if (what === "rematch") return { ...made, standing: { ...standing, offer: null, rematch: true } };
    if (what === "pause") return { ...made, standing: this.#paused(at_ms) };
    const keep = this.#turnStart(offer.seat)!; // the asker had moved when the offer was made, and nobody has since
    return { ...made, data: { ...made.data, keep }, ...(await this.#takenBack(keep, at_ms)) };
  }

  #unpause(at_ms: number): Decision {
    if (!this.standing.paused) throw new Refusal("not-now", "The match is not paused.");
    return { kind: "unpause", data: {}, standing: { ...this.standing, paused: false, since_ms: at_ms } };
  }

  #mark({ what, cell, on = null }: Request): Decision {
    const marks = this.#inAgreement();
    const kind = word(what, MARKS) as Mark;
    if (!Number.isInteger(cell) || !(on === null || typeof on === "boolean")) {
      throw new Refusal("malformed", "A mark says which point it is for, and what it becomes.");
    }
    const made = agreement.mark(marks, kind, cell!, on);
    return { kind: "mark", data: { what: kind, cell, on: made.on }, standing: { ...this.standing, marks: made.marks } };
  }

  async #accept(seat: number, at_ms: number): Promise<Decision> {
    const marks = agreement.accepted(this.#inAgreement(), seat);
    if (!marks.accepted.every(Boolean)) return { kind: "accept", data: {}, standing: { ...this.standing, marks } };
    const { points } = await this.core.count(this.place, marks.dead, agreement.neutral(marks));
    const winner = points[0] === points[1] ? null : Number(points[1] > points[0]);
    const ended = this.#ended(at_ms, { winner, reason: "score", score: points });
    return { kind: "accept", data: {}, standing: { ...ended, marks } };
  }

  async #resume(seat: number, at_ms: number): Promise<Decision> {
    this.#inAgreement();
    const goesOn = 1 - seat;
    const after = await this.core.resume(this.place, goesOn);
    const now = { ...this.standing, marks: null, since_ms: at_ms };
    const step = { seat: null, text: after.text, actions: [], resumed: goesOn };
    return { kind: "resume", data: {}, standing: this.#stepped(now, step, at_ms, after), told: after };
  }

  // What whoever runs the match does.

  /** Ended on time if a flag has fallen by then; null where none has. The event carries the instant of the fall. */
  tick(at_ms: number): Match | null {
    const { running, flag_at_ms } = this;
    if (running === null || flag_at_ms === null || this.#time(at_ms) < flag_at_ms) return null;
    const standing = this.#ended(flag_at_ms, { winner: 1 - running, reason: "time", score: null });
    return this.#appended(null, flag_at_ms, { kind: "flag", data: { loser: running }, standing });
  }

  /** Opens an agreement: stones of the dead chains, points of the neutral regions. */
  suggest(dead: readonly number[], neutral: readonly number[], given_ms: number): Match {
    const at_ms = this.#houseTime(given_ms);
    const marks = agreement.suggested(this.#inAgreement(), dead, neutral);
    const data = { dead: marks.dead, neutral: agreement.neutral(marks) };
    return this.#appended(null, at_ms, { kind: "suggest", data, standing: { ...this.standing, marks } });
  }

  /** Stops the clocks and refuses all but resignations, until `proceed`. */
  suspend(given_ms: number): Match {
    const at_ms = this.#houseTime(given_ms);
    if (this.standing.suspended) throw new Refusal("not-now", "The match is already suspended.");
    const used_ms = this.#used_ms(at_ms);
    const standing = { ...this.standing, suspended: true, used_ms, since_ms: at_ms };
    return this.#appended(null, at_ms, { kind: "suspend", data: {}, standing });
  }

  proceed(given_ms: number): Match {
    const at_ms = this.#houseTime(given_ms);
    if (!this.standing.suspended) throw new Refusal("not-now", "The match is not suspended.");
    const standing = { ...this.standing, suspended: false, since_ms: at_ms };
    return this.#appended(null, at_ms, { kind: "continue", data: {}, standing });
  }

  #appended(seat: number | null, at_ms: number, { kind, data, standing, told }: Decision): Match {
    const event: Event = { number: this.events.length + 1, kind, seat, at_ms, data, position: positionOf(standing) };
    return new Match(this.core, this.setup, [...this.events, event], standing, told ?? this.told);
  }

  // Parts of the next standing.

  /** One step further: offers expire and may be made again. */
  #stepped(now: Standing, move: Omit<LineMove, "event" | "at_ms">, at_ms: number, after: Told): Standing {
    const step: Step = { ...move, event: this.events.length + 1, at_ms, reserves: now.reserves };
    const standing = { ...now, line: [...now.line, step], offer: null, declined: [] };
    return step.resumed === null ? this.#arrived(standing, after) : standing;
  }

  /** The end by the rules of the game if there is one, or the agreement on dead stones before it. */
  #arrived(now: Standing, told: Told): Standing {
    const { outcome } = told;
    if (!outcome) return now;
    const agrees = this.setup.agreement || this.setup.seats.some(({ kind }) => kind === "person");
    if (outcome.reason !== "score" || !told.agreement || !agrees) return { ...now, outcome };
    return { ...now, marks: agreement.unmarked(told.codes, told.view.width) };
  }

  /** The clocks stand still in the middle of the turn. */
  #paused(at_ms: number): Standing {
    return { ...this.standing, paused: true, offer: null, used_ms: this.#used_ms(at_ms), since_ms: at_ms };
  }

  /** The turn under way is stopped and its time counted; the next begins at once. */
  #stopped(at_ms: number, moved: boolean): Standing {
    const reserves: Pair<Reserve> = [...this.standing.reserves];
    if (this.phase === "playing") {
      const seat = this.toMove;
      reserves[seat] = clock.after(this.setup.clock, reserves[seat]!, this.#used_ms(at_ms), moved);
    }
    return { ...this.standing, reserves, used_ms: 0, since_ms: at_ms };
  }

  #ended(at_ms: number, outcome: Outcome): Standing {
    return { ...this.#stopped(at_ms, false), outcome, offer: null, suspended: false, paused: false };
  }

  async #takenBack(keep: number, at_ms: number): Promise<{ standing: Standing; told: Told }> {
    const now = this.#stopped(at_ms, false);
    const line = now.line.slice(0, keep);
    const begun = clock.start(this.setup.clock);
    const had = line.at(-1)?.reserves ?? [begun, begun];
    const lesser = (seat: 0 | 1) => clock.lesser(this.setup.clock, had[seat], now.reserves[seat]);
    const reserves: Pair<Reserve> = [lesser(0), lesser(1)];
    const told = await this.core.position(placeOf(this.setup, line));
    return { standing: { ...now, line, reserves, offer: null, declined: [] }, told };
  }

  /** How many moves stood before that seat's last turn began. */
  #turnStart(seat: number): number | null {
    let first = this.line.findLastIndex((step) => step.seat === seat);
    if (first < 0) return null;
    while (first > 0 && this.line[first - 1]!.seat === seat) first--;
    return first;
  }

  /** Takebacks and rematches that this seat asks for need nobody's answer. */
  #grantsAtOnce(seat: number): boolean {
    const { seats } = this.setup;
    return seats.every(({ kind }) => kind === "person") || seats[1 - seat]!.kind === "machine";
  }

  // Checks.

  #time(at_ms: number): number {
    return Math.max(at_ms, this.events.at(-1)?.at_ms ?? this.setup.started_ms);
  }

  #houseTime(given_ms: number): number {
    const at_ms = this.#time(given_ms);
    this.#checkNotOver();
    this.#checkFlag(at_ms);
    return at_ms;
  }

  /** Of the turn under way. */
  #used_ms(at_ms: number): number {
    const { used_ms, since_ms } = this.standing;
    return used_ms + (this.running === null ? 0 : at_ms - since_ms);
  }

  #checkNotOver(): void {
    if (this.outcome) throw new Refusal("over", "The match is over.");
  }

  #checkPlaying(): void {
    if (this.phase !== "agreement") return;
    throw new Refusal("not-now", "Play has stopped: agree on the dead stones, or resume play first.");
  }

  #checkPausable(): void {
    if (this.setup.clock.kind === "none") {
      throw new Refusal("not-now", "Nobody is timed: there is nothing to pause.");
    }
    if (this.standing.paused) throw new Refusal("not-now", "The match is paused already.");
  }

  #checkFlag(at_ms: number): void {
    if (this.flag_at_ms === null || at_ms < this.flag_at_ms) return;
    throw new Refusal("time-up", `The time of ${this.setup.seatNames[this.toMove]} is over.`);
  }

  #inAgreement(): Marks {
    const { marks } = this.standing;
    if (this.phase === "agreement" && marks) return marks;
    throw new Refusal("not-now", "There are no dead stones to agree on now.");
  }
}

function placeOf({ game, options, origin }: Setup, line: readonly LineMove[]): Place {
  return { game, options, origin, ...wayOf(line) };
}

function positionOf({ line, marks }: Standing): string {
  const key = String(line.at(-1)?.event ?? 0);
  return marks ? `${key} ${marks.dead.join()} ${agreement.neutral(marks).join()}` : key;
}

function word(what: unknown, words: readonly string[]): Offer["what"] {
  if (!words.includes(what as string)) {
    throw new Refusal("malformed", `The request is about one of ${words.join(", ")}.`);
  }
  return what as Offer["what"];
}
