/**
 * The tokens of seats that wait for whoever has the link. The server tells each once, to the creator, so this
 * browser keeps the last ones.
 */
import { readJson, write } from "../storage";

const KEY = "tengen.invitations";
const KEPT = 50;

function all(): Record<string, string> {
  const stored = readJson(KEY);
  return typeof stored === "object" && stored !== null ? (stored as Record<string, string>) : {};
}

export function keepInvitation(match: string, token: string): void {
  const entries = Object.entries({ ...all(), [match]: token });
  write(KEY, JSON.stringify(Object.fromEntries(entries.slice(-KEPT))));
}

export function forgetInvitation(match: string): void {
  const { [match]: _gone, ...rest } = all();
  write(KEY, JSON.stringify(rest));
}

export function invitationToken(match: string): string | null {
  return all()[match] ?? null;
}

/** The link for the other player; null where this browser has not made the match. `origin` is where others find the server. */
export function invitationLink(match: string, origin: string = location.origin): string | null {
  const token = invitationToken(match);
  return token === null ? null : `${origin}/join/${encodeURIComponent(match)}#${token}`;
}
