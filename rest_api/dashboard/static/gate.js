// The way in: e-mail, password and second factor; or an API key.

import { h } from "./dom.js";
import { KeyCredential } from "./gateway.js";
import { segments } from "./segments.js";
import { logIn, SessionCredential } from "./session.js";
import { environment, t } from "./texts.js";

const KEY = /^[\x21-\x7e]{20,}$/;

/**
 * The way in. `enter(credential)` is called with what opens the dashboard, and answers why it does not, once that is
 * settled. `by`: "password" or "key".
 */
export function gate(enter, { message = null, by = "password" } = {}) {
  const frame = h("section", { class: "gate", "aria-labelledby": "gate-title" });
  const show = (way, why) => {
    const parts = way === "key" ? byKey : byPassword;
    frame.replaceChildren(...parts(enter, other, why));
  };
  const other = (way) => {
    show(way, null);
    frame.querySelector("input").focus();
  };
  show(by, message);
  return frame;
}

function byPassword(enter, other, message) {
  const email = input("email", t("E-mail"), { type: "email", autocomplete: "username" });
  const password = input("password", t("Password"), { type: "password", autocomplete: "current-password" });
  const code = input("code", t("Code of the second factor"), {
    type: "text",
    autocomplete: "one-time-code",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: "20",
  });
  const organization = h("select", { id: "organization", name: "organization" });
  const whichOne = h("div", { class: "row" }, h("label", { for: "organization" }, t("Organization")), organization);
  const environments = [
    ["live", environment("LIVE")],
    ["test", environment("TEST")],
  ];
  const env = segments(t("Environment"), "env", environments, "live", () => {});
  code.hidden = whichOne.hidden = true;

  const submitted = async (refuse) => {
    if (!valueOf(email) || !fieldOf(password).value) {
      return refuse(t("Fill in e-mail and password."), fieldOf(valueOf(email) ? password : email));
    }
    const { status, content, retryAfter } = await logIn({
      email: valueOf(email),
      password: fieldOf(password).value,
      env: env.querySelector(":checked").value,
      ...(valueOf(code) && { code: valueOf(code) }),
      ...(organization.value && { organizationId: organization.value }),
    });
    if (status === 201) {
      const refusal = await enter(new SessionCredential(content));
      return refusal && refuse(refusal, fieldOf(email));
    }
    const reason = content?.meta?.motivo ?? content?.meta?.code;
    if (reason === "ORGANIZACAO_AMBIGUA") {
      whichOne.hidden = false;
      const options = content.meta.organizacoes.map(({ id, nome }) => h("option", { value: id }, nome));
      organization.replaceChildren(...options);
      return refuse(t("You work for several organizations: choose one."), organization);
    }
    if (reason === "segundo_fator_exigido" || reason === "segundo_fator_invalido") {
      code.hidden = false;
      return refuse(said(reason, retryAfter), fieldOf(code));
    }
    refuse(said(reason, retryAfter) ?? told(content), fieldOf(reason === "credenciais_invalidas" ? password : email));
  };
  return [
    h("h1", { id: "gate-title" }, t("Your messages, deals and contacts")),
    h("p", { class: "lead" }, t("Log in to see what happens, live.")),
    form(submitted, { message, send: t("Log in"), sending: t("Logging in…") }, email, password, whichOne, code, env),
    h("button", { type: "button", class: "link", onclick: () => other("key") }, t("Use an API key instead")),
  ];
}

/** What a person is told of a log-in that did not succeed; undefined where the service says it better. */
function said(reason, retryAfter) {
  return {
    credenciais_invalidas: t("E-mail and password do not fit. Check both."),
    segundo_fator_exigido: t("Enter the six digits of your app, or a recovery code."),
    segundo_fator_invalido: t("The code does not fit, or was used already. Wait for the next one."),
    LOGIN_BLOQUEADO: t("Too many tries. Log in again in {minutes} min.", { minutes: Math.ceil(retryAfter / 60) }),
  }[reason];
}

function told(content) {
  if (content === null) return t("The service does not answer. Try again in a moment.");
  return content.errors?.[0]?.message ?? content.detail;
}

function byKey(enter, other, message) {
  // No password field: browsers offer to keep those.
  const key = input("key", t("API key"), {
    class: "secret",
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "svc_test_…",
  });
  const submitted = async (refuse) => {
    const value = valueOf(key).replace(/^Bearer\s+/i, "");
    if (!KEY.test(value)) return refuse(t("That is no key: copy it whole, from svc_ to its end."), fieldOf(key));
    const refusal = await enter(new KeyCredential(value));
    if (refusal) refuse(refusal, fieldOf(key));
  };
  return [
    h("h1", { id: "gate-title" }, t("Your messages, deals and contacts")),
    h("p", { class: "lead" }, t("Paste an API key to see what happens in its environment, live.")),
    form(submitted, { message, send: t("Open the dashboard"), sending: t("Opening…") }, key),
    h(
      "p",
      { class: "quiet" },
      t(
        "The key stays in this open page: it is not stored, and it is gone when you reload. Reading scopes are enough.",
      ),
    ),
    h(
      "button",
      { type: "button", class: "link", onclick: () => other("password") },
      t("Log in with e-mail and password"),
    ),
  ];
}

const fieldOf = (row) => row.lastElementChild;
const valueOf = (row) => fieldOf(row).value.trim();

/** A field under its label. */
function input(name, label, attributes) {
  const field = h("input", { id: name, name, required: true, "aria-describedby": "why", ...attributes });
  return h("div", { class: "row" }, h("label", { for: name }, label), field);
}

/** `submitted(refuse)` is awaited; `refuse(text, field)` says why not, and where. */
function form(submitted, { message, send, sending }, ...rows) {
  const why = h("p", { class: "why", role: "alert", id: "why" }, message);
  const button = h("button", { type: "submit", class: "primary" }, send);
  const whole = h("form", { novalidate: true }, rows, why, button);
  const refuse = (text, field) => {
    why.textContent = text;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };
  whole.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    for (const field of whole.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    why.textContent = "";
    button.disabled = true;
    button.textContent = sending;
    await submitted(refuse);
    button.disabled = false;
    button.textContent = send;
  });
  return whole;
}
