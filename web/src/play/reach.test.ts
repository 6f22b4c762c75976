import { expect, test } from "vitest";

import { isLoopback } from "./reach";

test("an address that means one's own machine is known in all its forms", () => {
  for (const own of ["localhost", "tengen.localhost", "127.0.0.1", "127.0.0.2", "[::1]"]) expect(isLoopback(own), own).toBe(true);
  for (const other of ["192.0.2.2", "127.example.org", "localhost.example.org", "[fd00::2]"]) {
    expect(isLoopback(other), other).toBe(false);
  }
});
