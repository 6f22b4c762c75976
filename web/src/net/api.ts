/**
 * One function a route of the server. All throw `ApiError`, whose message is one sentence for the player; an
 * aborted request throws the signal's own AbortError. Answers are taken as the server's word: not validated.
 */
import { at as under } from "../base";
import { t } from "../i18n";
import type {
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

let games: Promise<GameInfo[]> | null = null;

export const api = {
  server: () => json<ServerInfo>("/server"),

  /** Asked once a visit: what games there are does not change while a server runs. */
  games: (): Promise<GameInfo[]> =>
    (games ??= json<GameInfo[]>("/games").catch((error: unknown) => {
      games = null;
      throw error;
    })),

  brains: () => json<BrainInfo[]>("/brains"),

  me: () => json<Me>("/me"),
  rename: (name: string) => introduced(json<Me>("/me", { method: "PUT", body: { name } })),
  lobby: () => json<Lobby>("/lobby"),
  myMatches: (last?: MatchSummary) =>
    json<MyMatches>(last === undefined ? "/me/matches" : `/me/matches?before=${last.moved_ms}:${last.info.id}`),

  create: (wish: NewMatch) => introduced(json<Created>("/matches", post(wish))),
  join: (match: string, join: Join = {}) => introduced(json<Created>(`${at(match)}/join`, post(join))),
  cancel: async (match: string): Promise<void> => void (await call(at(match), { method: "DELETE" })),
  snapshot: (match: string) => json<Snapshot>(at(match)),
  study: (match: string) => json<Study>(`${at(match)}/study`),
  estimate: (match: string) => json<Estimate>(`${at(match)}/estimate`),
  /** The address of a download, for a plain link. */
  recordUrl: (match: string, format: RecordFormat): string => `/api${at(match)}/record?format=${format}`,

  line: async (place: Place, signal?: AbortSignal): Promise<Position[]> =>
    (await json<Line>("/line", post(place, signal))).positions,
  analyse: (request: AnalysisRequest, signal?: AbortSignal) => json<Analysis>("/analysis", post(request, signal)),

  /** Calls `onMove` for each move as it is found; resolves when all are. */
  review: (request: ReviewRequest, onMove: (move: ReviewedMove) => void, signal?: AbortSignal): Promise<void> =>
    streamed("/review", request, onMove, signal),

  /** Calls `onFinding` each time that the search knows more of a position, until it is done or aborted. */
  explore: (request: Exploration, onFinding: (finding: Finding) => void, signal?: AbortSignal): Promise<void> =>
    streamed("/explore", request, onFinding, signal),
  /** The same for every move of a study, the main line first. */
  reviewStudy: (request: StudyReview, onNode: (found: NodeReview) => void, signal?: AbortSignal): Promise<void> =>
    streamed("/studies/review", request, onNode, signal),
  turning: (request: TurningRequest, signal?: AbortSignal) => json<TurningPoint>("/turning", post(request, signal)),
  /** A study with what the server knows of its positions. */
  knownStudy: (study: Study, signal?: AbortSignal) => json<Study>("/studies/known", post(study, signal)),

  /** Whoever has that seat is not met again. */
  block: async (match: string, seat: number): Promise<void> => void (await call("/me/blocks", post({ match, seat }))),
  /** Tells the operator: of the name at a seat, or of a study. */
  report: async (what: Partial<Report>): Promise<void> => void (await call("/reports", post(what))),

  importStudy: (source: Import) => json<Study>("/studies", post(source)),
  listGames: (source: Import) => json<Collection>("/studies/games", post(source)),
  loadStudy: (id: string) => json<Study>(`/studies/${encodeURIComponent(id)}`),
  /** With `analysis` an SGF file says what is known of the positions. */
  exportStudy: async (study: Study, format: RecordFormat, analysis = false): Promise<string> =>
    (await call(`/studies/export?format=${format}&analysis=${analysis ? 1 : 0}`, post(study))).text(),
};

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
