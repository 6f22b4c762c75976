export { api, call, json } from "./api";
export type { RecordFormat } from "./api";
export { ApiError, sentence } from "./errors";
export { forgetInvitation, invitationLink, invitationToken, keepInvitation } from "./invitations";
export { LiveMatch } from "./match.svelte";
export type { AskWish } from "./match.svelte";
export { offer } from "./offer.svelte";
export { connection } from "./socket.svelte";
export type { ConnectionState } from "./socket.svelte";
