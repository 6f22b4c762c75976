/** Whether only its own machine reaches a host of that name, as `location.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
