/* global VERSION, SHELL -- the build writes both above this text */
// The service worker: pages come from the network while there is one, files with a hash in their name from
// the cache. What belongs to the server (/api and its kin) is never touched.

const CACHE = `tengen-${VERSION}`;
const ROOT = new URL("./", self.location.href).pathname; // of the site, which a static host may serve below a folder
const PATHS = SHELL.map((file) => new URL(file, self.location.href).pathname);

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
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tengen-") && name !== CACHE).map((name) => caches.delete(name)));
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
