/* global VERSION, SHELL -- the build writes both above this text */
// The service worker: pages come from the network while there is one, files with a hash in their name from
// the cache. What belongs to the server (/api and its kin) is never touched.

const CACHE = `tengen-${VERSION}`;

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
  if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) event.respondWith(page(request));
  else if (SHELL.includes(url.pathname)) event.respondWith(file(request, url.pathname));
});

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tengen-") && name !== CACHE).map((name) => caches.delete(name)));
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match("/");
    if (kept) return kept;
    throw error;
  }
}

async function file(request, path) {
  const hashed = path.startsWith("/assets/");
  const kept = await caches.match(path);
  if (hashed && kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
