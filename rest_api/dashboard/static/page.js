// The dashboard: a key is asked for, then four parts share one gateway. Forgetting the key forgets all of it.

import { board } from "./board.js";
import { contacts } from "./contacts.js";
import { h } from "./dom.js";
import { feed } from "./feed.js";
import { coins } from "./format.js";
import { gate } from "./gate.js";
import { explained, Gateway } from "./gateway.js";
import { themeChoice } from "./theme.js";
import { volume } from "./volume.js";

const ME = "{ me { env organization { nome } wallet { disponivelCoins } } }";
const AT_MOST_EVERY = 10_000; // milliseconds between two refreshes of one part, however much happens

const content = document.getElementById("content");
const whose = document.getElementById("whose");
const controls = document.getElementById("controls");
let close = () => {};

function ask(message = null) {
  close();
  close = () => {};
  whose.replaceChildren();
  controls.replaceChildren(themeChoice());
  content.replaceChildren(gate(enter, message));
  content.querySelector("input").focus();
}

/** Open the dashboard with a key; answers why not. */
async function enter(key) {
  let opened = false;
  let refused = null;
  const gateway = new Gateway(key, (refusal) => {
    refused = refusal;
    if (opened) ask(`${refusal.message ?? "The key is not known."} Paste a key again.`);
  });
  try {
    const me = await gateway.ask(ME);
    opened = true;
    show(gateway, me);
    return null;
  } catch (error) {
    return refused?.message ?? explained(error).join(": ");
  }
}

function show(gateway, me) {
  whose.replaceChildren(
    h("span", { class: "organization" }, me.organization.nome),
    h("span", { class: `env env-${me.env.toLowerCase()}` }, me.env === "TEST" ? "Sandbox" : "Live"),
    me.wallet ? h("span", { class: "balance" }, "Balance ", h("b", null, coins(me.wallet.disponivelCoins))) : "",
  );
  controls.replaceChildren(themeChoice(), h("button", { type: "button", onclick: () => ask() }, "Forget key"));
  const people = contacts({ gateway });
  const openContact = people.openContact;
  const parts = { messages: volume({ gateway }), deals: board({ gateway, openContact }), contacts: people };
  const refreshers = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, paced(part)]));
  const changed = (what) => (what === null ? Object.values(refreshers).forEach((one) => one()) : refreshers[what]?.());
  const live = feed({ gateway, openContact, changed });
  close = () => {
    gateway.close();
    live.close();
    Object.values(refreshers).forEach((one) => one.stop());
  };
  content.replaceChildren(
    h("h1", { class: "unseen" }, "Dashboard"),
    h("div", { class: "parts" }, parts.messages.element, live.element, parts.deals.element, people.element),
  );
  content.focus();
}

/** Refreshes a part once for all that happens within a while, and not under somebody's hands. */
function paced({ element, refresh }) {
  let timer = 0;
  const later = () => {
    timer ||= setTimeout(() => {
      timer = 0;
      if (element.matches(":hover, :focus-within")) later();
      else refresh();
    }, AT_MOST_EVERY);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

ask();
