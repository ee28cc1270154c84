// The service worker keeps the files of the page in the browser, so that the page opens
// without a network. With `fresh` a server comes first and the kept files are for when it
// cannot be reached; without, as for a folder of static files, the kept files come first
// and a new version takes over when no page is open any more.
const { version, files, fresh } = {};

const base = new URL("./", location).pathname;
const prefix = `ludozero ${base} `;
const kept = prefix + version;

addEventListener("install", (e) => {
  e.waitUntil((async () => {
    const cache = await caches.open(kept);
    await cache.addAll(files.map((name) => new Request(base + name, { cache: "no-cache" })));
    if (fresh) await skipWaiting();
  })());
});

addEventListener("activate", (e) => {
  e.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== kept) await caches.delete(name);
    await clients.claim();
  })());
});

addEventListener("fetch", (e) => {
  const { origin, pathname } = new URL(e.request.url);
  // Hosts that send index.html on to its folder would have that kept as an answer that was
  // redirected, which browsers refuse for a page.
  const path = pathname === `${base}index.html` ? base : pathname;
  if (e.request.method !== "GET" || origin !== location.origin || !files.includes(path.slice(base.length))) return;
  const known = () => caches.open(kept).then((cache) => cache.match(path));
  e.respondWith((async () => {
    if (!fresh) return (await known()) || fetch(e.request);
    try {
      return await fetch(e.request);
    } catch (problem) {
      const file = await known();
      if (!file) throw problem;
      return file;
    }
  })());
});
