// Asks the house: `fetch`, but what a proxy says of a house that it does not reach (502, 503, 504 and
// above) is no answer. It fails as it does without a line, so whoever asks has one case, not two.
//
// The house itself answers 503 where its storage fails, and says in a header that it was the house
// (casino/engine/databases/storage_failure.py). This script is part of the service worker, too.
//
// What a page asks by itself, without an act of the person, says so in a header: it keeps no session
// open (casino/settings/staff/sign_in/middleware.py). Scripts ask by `askHouse.itself`; htmx asks by itself wherever
// no hand started the event.
self.askHouse = (() => {
  "use strict";
  const LAST_OF_THE_HOUSE = 501; // above it only what bears the header
  const ANSWERED_BY = "Answered-By";
  const HOUSE = "house";
  const ASKED_BY = "Asked-By";
  const PAGE = "page";

  const isAnswer = (status, header) => status <= LAST_OF_THE_HOUSE || header(ANSWERED_BY) === HOUSE;

  const askHouse = async (...asked) => {
    const answer = await fetch(...asked);
    if (!isAnswer(answer.status, (name) => answer.headers.get(name))) throw new TypeError(`no answer: ${answer.status} of a proxy`);
    return answer;
  };
  askHouse.itself = (address, options = {}) =>
    askHouse(address, { ...options, headers: { ...options.headers, [ASKED_BY]: PAGE } });
  self.document?.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.triggeringEvent?.isTrusted) detail.headers[ASKED_BY] = PAGE;
  });
  // Of a request that htmx has sent.
  askHouse.heard = (xhr) => isAnswer(xhr.status, (name) => xhr.getResponseHeader(name));
  return askHouse;
})();
