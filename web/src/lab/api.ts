/** The routes of the Lab; see net/api.ts for what they throw. */
import { call, json } from "../net/api";
import type { BrainInfo, Lab, NewRun, RunReport, RunWish } from "../protocol";

const ofRun = (name: string): string => `/lab/runs/${encodeURIComponent(name)}`;
const ofBrain = ({ game, name }: Pick<BrainInfo, "game" | "name">): string =>
  `/brains/${encodeURIComponent(game)}/${encodeURIComponent(name)}`;

export const MAX_BRAIN_BYTES = 64 * 1024 * 1024;

export const labApi = {
  lab: () => json<Lab>("/lab"),
  start: (wish: NewRun) => json<RunReport>("/lab/runs", { method: "POST", body: wish }),
  report: (name: string, after: number) => json<RunReport>(`${ofRun(name)}?after=${after}`),
  control: (name: string, wish: RunWish) => json<RunReport>(ofRun(name), { method: "POST", body: wish }),
  forget: async (name: string): Promise<void> => void (await call(ofRun(name), { method: "DELETE" })),

  upload: (file: Blob) => json<BrainInfo>("/brains", { method: "POST", body: file }),
  use: async (brain: BrainInfo): Promise<void> => void (await call(`${ofBrain(brain)}/use`, { method: "POST" })),
  remove: async (brain: BrainInfo): Promise<void> => void (await call(ofBrain(brain), { method: "DELETE" })),
  /** The address of a download, for a plain link. */
  fileUrl: (brain: BrainInfo): string => `/api${ofBrain(brain)}/file`,
};
