/**
 * A match on the screen: the live match, the place in its history that is looked at, and what can be asked for
 * now. The components of this folder draw it and call its methods; it draws nothing itself.
 *
 * A place is a number of moves made. `at` is null while the place is the newest, so that new moves show.
 */
import type { WaitingMove } from "../board/types";
import { isLocal } from "../engine/engine.svelte";
import { faceOf } from "../games";
import type { Companion } from "../games/face";
import { ApiError, api, sentence } from "../net";
import type { AskWish, LiveMatch } from "../net";
import { t } from "../i18n";
import type { Analysis, Estimate, GameInfo, MoveChoice, Position, TurningPoint, View } from "../protocol";
import { read, write } from "../storage";
import { heatOf } from "./hint";
import { numbersOn, stepped } from "./history";
import { confirms } from "../settings.svelte";
import { turningShown } from "./turning";

export type Watched = Pick<
  LiveMatch,
  "id" | "info" | "you" | "now" | "line" | "latest" | "watchers" | "problem" | "pending" | "offset_ms" | "ask" | "positions" | "place"
>;

/** A question that has to be answered before something is done. */
export interface Question {
  title: string;
  text: string;
  yes: string;
  danger: boolean;
  run: () => void;
}

const NOTICE_MS = 6_000;
const HINT_S = 1;
const SURE = 0.4; // of an ownership, from which on a point is shaded

export class Session {
  readonly live: Watched;
  at = $state<number | null>(null);
  /** Whether what is shown stays behind the match until it is led on; `Playback` does. */
  held = $state(false);
  #reached = $state(0); // how far it has been led on
  flip = $state(false);
  autoFlip = $state(read("tengen.autoFlip") === "yes");
  question = $state.raw<Question | null>(null);
  notice = $state("");
  /** The move that was chosen on the board and waits to be confirmed. */
  waiting = $state.raw<WaitingMove | null>(null);
  markTool = $state<"dead" | "neutral">("dead");
  thinking = $state(false);
  counting = $state(false);

  #games = $state.raw<GameInfo[]>([]);
  #past = $state.raw<{ key: string; positions: Position[] }>({ key: "", positions: [] });
  #hint = $state.raw<{ key: string; analysis: Analysis } | null>(null);
  #estimate = $state.raw<{ key: string; found: Estimate } | null>(null);
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  #search: AbortController | null = null;
  #seen: View | null = null; // what was shown last; what is held stays so until the next can be shown

