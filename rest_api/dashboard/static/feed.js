// What happens right now, told by subscriptions.

import { h, icon } from "./dom.js";
import { badge } from "./entries.js";
import { joined, money, phone, since, words } from "./format.js";
import { nothing, Panel } from "./panel.js";
import { Live } from "./socket.js";

const LONGEST = 60; // items that are kept

const MESSAGES = `subscription { messageChanged {
  id channel direction status reason to from contact { id name }
} }`;
// Without those of messages, which the first one tells.
const EVENTS = `subscription { eventPublished(types: [
  CONTACT_CREATED, CONTACT_OPTED_OUT, SMS_CLICKED, RCS_CLICKED, EMAIL_OPENED, EMAIL_CLICKED, CAMPAIGN_COMPLETED,
  WALLET_LOW_BALANCE, WALLET_DEPLETED, APIKEY_CREATED, APIKEY_ROTATED, NUMBER_QUALITY_CHANGED
]) { id type } }`;
const MOVES = `subscription { cardMoved { id tipo de { nome } para { nome } porNome card { titulo valor moeda } } }`;

const STATES = {
  connecting: () => "Connecting…",
  live: () => "Live",
  waiting: (seconds) => `Connection lost; again in ${seconds} s`,
  closed: () => "Closed",
};

/** `changed(what)` is called with "messages", "deals" or "contacts"; with null after a gap. */
export function feed({ gateway, openContact, changed }) {
  const state = h("span", { class: "state", role: "status" });
  const pause = h("button", { type: "button", class: "quiet-button", onclick: toggle }, "Pause");
  const panel = new Panel("feed", "Live", state, pause);
  const list = h("ol", { class: "feed", "aria-label": "What just happened, the newest first" });
  const missing = h("ul", { class: "missing" });
  const empty = nothing("Quiet for now. What happens from here on is shown at once.");
  const coming = [];
  let paused = false;
  let drawing = false;
  let wasLive = false;
  panel.show(
    missing,
    empty,
    h("div", { class: "feed-frame", tabindex: "0", role: "region", "aria-label": "Live feed" }, list),
  );

  function toggle() {
    paused = !paused;
    pause.textContent = paused ? "Resume" : "Pause";
    soon();
  }

  function happened(item) {
    coming.push(item);
    if (coming.length > LONGEST) coming.shift();
    if (paused) pause.textContent = `Resume (${coming.length})`;
    soon();
  }

  /** Once for each frame, however much happens; a page that nobody looks at is not drawn. */
  function soon() {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      if (!paused) coming.splice(0).forEach(put);
    });
  }

  /** Newest first; what is told of the same thing again takes the place of what was told before. */
  function put({ id, at, picture, title, status, text, contact }) {
    empty.remove();
    list.querySelector(`[data-id="${CSS.escape(id)}"]`)?.remove();
    list.prepend(
      h(
        "li",
        { class: "entry", "data-id": id },
        h("span", { class: `mark mark-${picture}` }, icon(picture)),
        h(
          "div",
          null,
          h("p", { class: "entry-title" }, title, " ", status && badge(status)),
          contact
            ? h(
                "button",
                { type: "button", class: "link", onclick: () => openContact(contact.id) },
                contact.name ?? text,
              )
            : text && h("p", { class: "quiet" }, text),
        ),
        h("time", { datetime: at, class: "quiet" }, since(at)),
      ),
    );
    while (list.children.length > LONGEST) list.lastElementChild.remove();
  }

  function subscription(query, label, what, item) {
    return {
      query,
      next: (data) => {
        happened({ id: data.id, at: new Date().toISOString(), ...item(data) });
        changed(what(data));
      },
      refused: ([error]) => {
        const scope = error?.extensions?.meta?.escopoExigido;
        const text = scope
          ? `${label} are not shown: the key lacks ${scope}.`
          : `${label} are not shown: ${error?.message}`;
        if (![...missing.children].some((one) => one.textContent === text)) missing.append(h("li", null, text));
      },
    };
  }

  const live = new Live(
    gateway,
    [
      subscription(
        MESSAGES,
        "Messages",
        () => "messages",
        (one) => ({
          picture: "message",
          title: one.direction === "INBOUND" ? `${one.channel} received` : `${one.channel} message`,
          status: one.direction === "INBOUND" ? null : one.status,
          text: joined(phone(one.to ?? one.from), one.reason && words(one.reason)),
          contact: one.contact,
        }),
      ),
      subscription(
        EVENTS,
        "Events",
        ({ type }) => (type.startsWith("CONTACT") ? "contacts" : "events"),
        (one) => ({
          picture: pictureOf(one.type),
          title: words(one.type),
        }),
      ),
      subscription(
        MOVES,
        "Deals",
        () => "deals",
        (one) => ({
          picture: "deal",
          title: `${one.de?.nome ?? "New"} → ${one.para.nome}`,
          status: one.tipo === "GANHO" || one.tipo === "PERDIDO" ? one.tipo : null,
          text: joined(one.card?.titulo, one.card?.valor && money(one.card.valor, one.card.moeda)),
        }),
      ),
    ],
    (name, seconds) => {
      state.textContent = STATES[name](seconds);
      state.dataset.state = name;
      if (name !== "live") return;
      if (wasLive) changed(null);
      wasLive = true;
    },
  );

  const clock = setInterval(() => {
    for (const one of list.querySelectorAll("time")) one.textContent = since(one.dateTime);
  }, 20_000);

  return {
    element: panel.element,
    close: () => {
      clearInterval(clock);
      live.close();
    },
  };
}

function pictureOf(type) {
  if (type.startsWith("WALLET")) return "wallet";
  if (type.startsWith("CONTACT")) return "contact";
  return type.endsWith("CLICKED") ? "click" : "event";
}
