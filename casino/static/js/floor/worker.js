// Starts the floor without a line: the start page, tables that were opened on this device, and what
// they are made of. Network first, the cache where nobody answers, or only a proxy that does not
// reach the house. Needs HTTPS or localhost, as every browser demands; recording through a lost line needs none of this.
//
// casino/floor/tables/web_app.py puts before it: ask_house.js; VERSION, of all files; KEPT_FOR, milliseconds a session
// lasts; WORDS, {none, more} of the page where nothing is kept.
//
// Pages are somebody's: they go when that person signs out, when somebody else's come, when the house
// says that nobody is signed in, and after KEPT_FOR at the latest.
"use strict";
const FILES = `floor-files-${VERSION}`;
const PAGES = `floor-pages-${VERSION}`;
const GAMES_AT_MOST = 24;
const ANSWERED_WITHIN = 5000; // milliseconds until the line counts as lost for a page
const KEPT_AT = "X-Kept-At";
const CLOCK_STEPS = 60_000; // milliseconds back, as clocks are set; a page from later is of no known age
const START = "/floor/";
const GAME = /^\/floor\/games\/[0-9a-f-]+\/$/;
const isPage = (path) => path === START || GAME.test(path);
const PARTS = /(?:src|href)="(\/static\/[^"]+)"/g;
const OF_PAGES = new Set(["script", "style", "font", "image"]);
// Asked for all the time, and never kept: the browser need not wake the worker for them.
const LIVE = ["/floor/games/*/board/", "/floor/games/*/entries/", "/floor/games/*/offline/", "/floor/games/*/lease/"];

self.addEventListener("install", (event) => {
  event.addRoutes?.(LIVE.map((urlPattern) => ({ condition: { urlPattern }, source: "network" })))?.catch?.(() => {});
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("floor-") && name !== FILES && name !== PAGES);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
})()));

// --- Pages ---------------------------------------------------------------------------------------

const forget = () => caches.delete(PAGES);

const personOf = (html) => /data-who="([^"]*)"/.exec(html)?.[1] ?? "";

const addFiles = async (files) => {
  const store = await caches.open(FILES);
  for (const each of files) {
    if (!(await store.match(each))) await store.add(each).catch(() => {});
  }
};

// Whichever page came first, and whatever a new version threw away: the way to all tables is there.
const keepStart = async () => {
  if (await kept(START)) return;
  const answer = await askHouse.itself(START, { redirect: "manual" });
  if (!answer.ok) return;
  const html = await answer.clone().text();
  await addFiles([...html.matchAll(PARTS)].map(([, path]) => path));
  await keep(START, answer);
};

const keep = async (address, answer) => {
  const html = await answer.text();
  const whose = personOf(html);
  const first = await (await caches.open(PAGES)).match("/floor/whose");
  if (first && (await first.text()) !== whose) await forget();
  if (address !== START) await keepStart().catch(() => {});
  const pages = await caches.open(PAGES);
  const headers = new Headers(answer.headers);
  headers.set(KEPT_AT, String(Date.now()));
  await pages.put(address, new Response(html, { headers }));
  await pages.put("/floor/whose", new Response(whose));
  const games = (await pages.keys()).filter(({ url }) => GAME.test(new URL(url).pathname));
  for (const old of games.slice(0, -GAMES_AT_MOST)) await pages.delete(old);
};

const kept = async (address) => {
  const page = await (await caches.open(PAGES)).match(address, { ignoreSearch: true });
  const age = Date.now() - Number(page?.headers.get(KEPT_AT) ?? 0);
  return page && age < KEPT_FOR && age > -CLOCK_STEPS ? page : null;
};

const nothing = () => new Response(
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${WORDS.none}</title><h1>${WORDS.none}</h1><p>${WORDS.more}</p><p><a href="/floor/">/floor/</a></p>`,
  { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } },
);

const late = (milliseconds) => new Promise((_resolve, reject) => { setTimeout(() => reject(new Error("late")), milliseconds); });

const page = async (event) => {
  const { pathname } = new URL(event.request.url);
  const asked = askHouse(event.request);
  try {
    const answer = await Promise.race([asked, kept(pathname).then((there) => (there ? late(ANSWERED_WITHIN) : asked))]);
    if (answer.type === "opaqueredirect") event.waitUntil(forget()); // to the sign-in
    if (answer.ok) event.waitUntil(keep(pathname, answer.clone()));
    return answer;
  } catch {
    asked.catch(() => {});
    return (await kept(pathname)) ?? nothing();
  }
};

// --- What pages are made of ------------------------------------------------------------------------

const file = async (event) => {
  try {
    const answer = await askHouse(event.request);
    if (answer.ok) {
      const copy = answer.clone();
      event.waitUntil(caches.open(FILES).then((files) => files.put(event.request, copy)));
    }
    return answer;
  } catch (failure) {
    const known = await caches.match(event.request, { cacheName: FILES });
    if (known) return known;
    throw failure;
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (isPage(pathname)) event.respondWith(page(event));
  } else if (OF_PAGES.has(request.destination)) event.respondWith(file(event));
});

// What a page was made of before the worker was there; and that nobody is signed in.
self.addEventListener("message", (event) => {
  const { files = [], address, signedOut } = event.data;
  if (signedOut) event.waitUntil(forget());
  if (!files.length) return;
  event.waitUntil((async () => {
    await addFiles(files);
    const answer = await askHouse.itself(address, { redirect: "manual" });
    if (answer.ok) await keep(new URL(address).pathname, answer);
  })().catch(() => {}));
});