  constructor(live: Watched) {
    this.live = live;
    api.games().then(
      (games) => (this.#games = games),
      () => undefined,
    );
  }

  close(): void {
    clearTimeout(this.#noticeTimer);
    this.#search?.abort();
  }

  // Who and what.

  info = $derived.by(() => this.live.info);
  game = $derived(this.#games.find((game) => game.name === this.info?.game) ?? null);
  face = $derived(faceOf(this.game ?? this.info?.game ?? ""));
  /** What the game itself adds to a match, if anything. */
  companion: Companion | null = $derived(this.face.table.companion?.(this) ?? null);
  /** On this device alone, with the engine in the page; else the server has it. */
  local = $derived.by(() => isLocal(this.live.id));
  now = $derived.by(() => this.live.now);
  line = $derived.by(() => this.live.line);
  you = $derived.by(() => this.live.you);
  /** One person plays both sides here. */
  hot = $derived(this.you.length === 2);
  watching = $derived(this.you.length === 0);
  /** The seat that this person acts for now; null for those who watch. */
  seat = $derived(this.hot ? (this.now?.view.to_move ?? 0) : (this.you[0] ?? null));
  machine = $derived(this.info?.seats.some((seat) => seat.kind === "machine") ?? false);
  /** Two different people play. */
  people = $derived(!this.hot && !this.machine);
  /** How many look on; the server counts the screens of the players too. */
  audience = $derived.by(() => {
    const here = this.info?.seats.filter((seat) => seat.kind === "person" && seat.here).length ?? 0;
    return Math.max(0, this.live.watchers - (this.hot ? Math.min(1, here) : here));
  });
  over = $derived(this.info?.status === "over" || this.now?.phase === "over");
  running = $derived(this.info?.status === "playing" && !this.over);

  // The board.

  place = $derived(Math.min(this.at ?? this.line.length, this.line.length));
  isLive = $derived(this.place === this.line.length);
  /** Whether the match is further than what is shown of it, and nobody has stepped back to see that. */
  behind = $derived(this.held && !this.isLive);
  /** The moves that are told: no more than the board has shown. */
  told = $derived(this.held ? this.line.slice(0, Math.max(this.#reached, this.place)) : this.line);
  #key = $derived(this.line.map((move) => move.event).join());
  view: View | null = $derived.by(() => {
    if (!this.now) return null;
    const found = this.isLive ? this.now.view : this.#positionAt(this.place)?.view;
    if (found) this.#seen = found;
    return found ?? (this.held ? this.#seen : this.now.view);
  });
  /** The numbers of the moves that brought the pieces that stand, on their cells. */
  numbers = $derived(this.view ? numbersOn(this.face.board, this.view, this.line.slice(0, this.place)) : []);
  /** The place that is looked at, in words; one who follows two machines is not told how far they are. */
  where = $derived.by(() => {
    const [at, all] = [this.place, this.told.length];
    return this.behind && at === all ? t("play.history_at", { at }) : t("play.history", { at, all });
  });
  /** What leads to the newest position, in words. */
  toNewest = $derived.by(() => t(this.held ? "play.to_newest" : this.over ? "play.to_end" : "play.to_live"));
  /** How it ended, once that is shown. */
  outcome = $derived(this.behind ? null : (this.now?.outcome ?? null));
  /** The whole moves of the position that is looked at, where the server lists them. */
  moves: readonly MoveChoice[] = $derived.by(() => {
    return (this.isLive ? this.now?.moves : this.#positionAt(this.place)?.moves) ?? [];
  });
  bottom = $derived.by(() => {
    const seat = this.hot && this.autoFlip ? (this.now?.view.to_move ?? 0) : this.#restSeat;
    return this.flip ? 1 - seat : seat;
  });
  flipped = $derived(this.bottom !== (this.face.table.bottom ?? this.#restSeat));

  get #restSeat(): number {
    return this.you.length === 1 ? this.you[0]! : (this.face.table.bottom ?? 0);
  }

  myTurn = $derived(
    this.running &&
      this.now?.phase === "playing" &&
      !this.now.suspended &&
      !this.now.paused &&
      this.you.includes(this.now.view.to_move),
  );
  canMove = $derived.by(() => this.myTurn && this.isLive && !this.live.pending);
  legal = $derived(this.canMove ? (this.now?.legal ?? []) : []);
  agreeing = $derived(this.running && this.now?.phase === "agreement" && !this.watching && this.isLive);

  // What can be asked for.

  /** Whether there is a button for a pass; until the server has said so, as the board suggests. */
  passes = $derived(this.game ? hasPass(this.game) : this.now?.view.board === "points");
  #passAction = $derived(this.passes && this.view ? this.view.width * this.view.height : -1);
  canPass = $derived(this.legal.includes(this.#passAction));
  #takebackSeat = $derived(this.hot ? (this.line.findLast((move) => move.seat !== null)?.seat ?? 0) : this.seat);
  canTakeBack = $derived(
    this.running &&
      !this.watching &&
      this.now?.offer === null &&
      this.#takebackSeat !== null &&
      (this.now?.can_take_back[this.#takebackSeat] ?? false),
  );
  canResign = $derived(this.running && !this.watching);
  canDraw = $derived(
    this.running && !this.watching && !this.machine && this.now?.phase === "playing" && this.now.offer === null,
  );
  canPause = $derived(
    this.running &&
      !this.watching &&
      this.now?.phase === "playing" &&
      this.now.clocks !== null &&
      this.now.offer === null &&
      !this.now.paused,
  );
  canRematch = $derived(this.over && !this.watching && !this.info?.rematch && this.now?.offer === null);
  /** Not while two people play: that would be help from outside. */
  canHint = $derived.by(() => {
    if (this.now?.phase === "agreement" || !(this.over || (this.running && !this.people))) return false;
    const byTheRules = this.game?.reasons.includes(this.outcome?.reason ?? "") ?? false;
    return !(this.isLive && byTheRules);
  });

  // History.

  /** Where the game was lost, once that was asked. */
  turning = $state.raw<TurningPoint | null>(null);
  /** What of that is drawn on the position that is looked at. */
  turned = $derived.by(() => {
    const { turning: found, view, now, place } = this;
    if (!found || !view) return {};
    const before = this.#positionAt(found.number - 1);
    const played = this.line[found.number - 1]?.actions ?? [];
    return turningShown(this.face.board, { found, place, view, before, played, last: now?.view });
  });

  showTurning(found: TurningPoint): void {
    this.turning = found;
    if (!found.number) return;
    this.goTo(found.number);
    void this.prepared(found.number - 1);
  }

  goTo(place: number): void {
    const to = stepped(place, 0, this.line.length);
    this.at = to === this.line.length && !this.held ? null : to;
    this.#reached = Math.max(this.#reached, to);
    this.companion?.stop();
    if (!this.isLive) void this.prepared(to);
  }

  hold(place: number): void {
    this.held = true;
    this.#seen = null;
    this.#reached = 0;
    this.goTo(place);
  }

  /** Resolves when that place can be shown; false where it cannot. */
  async prepared(place: number): Promise<boolean> {
    if (place >= this.line.length || this.#positionAt(place)) return true;
    await this.#load();
    return this.#positionAt(place) !== undefined;
  }

  step(by: number): void {
    this.goTo(stepped(this.place, by, this.line.length));
  }

  async #load(): Promise<void> {
    const key = this.#key;
    if (this.#past.key === key) return;
    try {
      const positions = await this.live.positions();
      this.#past = { key, positions };
    } catch (error) {
      this.tell(sentence(error));
    }
  }

  /** Moves that came since do not change what was before them; a takeback and new moves do. */
  #positionAt(place: number): Position | undefined {
    const events = this.#past.key.split(",");
    const known = place === 0 || events[place - 1] === String(this.line[place - 1]?.event);
    return known ? this.#past.positions[place] : undefined;
  }

  // Moves.

  move(actions: number[]): void {
    const { now } = this;
    if (!now || !this.canMove) return;
    const warning = this.face.table.warning(now.view, actions);
    const run = () => void this.#send({ kind: "move", actions });
    if (warning) this.question = { ...warning, danger: true, run };
    else run();
  }

  /** A move as somebody wrote it; the server reads it. */
  moveText(text: string): void {
    if (this.canMove && text.trim()) void this.#send({ kind: "move", text: text.trim() });
  }

  /** Says why that cell is closed, if it is known; true then. */
  refuse(cell: number): boolean {
    const reason = this.now && this.face.table.refusal(this.now.view, cell);
    if (!reason) return false;
    this.tell(reason);
    return true;
  }

  /** Asks first where a slip could not be taken back, or where every move is confirmed. */
  pass(): void {
    const { seat } = this;
    if (!this.canPass || seat === null) return;
    const run = () => void this.#send({ kind: "move", actions: [this.#passAction] });
    if (!this.people && !confirms()) return run();
    this.question = {
      title: t("play.pass_title"),
      text: t("play.pass_text", { other: this.face.seat(1 - seat) }),
      yes: t("play.pass"),
      danger: false,
      run,
    };
  }

  // Requests.

  takeBack(): void {
    if (this.canTakeBack) void this.#send({ kind: "offer", what: "takeback", seat: this.#takebackSeat });
  }

  pause(): void {
    if (this.canPause) void this.#send({ kind: "offer", what: "pause" });
  }

  unpause(): void {
    if (this.now?.paused) void this.#send({ kind: "unpause" });
  }

  resign(): void {
    const { seat, info } = this;
    if (seat === null || !info || !this.canResign) return;
    this.question = {
      title: t("play.resign_title"),
      text: t("play.resign_text", { winner: this.face.seat(1 - seat) }),
      yes: t("play.resign"),
      danger: true,
      run: () => void this.#send({ kind: "resign" }),
    };
  }

  offerDraw(): void {
    if (!this.canDraw) return;
    if (!this.hot) {
      this.question = {
        title: t("play.draw_offer_title"),
        text: t("play.draw_offer_text"),
        yes: t("play.draw_offer"),
        danger: false,
        run: () => void this.#send({ kind: "offer", what: "draw" }),
      };
      return;
    }
    const both = async () => {
      if (await this.#send({ kind: "offer", what: "draw", seat: 0 })) {
        await this.#send({ kind: "answer", what: "draw", accept: true, seat: 1 });
      }
    };
    this.question = {
      title: t("play.draw_title"),
      text: t("play.draw_text"),
      yes: t("play.draw_short"),
      danger: false,
      run: () => void both(),
    };
  }

  answer(accept: boolean): void {
    const offer = this.now?.offer;
    if (offer) void this.#send({ kind: "answer", what: offer.what, accept, seat: 1 - offer.seat });
  }

  rematch(): void {
    if (this.canRematch) void this.#send({ kind: "offer", what: "rematch" });
  }

  claim(): void {
    void this.#send({ kind: "claim" });
  }

  // The agreement on dead stones.

  mark(cell: number): void {
    const { now } = this;
    if (!this.agreeing || !now?.marking) return;
    const stone = now.view.cells[cell] !== ".";
    const dead = this.markTool === "dead" && stone;
    if (this.markTool === "dead" && !stone) return;
    const marks = dead ? now.marking.dead : now.marking.neutral;
    const what = dead ? "dead" : "neutral";
    void this.#send({ kind: "mark", what, cell, on: !marks.includes(cell) });
  }

  /** Accepts for every seat that this person holds and that has not accepted yet. */
  async accept(): Promise<void> {
    const { now } = this;
    if (!now?.marking) return;
    for (const seat of this.you) {
      if (now.marking.accepted[seat]) continue;
      if (!(await this.#send({ kind: "accept", seat, position: now.position }))) return;
    }
  }

  resume(): void {
    if (this.agreeing) void this.#send({ kind: "resume" });
  }

  /** Whether it was accepted; a refusal becomes a notice. */
  async #send(wish: AskWish): Promise<boolean> {
    const { now, seat } = this;
    if (!now || seat === null) return false;
    const moves = wish.kind === "move";
    if (moves) this.clearHint();
    this.notice = ""; // what was said before is answered
    try {
      await this.live.ask({ seat, ...(moves ? { position: now.position } : {}), ...wish });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "stale" && moves)) this.tell(sentence(error));
      return false;
    }
  }

  // Hints.

  #hintKey = $derived(`${this.place} ${this.line[this.place - 1]?.event ?? 0}`);
  hint = $derived(this.canHint && this.#hint?.key === this.#hintKey ? this.#hint.analysis : null);
  heat = $derived.by(() => {
    const { hint, view, moves } = this;
    return hint && view ? heatOf(this.face.board, { view, moves }, hint) : [];
  });

  clearHint(): void {
    this.#search?.abort();
    this.#search = null;
    this.#hint = null;
    this.thinking = false;
  }

  async toggleHint(): Promise<void> {
    if (this.hint || this.thinking) return this.clearHint();
    const place = this.live.place(this.place);
    if (!this.canHint || !place) return;
    const key = this.#hintKey;
    const search = new AbortController();
    this.#search = search;
    this.thinking = true;
    try {
      const analysis = await api.analyse({ place, seconds: HINT_S }, search.signal);
      this.#hint = { key, analysis };
    } catch (error) {
      if (!search.signal.aborted) this.tell(sentence(error));
    } finally {
      if (this.#search === search) this.thinking = false;
    }
  }

  // How it stands.

  /** Only of the newest position, and where the players allow it. */
  canEstimate = $derived((this.info?.estimate ?? false) && this.running && this.isLive && this.now?.phase === "playing");
  estimate = $derived(this.canEstimate && this.#estimate?.key === this.#hintKey ? this.#estimate.found : null);
  /** Whose the points are likely to be, as the board shades them: 0 nobody's, 1 the first seat's, 2 the second's. */
  likely = $derived(this.estimate?.ownership.map((value) => (value > SURE ? 1 : value < -SURE ? 2 : 0)) ?? null);

  async toggleEstimate(): Promise<void> {
    if (this.estimate || this.counting) {
      this.#estimate = null;
      return;
    }
    const { info } = this;
    if (!this.canEstimate || !info) return;
    const key = this.#hintKey;
    this.counting = true;
    try {
      this.#estimate = { key, found: await api.estimate(info.id) };
    } catch (error) {
      this.tell(sentence(error));
    } finally {
      this.counting = false;
    }
  }

  // Small things.

  toggleAutoFlip(): void {
    this.autoFlip = !this.autoFlip;
    write("tengen.autoFlip", this.autoFlip ? "yes" : null);
  }

  /** A sentence that stands in the status line for a while. Said once more, it is read out once more. */
  tell(text: string): void {
    this.notice = "";
    this.notice = text;
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => (this.notice = ""), NOTICE_MS);
  }
}

/** Whether the action after the cells is a pass; where moves are chosen among a list, a pass is one of them. */
export function hasPass({ passes, look }: GameInfo): boolean {
  return passes && look?.hand !== "choices";
}
