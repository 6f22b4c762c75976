/* global VERSION, SHELL, BRAINS -- the build writes them above this text */
// The service worker: pages come from the network while there is one, files with a hash in their name from
// the cache. Brains are kept from when they are first used. What belongs to the server (/api and its kin) is
// never touched.

const CACHE = `tengen-${VERSION}`;
const BRAIN_CACHE = "tengen-brains"; // stays when the shell is another one
const ROOT = new URL("./", self.location.href).pathname; // of the site, which a static host may serve below a folder
const pathOf = (file) => new URL(file, self.location.href).pathname;
const PATHS = SHELL.map(pathOf);
const BRAIN_PATHS = BRAINS.map(pathOf);

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && !url.pathname.startsWith(`${ROOT}api/`)) event.respondWith(page(request));
  else if (PATHS.includes(url.pathname)) event.respondWith(file(request, url.pathname));
  else if (BRAIN_PATHS.includes(url.pathname)) event.respondWith(brain(request, url.pathname));
});

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("tengen-") && name !== CACHE && name !== BRAIN_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  const brains = await caches.open(BRAIN_CACHE);
  const gone = (await brains.keys()).filter(({ url }) => !BRAIN_PATHS.includes(new URL(url).pathname));
  await Promise.all(gone.map((request) => brains.delete(request)));
}

async function brain(request, path) {
  const cache = await caches.open(BRAIN_CACHE);
  const kept = await cache.match(path);
  if (kept) return kept;
  const found = await fetch(request);
  if (found.ok) await cache.put(path, found.clone());
  return found;
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(ROOT);
    if (kept) return kept;
    throw error;
  }
}

async function file(request, path) {
  const hashed = path.startsWith(`${ROOT}assets/`);
  const kept = await caches.match(path);
  if (hashed && kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
