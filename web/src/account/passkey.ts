/** Passkeys, as far as this browser and this address can have them: over https or on this machine, under a name. */
import { accountApi } from "./api";

const ADDRESS = /^(\d+\.){3}\d+$|^\[/;

export function passkeysWork(): boolean {
  const able = typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  return able && isSecureContext && !ADDRESS.test(location.hostname);
}

/** Throws `ApiError`, or a DOMException where the person or the device has refused. */
export async function makePasskey(): Promise<void> {
  const options = (await accountApi.passkeyOptions()) as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  await accountApi.makePasskey(made.toJSON());
}

/** The name of who has come in. Throws as `makePasskey` does. */
export async function enterByPasskey(): Promise<string> {
  const options = (await accountApi.loginOptions()) as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return (await accountApi.login(found.toJSON())).name;
}
