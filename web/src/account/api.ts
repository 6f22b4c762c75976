/** The routes of who one is. Whoever comes in by one of them is somebody else to the server from then on. */
import { call, connection, json } from "../net";
import type { Account, Admitted, DeviceLink, PasskeyInfo, PasskeyOptions, RecoveryCode } from "../protocol";
import { settings } from "../settings.svelte";

const posted = <T>(path: string, body?: unknown) => json<T>(path, { method: "POST", body });

async function remove(path: string): Promise<void> {
  await call(path, { method: "DELETE" });
}

async function admitted(answer: Promise<Admitted>): Promise<Admitted> {
  const found = await answer;
  settings.name = found.name;
  connection.renew();
  return found;
}

export const accountApi = {
  account: () => json<Account>("/me/account"),
  makeCode: async (): Promise<string> => (await posted<RecoveryCode>("/me/recovery")).code,
  recover: (code: string) => admitted(posted<Admitted>("/me/recover", { code })),
  makeLink: () => posted<DeviceLink>("/me/link"),
  useLink: (token: string) => admitted(posted<Admitted>("/me/device", { token })),
  dropDevice: (id: string) => remove(`/me/devices/${id}`),
  dropOthers: () => remove("/me/devices"),

  passkeyOptions: async () => (await posted<PasskeyOptions>("/me/passkeys/options")).options,
  makePasskey: (credential: unknown) => posted<PasskeyInfo>("/me/passkeys", { credential }),
  dropPasskey: (id: string) => remove(`/me/passkeys/${id}`),
  loginOptions: async () => (await posted<PasskeyOptions>("/me/passkey/options")).options,
  login: (credential: unknown) => admitted(posted<Admitted>("/me/passkey", { credential })),

  unblock: (id: string) => remove(`/me/blocks/${id}`),

  exportUrl: "/api/me/export",
  erase: async (): Promise<void> => {
    await call("/me/erase", { method: "POST", body: { sure: true } });
    settings.name = "";
    connection.renew();
  },
};
