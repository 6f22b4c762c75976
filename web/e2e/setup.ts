/** A server for each worker, which lives as long as the whole run: stage.ts gives it to the files that share one. */
import type { TestProject } from "vitest/node";

import { Server } from "./server.ts";
import type { Place } from "./server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    servers: Place[];
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Number(project.config.maxWorkers);
  const servers = await Promise.all(Array.from({ length: workers }, () => Server.start()));
  project.provide("servers", servers.map(({ place }) => place));
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}
