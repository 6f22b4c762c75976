/** Bytes as JSON carries them. */
const STEP = 0x8000; // as many arguments as any browser takes

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}
