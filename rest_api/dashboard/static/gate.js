// Where a key is asked for.

import { h } from "./dom.js";

const KEY = /^[\x21-\x7e]{20,}$/;

/** The form. `enter(key)` is called with what was put in, and answers once that is settled. */
export function gate(enter, message = null) {
  const why = h("p", { class: "why", role: "alert", id: "why" }, message);
  // No password field: browsers offer to keep those.
  const field = h("input", {
    id: "key",
    class: "secret",
    name: "key",
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "svc_test_…",
    required: true,
    "aria-describedby": "kept why",
    "aria-invalid": message ? "true" : null,
  });
  const button = h("button", { type: "submit", class: "primary" }, "Open the dashboard");
  const refuse = (text) => {
    why.textContent = text;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  const submitted = async (event) => {
    event.preventDefault();
    const key = field.value.trim().replace(/^Bearer\s+/i, "");
    if (!KEY.test(key)) return refuse("That is no key: copy it whole, from svc_ to its end.");
    button.disabled = true;
    button.textContent = "Opening…";
    const refusal = await enter(key);
    if (refusal) {
      button.disabled = false;
      button.textContent = "Open the dashboard";
      refuse(refusal);
    }
  };
  return h(
    "section",
    { class: "gate", "aria-labelledby": "gate-title" },
    h("h1", { id: "gate-title" }, "Your messages, deals and contacts"),
    h("p", { class: "lead" }, "Paste an API key to see what happens in its environment, live."),
    h("form", { onsubmit: submitted, novalidate: true }, h("label", { for: "key" }, "API key"), field, why, button),
    h(
      "p",
      { class: "quiet", id: "kept" },
      "The key stays in this open page: it is not stored, and it is gone when you reload. Reading scopes are enough.",
    ),
  );
}
