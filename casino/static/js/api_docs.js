// The API's description, drawn by Swagger UI. What changes something is shown and not sent: a token
// and a program are for that.
SwaggerUIBundle({
  url: document.getElementById("api").dataset.schema,
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  supportedSubmitMethods: ["get"],
  validatorUrl: null,
});

// What is a part of the page and where a heading stands, for who does not see it: Swagger UI leaves
// its description and its filter outside of every part, and draws its headings two levels down.
(() => {
  "use strict";
  const api = document.getElementById("api");
  const PARTS = { ".information-container": "region", ".filter-container": "search" };
  const mend = () => {
    for (const [found, role] of Object.entries(PARTS)) {
      const part = api.querySelector(found);
      part?.setAttribute("role", role);
      if (role === "region") part?.setAttribute("aria-label", api.dataset.name);
    }
    for (const each of api.querySelectorAll("h3.opblock-tag, .models > h4")) each.setAttribute("aria-level", "2");
  };
  new MutationObserver(mend).observe(api, { childList: true, subtree: true });
})();
