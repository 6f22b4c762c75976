/**
 * One function a route of the server, answered in the page where that can be (`engine`): matches of this device,
 * search and review first there, and whatever a server would say while none answers. All throw `ApiError`, whose
 * message is one sentence for the player; an aborted request throws the signal's own AbortError. Answers are taken as
 * the server's word: not validated.
 */
import { at as under } from "../base";
import type { Core } from "../engine/core/types";
import { engine, isLocal, SITE, tables } from "../engine/engine.svelte";
import type * as Search from "../engine/review";
import type { StudyPlace } from "../engine/review";
import { refused } from "../engine/through";
import { t } from "../i18n";
import type {
  Absence,
  Analysis,
  AnalysisRequest,
  BrainInfo,
  Collection,
  Created,
  Estimate,
  Exploration,
  Finding,
  GameInfo,
  Import,
  Join,
  Line,
  Lobby,
  MatchSummary,
  Me,
  MyMatches,
  NewMatch,
  NodeReview,
  Place,
  Position,
  Problem,
  Report,
  ReviewedMove,
  ReviewRequest,
  ServerInfo,
  Snapshot,
  Study,
  StudyReview,
  TurningPoint,
  TurningRequest,
} from "../protocol";
import { ApiError } from "./errors";
import { connection } from "./socket.svelte";

export type RecordFormat = "json" | "sgf";

interface Options {
  method?: string;
  body?: unknown; // sent as JSON, a Blob as it is
  signal?: AbortSignal | undefined;
}

