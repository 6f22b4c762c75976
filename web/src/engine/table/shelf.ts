/**
 * What the device keeps: matches, imported studies and what its engine has found out, in IndexedDB. Where the browser forbids that, they live as long
 * as the page. A stored match belongs to whoever writes its next event first, so two tabs cannot tear it apart.
 *
 * `UPGRADES` is the schema: entry n leads from version n to n + 1, and entries that were released never change.
 */
import type { Analysis, ReviewedMove, Study } from "../../protocol";
import type { Row } from "./row";

type StoredStudy = Study & { id: string };

type Upgrade = (database: IDBDatabase, change: IDBTransaction) => void;

export const UPGRADES: readonly Upgrade[] = [
  (database) => {
    database.createObjectStore("matches", { keyPath: "id" });
    database.createObjectStore("studies", { keyPath: "id" });
  },
  (database) => {
    database.createObjectStore("judgements", { keyPath: "key" }).createIndex("at_ms", "at_ms");
  },
];

/** What the engine of the page said of a position and of the move that led there. */
export interface Judgement {
  key: string;
  at_ms: number; // when it was kept
  analysis: Analysis | null;
  review: ReviewedMove | null;
}

const MOST_JUDGEMENTS = 4000;
const AT_ONCE = 400; // of the oldest that go when there are too many

export interface Shelf {
  match(id: string): Promise<Row | null>;
  matches(): Promise<Row[]>;
  /** Stores the match if it has `events` events there, or is not there with 0; false where somebody was first. */
  put(row: Row, events: number): Promise<boolean>;
  remove(id: string): Promise<void>;
  study(id: string): Promise<Study | null>;
  putStudy(study: StoredStudy): Promise<void>;
  /** Those that there are, by key. */
  judgements(keys: readonly string[]): Promise<Map<string, Judgement>>;
  /** Adds to what is known of that position; a shorter search takes nothing away. */
  putJudgement(judgement: Judgement): Promise<void>;
}

function together(before: Judgement | undefined, after: Judgement): Judgement {
  const known = before?.analysis;
  const analysis = known && known.visits > (after.analysis?.visits ?? -1) ? known : after.analysis;
  return { ...after, analysis, review: after.review ?? before?.review ?? null };
}

let opening: Promise<Shelf> | null = null;

/** The one of this page. */
export function shelf(): Promise<Shelf> {
  return (opening ??= opened().then(
    (database) => new Drawer(database),
    () => new Tray(),
  ));
}

async function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("tengen", UPGRADES.length);
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const upgrade of UPGRADES.slice(oldVersion)) upgrade(request.result, request.transaction!);
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => {
        opening = null;
        request.result.close(); // a newer page wants to upgrade
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("The games on this device cannot be read."));
  });
}

class Drawer implements Shelf {
  constructor(private readonly database: IDBDatabase) {}

  match(id: string): Promise<Row | null> {
    return this.#get("matches", id);
  }

  matches(): Promise<Row[]> {
    return answer(this.#store("matches", "readonly").getAll());
  }

  async put(row: Row, events: number): Promise<boolean> {
    const store = this.#store("matches", "readwrite");
    const before = (await answer(store.get(row.id))) as Row | undefined;
    if ((before?.kept.events.length ?? 0) !== events) return false;
    await answer(store.put(row));
    return true;
  }

  async remove(id: string): Promise<void> {
    await answer(this.#store("matches", "readwrite").delete(id));
  }

  study(id: string): Promise<Study | null> {
    return this.#get("studies", id);
  }

  async putStudy(study: StoredStudy): Promise<void> {
    await answer(this.#store("studies", "readwrite").put(study));
  }

  async judgements(keys: readonly string[]): Promise<Map<string, Judgement>> {
    const store = this.#store("judgements", "readonly");
    const found = await Promise.all(keys.map((key) => answer(store.get(key) as IDBRequest<Judgement | undefined>)));
    return new Map(found.flatMap((one) => (one ? [[one.key, one]] : [])));
  }

  async putJudgement(judgement: Judgement): Promise<void> {
    const store = this.#store("judgements", "readwrite");
    const before = (await answer(store.get(judgement.key))) as Judgement | undefined;
    await answer(store.put(together(before, judgement)));
    if ((await answer(store.count())) <= MOST_JUDGEMENTS) return;
    const oldest = await answer(store.index("at_ms").getAllKeys(null, AT_ONCE));
    await Promise.all(oldest.map((key) => answer(store.delete(key))));
  }

  async #get<T>(store: string, id: string): Promise<T | null> {
    return ((await answer(this.#store(store, "readonly").get(id))) as T | undefined) ?? null;
  }

  #store(name: string, mode: IDBTransactionMode): IDBObjectStore {
    return this.database.transaction(name, mode).objectStore(name);
  }
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The device cannot store that."));
  });
}

/** The same without a disk. */
export class Tray implements Shelf {
  #matches = new Map<string, Row>();
  #studies = new Map<string, Study>();
  #judgements = new Map<string, Judgement>();

  async match(id: string): Promise<Row | null> {
    return this.#matches.get(id) ?? null;
  }

  async matches(): Promise<Row[]> {
    return [...this.#matches.values()];
  }

  async put(row: Row, events: number): Promise<boolean> {
    if ((this.#matches.get(row.id)?.kept.events.length ?? 0) !== events) return false;
    this.#matches.set(row.id, structuredClone(row));
    return true;
  }

  async remove(id: string): Promise<void> {
    this.#matches.delete(id);
  }

  async study(id: string): Promise<Study | null> {
    return this.#studies.get(id) ?? null;
  }

  async putStudy(study: StoredStudy): Promise<void> {
    this.#studies.set(study.id, study);
  }

  async judgements(keys: readonly string[]): Promise<Map<string, Judgement>> {
    return new Map(keys.flatMap((key) => (this.#judgements.has(key) ? [[key, this.#judgements.get(key)!]] : [])));
  }

  async putJudgement(judgement: Judgement): Promise<void> {
    this.#judgements.set(judgement.key, together(this.#judgements.get(judgement.key), judgement));
  }
}
