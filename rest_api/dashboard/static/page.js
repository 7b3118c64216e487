// The dashboard: somebody logs in, or shows a key, then four parts share one gateway. Leaving forgets all of it.

import { board } from "./board.js";
import { contacts } from "./contacts.js";
import { h } from "./dom.js";
import { feed } from "./feed.js";
import { coins } from "./format.js";
import { gate } from "./gate.js";
import { explained, Gateway } from "./gateway.js";
import { SessionCredential, whoIsLoggedIn } from "./session.js";
import { environment, language, t } from "./texts.js";
import { themeChoice } from "./theme.js";
import { volume } from "./volume.js";

const ME = "{ me { env organization { nome } wallet { disponivelCoins } } }";
const AT_MOST_EVERY = 10_000; // milliseconds between two refreshes of one part, however much happens
const HANDS_OFF = 2000; // milliseconds without a move, after which a part may change under a pointer
const HANDS = ["pointermove", "pointerdown", "wheel", "keydown"];
const BALANCE_EVERY = 60_000; // top-ups are told to nobody

const content = document.getElementById("content");
const whose = document.getElementById("whose");
const controls = document.getElementById("controls");
let close = () => {};

function ask(options) {
  close();
  close = () => {};
  whose.replaceChildren();
  controls.replaceChildren(themeChoice());
  content.replaceChildren(gate(enter, options));
  content.querySelector("input").focus();
}

/** Open the dashboard with a credential; answers why not. */
async function enter(credential) {
  const byKey = credential.name === null;
  const over = byKey ? t("Paste a key again.") : t("Your session is over. Log in again.");
  let opened = false;
  let refused = null;
  const gateway = new Gateway(credential, (refusal) => {
    refused = refusal;
    const message = byKey ? `${refusal.message ?? t("The key is not known.")} ${over}` : over;
    if (opened) ask({ message, by: byKey ? "key" : "password" });
  });
  try {
    const me = await gateway.ask(ME);
    opened = true;
    show(gateway, credential, me);
    return null;
  } catch (error) {
    return refused?.message ?? explained(error).join(": ");
  }
}

function show(gateway, credential, me) {
  const money = balance(gateway, me.wallet);
  whose.replaceChildren(
    h("span", { class: "organization" }, me.organization.nome),
    h("span", { class: `env env-${me.env.toLowerCase()}` }, environment(me.env)),
    money.element,
  );
  controls.replaceChildren(themeChoice(), h("span", { class: "quiet" }, credential.name ?? ""), wayOut(credential));
  const people = contacts({ gateway });
  const openContact = people.openContact;
  const parts = {
    messages: volume({ gateway }),
    deals: board({ gateway, openContact }),
    contacts: people,
    balance: money,
  };
  const refreshers = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, paced(part)]));
  const changed = (what) => {
    if (what === null) Object.values(refreshers).forEach((one) => one());
    else refreshers[what]?.();
    if (what === "messages" || what === "events") refreshers.balance();
  };
  const live = feed({ gateway, openContact, changed });
  close = () => {
    gateway.close();
    live.close();
    money.close();
    Object.values(refreshers).forEach((one) => one.stop());
  };
  content.replaceChildren(
    h("h1", { class: "unseen" }, t("Dashboard")),
    h("div", { class: "parts" }, parts.messages.element, live.element, parts.deals.element, people.element),
  );
  content.focus();
}

function wayOut(credential) {
  const leave = async ({ target }) => {
    target.disabled = true;
    const done = await credential.end();
    ask(done ? {} : { message: t("You may still be logged in: the service did not answer.") });
  };
  return h("button", { type: "button", onclick: leave }, credential.name === null ? t("Forget key") : t("Log out"));
}

/** What may be spent, as it is now. */
function balance(gateway, wallet) {
  if (!wallet) return { element: "", refresh: () => {}, close: () => {} };
  const amount = h("b", null, coins(wallet.disponivelCoins));
  const refresh = async () => {
    try {
      amount.textContent = coins((await gateway.ask(ME)).wallet.disponivelCoins);
    } catch {
      // The parts say what is wrong; this one is asked again soon.
    }
  };
  const seen = () => document.hidden || refresh();
  const clock = setInterval(seen, BALANCE_EVERY);
  document.addEventListener("visibilitychange", seen);
  const stop = () => {
    clearInterval(clock);
    document.removeEventListener("visibilitychange", seen);
  };
  return { element: h("span", { class: "balance" }, t("Balance"), " ", amount), refresh, close: stop };
}

/** Refreshes a part once for all that happens within a while, but not under moving hands. */
function paced({ element, refresh }) {
  let timer = 0;
  let touched = -HANDS_OFF;
  const due = () => {
    const wait = touched + HANDS_OFF - performance.now();
    timer = wait > 0 ? setTimeout(due, wait) : 0;
    if (!timer) refresh({ quietly: true });
  };
  const later = () => {
    timer ||= setTimeout(due, AT_MOST_EVERY);
  };
  for (const name of element ? HANDS : []) {
    element.addEventListener(name, () => (touched = performance.now()), { passive: true });
  }
  later.stop = () => clearTimeout(timer);
  return later;
}

async function start() {
  document.documentElement.lang = language;
  document.title = `${t("Dashboard")} – SVC`;
  document.querySelector(".skip").textContent = t("Skip to the content");
  const { status, content: told } = await whoIsLoggedIn();
  if (status !== 200) return ask({ message: notIn(status, told) });
  const refusal = await enter(new SessionCredential(told));
  if (refusal) ask({ message: refusal });
}

function notIn(status, told) {
  if (status === 401) return t("Your session is over. Log in again.");
  return status === 403 ? told.detail : null;
}

start();
