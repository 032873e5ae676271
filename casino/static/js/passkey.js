// Passkeys: what the house asks lies in the form as JSON; what the browser signs is sent with it.
(() => {
  "use strict";
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const described = (list) => (list || []).map((each) => ({ ...each, id: bytes(each.id) }));

  const create = (asked) => navigator.credentials.create({
    publicKey: {
      ...asked,
      challenge: bytes(asked.challenge),
      user: { ...asked.user, id: bytes(asked.user.id) },
      excludeCredentials: described(asked.excludeCredentials),
    },
  });
  const get = (asked) => navigator.credentials.get({
    publicKey: { ...asked, challenge: bytes(asked.challenge), allowCredentials: described(asked.allowCredentials) },
  });

  const told = (credential) => {
    const { response } = credential;
    const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
    const found = parts.filter((part) => response[part]).map((part) => [part, text(response[part])]);
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      response: Object.fromEntries(found),
      clientExtensionResults: credential.getClientExtensionResults(),
    });
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const wrong = form.querySelector("[data-passkey-wrong]");
    if (!window.PublicKeyCredential) { // also on plain HTTP, but for localhost
      form.querySelector("[data-passkey-none]").hidden = false;
      form.querySelector("[data-passkey-go]").disabled = true;
      continue;
    }
    form.querySelector("[data-passkey-go]").addEventListener("click", async () => {
      wrong.hidden = true;
      try {
        const asked = JSON.parse(form.dataset.options).publicKey;
        const credential = await (form.dataset.passkey === "create" ? create(asked) : get(asked));
        form.elements.credential.value = told(credential);
        form.submit();
      } catch {
        wrong.hidden = false;
      }
    });
  }
})();