/** The answer of a route, if it is a success. */
export async function call(path: string, { method = "GET", body, signal }: Options = {}): Promise<Response> {
  if (SITE) throw new ApiError("unavailable", t("common.no_server"));
  let response: Response;
  try {
    response = await fetch(under(`/api${path}`), {
      method,
      credentials: "same-origin",
      ...sent(body),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("unavailable", t("common.unreachable"));
  }
  if (!response.ok) throw await problem(response);
  return response;
}

function sent(body: unknown): RequestInit {
  if (body === undefined) return {};
  const file = body instanceof Blob;
  const type = file ? "application/octet-stream" : "application/json";
  return { headers: { "Content-Type": type }, body: file ? body : JSON.stringify(body) };
}

async function problem(response: Response): Promise<ApiError> {
  try {
    const { code, message } = (await response.json()) as Problem;
    if (code && message) return new ApiError(code, message);
  } catch {
    // A proxy in between has answered, not our server.
  }
  return new ApiError("unavailable", t("common.unreachable"));
}

export async function json<T>(path: string, options?: Options): Promise<T> {
  const response = await call(path, options);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new ApiError("unavailable", t("common.unreachable"));
  }
}

/** After a request that may have told the server for the first time who we are. */
async function introduced<T>(answer: Promise<T>): Promise<T> {
  const result = await answer;
  connection.introduced();
  return result;
}

const post = (body: unknown, signal?: AbortSignal): Options => ({ method: "POST", body, signal });
const at = (match: string): string => `/matches/${encodeURIComponent(match)}`;

/** As it would arrive at a server: what pages hold may be state that is watched, which cannot go to a worker. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What the page says where it can, else what the server does. */
async function pageFirst<T>(page: () => Promise<T | null>, server: () => Promise<T>): Promise<T> {
  try {
    const found = await page();
    if (found !== null) return found;
  } catch (error) {
    throw refused(error);
  }
  return server();
}

/** What the server says, and while it does not answer what the page does. */
async function serverFirst<T>(server: () => Promise<T>, page: () => Promise<T | null>): Promise<T> {
  try {
    return await server();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unavailable") throw error;
    return pageFirst(page, () => Promise.reject(error));
  }
}

let games: Promise<GameInfo[]> | null = null;

export const api = {
  server: () => json<ServerInfo>("/server"),

  /** Asked once a visit: what games there are does not change while a server runs. */
  games: (): Promise<GameInfo[]> => {
    games ??= json<GameInfo[]>("/games").catch((error: unknown) => {
      games = null;
      throw error;
    });
    return serverFirst(
      () => games!,
      async () => (engine.able ? engine.facts() : null),
    );
  },

  brains: () =>
    serverFirst<BrainInfo[]>(
      async () => {
        const found = await json<BrainInfo[]>("/brains");
        engine.learn(found);
        return found;
      },
      () => engine.brains(),
    ),

  me: () => json<Me>("/me"),
  rename: (name: string) =>
    serverFirst<Me>(
      () => introduced(json<Me>("/me", { method: "PUT", body: { name } })),
      async () => (engine.able ? { name } : null),
    ),
  lobby: () => json<Lobby>("/lobby"),
  /** Those of this device come before those of the server, which alone have more pages. */
  myMatches: async (last?: MatchSummary): Promise<MyMatches> => {
    if (last) return json<MyMatches>(`/me/matches?before=${last.moved_ms}:${last.info.id}`);
    const [own, kept] = await Promise.all([
      serverFirst<MyMatches>(
        () => json<MyMatches>("/me/matches"),
        async () => (engine.able ? { matches: [], more: false } : null),
      ),
      keptMatches(),
    ]);
    return { matches: [...kept, ...own.matches], more: own.more };
  },

  create: (wish: NewMatch) =>
    pageFirst<Created>(
      async () => ((await engine.holds(wish)) ? (await tables()).create(plain(wish)) : null),
      () => introduced(json<Created>("/matches", post(wish))),
    ),
  join: (match: string, join: Join = {}) => introduced(json<Created>(`${at(match)}/join`, post(join))),
  cancel: async (match: string): Promise<void> => void (await call(at(match), { method: "DELETE" })),
  snapshot: (match: string) =>
    pageFirst<Snapshot>(
      async () => (isLocal(match) ? (await tables()).snapshot(match) : null),
      () => json<Snapshot>(at(match)),
    ),
  study: (match: string) =>
    pageFirst<Study>(
      async () => (isLocal(match) ? (await tables()).study(match) : null),
      () => json<Study>(`${at(match)}/study`),
    ),
  absence: (match: string, signal?: AbortSignal) => json<Absence>(`${at(match)}/absence`, signal ? { signal } : {}),
  estimate: (match: string) =>
    pageFirst<Estimate>(
      async () => (isLocal(match) ? (await tables()).estimate(match) : null),
      () => json<Estimate>(`${at(match)}/estimate`),
    ),
  /** The address of a download, for a plain link. */
  recordUrl: (match: string, format: RecordFormat): string => `/api${at(match)}/record?format=${format}`,

  /** In the page once the engine is there; a single position is not worth fetching it. */
  line: async (place: Place, signal?: AbortSignal): Promise<Position[]> => {
    const page = async () => (await (await engine.core(place.game))?.line(place))?.positions ?? null;
    const server = async () => (await json<Line>("/line", post(place, signal))).positions;
    return engine.state === "ready" ? pageFirst(page, server) : serverFirst(server, page);
  },
  analyse: ({ place, seconds = 1 }: AnalysisRequest, signal?: AbortSignal) =>
    pageFirst<Analysis>(
      async () => {
        const core = await engine.core(place.game);
        const found = await core?.analyse(place, { seconds }, signal ? { signal } : {});
        signal?.throwIfAborted();
        return found ?? null;
      },
      () => json<Analysis>("/analysis", post({ place, seconds }, signal)),
    ),

  /** Calls `onMove` for each move as it is found; resolves when all are. */
  review: (request: ReviewRequest, onMove: (move: ReviewedMove) => void, signal?: AbortSignal): Promise<void> =>
    searched(
      request.place.game,
      (server) => streamed("/review", request, onMove, server),
      (core, { reviewHere }, stop) => reviewHere(core, request, onMove, stop),
      signal,
    ),

  /** Calls `onFinding` each time that the search knows more of a position, until it is done or aborted. */
  explore: (request: Exploration, of: StudyPlace, onFinding: (finding: Finding) => void, signal?: AbortSignal): Promise<void> =>
    searched(
      request.place.game,
      (server) => streamed("/explore", request, onFinding, server),
      (core, { exploreHere }, stop) => exploreHere(core, request, of, onFinding, stop),
      signal,
    ),
  /** The same for every move of a study that says nothing of it yet, the main line first. */
  reviewStudy: (request: StudyReview, onNode: (found: NodeReview) => void, signal?: AbortSignal): Promise<void> =>
    searched(
      request.study.game,
      async (server) => {
        const { bare } = await import("../review/study");
        return streamed("/studies/review", { ...request, study: bare(request.study) }, onNode, server);
      },
      (core, { reviewStudyHere }, stop) => reviewStudyHere(core, request, onNode, stop),
      signal,
    ),
  turning: (request: TurningRequest, signal?: AbortSignal) =>
    serverFirst<TurningPoint>(
      () => json<TurningPoint>("/turning", post(request, signal)),
      async () => {
        const core = await engine.core(request.place.game);
        return core && (await import("../review/decided")).turningHere(core, request, signal);
      },
    ),
  /** What the engine of this page has found out about positions of a study before. */
  keptReviews: async (study: Study): Promise<NodeReview[]> =>
    engine.able ? (await import("../engine/table/kept")).keptReviews(study) : [],
  /** A study with what the server knows of its positions. */
  knownStudy: (study: Study, signal?: AbortSignal) => json<Study>("/studies/known", post(study, signal)),

  /** Whoever has that seat is not met again. */
  block: async (match: string, seat: number): Promise<void> => void (await call("/me/blocks", post({ match, seat }))),
  /** Tells the operator: of the name at a seat, or of a study. */
  report: async (what: Partial<Report>): Promise<void> => void (await call("/reports", post(what))),

  importStudy: (source: Import) =>
    serverFirst<Study>(
      () => json<Study>("/studies", post(source)),
      async () => {
        const records = await here();
        return records && (await import("../engine/table/kept")).keepStudy(await records.read(source));
      },
    ),
  listGames: (source: Import) => json<Collection>("/studies/games", post(source)),
  loadStudy: (id: string) =>
    pageFirst<Study>(
      async () => (isLocal(id) ? (await import("../engine/table/kept")).keptStudy(id) : null),
      () => json<Study>(`/studies/${encodeURIComponent(id)}`),
    ),
  /** With `analysis` an SGF file says what is known of the positions, where a server writes it. */
  exportStudy: async (study: Study, format: RecordFormat, analysis = false): Promise<string> =>
    serverFirst(
      async () => (await call(`/studies/export?format=${format}&analysis=${analysis ? 1 : 0}`, post(study))).text(),
      async () => (await here())?.write(study, format) ?? null,
    ),
};

/** Reading and writing of records in the page; null without an engine. */
async function here() {
  const core = await engine.core();
  if (!core) return null;
  const { readStudy, textOf, writeStudy } = await import("../engine/records");
  const desk = { core, games: await engine.facts() };
  return {
    read: (source: Import) => readStudy(desk, textOf(source), source.number),
    write: (study: Study, format: RecordFormat) => writeStudy(desk, study, format),
  };
}

async function keptMatches(): Promise<MatchSummary[]> {
  return engine.able ? (await import("../engine/table/kept")).keptMatches() : [];
}

/** What the search in the page streams; the server's where the page has none, or has none as strong as a program there. */
async function searched(
  game: string,
  server: (signal?: AbortSignal) => Promise<void>,
  page: (core: Core, search: typeof Search, stop: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const here = async () => {
    const core = await engine.core(game);
    return core ? page(core, await import("../engine/review"), signal ?? new AbortController().signal) : null;
  };
  const there = () => server(signal);
  const known = await api.games().catch(() => []);
  const program = known.some(({ name, engines }) => name === game && engines.length > 0);
  return program ? serverFirst<void>(there, here) : pageFirst<void>(here, there);
}

/** Calls back for each line of an answer as it comes; resolves when all have. */
async function streamed<T extends object>(
  path: string,
  request: unknown,
  onItem: (item: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await call(path, post(request, signal));
  for await (const line of lines(response, signal)) {
    const item = JSON.parse(line) as T | Problem;
    if ("code" in item) throw new ApiError(item.code, item.message);
    onItem(item);
  }
}

async function* lines(response: Response, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    let part: ReadableStreamReadResult<Uint8Array>;
    try {
      part = await reader.read();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError("unavailable", t("common.unreachable"));
    }
    rest += decoder.decode(part.value, { stream: !part.done });
    const complete = rest.split("\n");
    rest = complete.pop()!;
    yield* complete.filter((line) => line.trim() !== "");
    if (part.done) break;
  }
  if (rest.trim() !== "") yield rest;
}
