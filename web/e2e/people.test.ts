/** Who one is, across browsers: a recovery code, a link to another device, a passkey, and the end of it all. */
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();

async function named(me: Person, name: string): Promise<void> {
  await me.page.goto("/settings");
  await me.press(/choose a nickname/i);
  await me.page.getByRole("textbox", { name: "Nickname" }).fill(name);
  await me.press("Save");
  await me.page.getByRole("heading", { name: "Devices" }).waitFor();
}

test("a recovery code and a link bring one to other browsers, and erasure ends it", async () => {
  const [me, phone, laptop] = await Promise.all([at.person(), at.person(), at.person("keys")]);
  await named(me, "Ann");
  await me.press("Make a code");
  const code = await me.dialog.getByRole("textbox", { name: "Recovery code" }).inputValue();
  expect(code).toMatch(/^(\w{4}-){5}\w{4}$/);
  await me.press("I have kept it");
  await me.reads(/^Made on/);

  await me.press("Show the code");
  const link = await me.link();
  await me.page.keyboard.press("Escape");
  await phone.page.goto(link);
  await phone.press("This is me");
  await phone.reads("Welcome back, Ann.");

  await laptop.page.goto("/settings");
  await laptop.press("Come back");
  await laptop.dialog.getByRole("textbox", { name: "Recovery code" }).fill(code.toLowerCase());
  await laptop.press("Come in");
  await laptop.page.getByRole("dialog", { name: "Your recovery code" }).waitFor();
  await laptop.press("I have kept it");
  await expect.poll(() => laptop.page.getByRole("button", { name: /^Sign out .*(Chrome|program)/i }).count()).toBe(3);

  await laptop.press("Sign out all others");
  await laptop.reads("Signed out.");
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Ways back" }).waitFor();
  await expect.poll(() => me.page.getByRole("heading", { name: "Devices" }).count()).toBe(0);

  await laptop.press("Erase me");
  await laptop.press("Erase everything");
  await laptop.reads("You are forgotten.");
  await expect.poll(() => laptop.page.getByRole("heading", { name: "Devices" }).count()).toBe(0);
});

test("a passkey lets one in from a browser that knows nothing", async () => {
  const home = at.server.url.replace("127.0.0.1", "localhost");
  const me = await at.person("mouse", { baseURL: home });
  const devtools = await me.page.context().newCDPSession(me.page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await named(me, "Pia");
  await me.press("Add a passkey");
  await me.reads("The passkey is kept.");
  await me.button(/^Forget the passkey/).waitFor();

  await me.page.context().clearCookies();
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Ways back" }).waitFor();
  await expect.poll(() => me.page.getByRole("heading", { name: "Devices" }).count()).toBe(0);
  await me.press("Come back");
  await me.press("With a passkey");
  await me.reads("Welcome back, Pia.");
  await me.page.getByRole("heading", { name: "Devices" }).waitFor();
});
