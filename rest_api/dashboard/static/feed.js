// What happens right now, told by subscriptions.

import { h, icon } from "./dom.js";
import { badge } from "./entries.js";
import { joined, money, phone, since, words } from "./format.js";
import { nothing, Panel } from "./panel.js";
import { Live } from "./socket.js";
import { t } from "./texts.js";

const LONGEST = 60; // items that are kept

const MESSAGE = "id channel direction status reason to from createdAt contact { id name }";
// So that nobody looks at an empty box.
const RECENT = `{ messages(first: 15) { nodes { ${MESSAGE} } } }`;
const MESSAGES = `subscription { messageChanged { ${MESSAGE} } }`;
// Without those of messages, which the first one tells.
const EVENTS = `subscription { eventPublished(types: [
  CONTACT_CREATED, CONTACT_OPTED_OUT, SMS_CLICKED, RCS_CLICKED, EMAIL_OPENED, EMAIL_CLICKED, CAMPAIGN_COMPLETED,
  WALLET_LOW_BALANCE, WALLET_DEPLETED, APIKEY_CREATED, APIKEY_ROTATED, NUMBER_QUALITY_CHANGED
]) { id type } }`;
const MOVES = `subscription { cardMoved { id tipo de { nome } para { nome } porNome card { titulo valor moeda } } }`;

const STATES = {
  connecting: () => t("Connecting…"),
  live: () => t("Live"),
  waiting: (seconds) => t("Connection lost; again in {seconds} s", { seconds }),
  closed: () => t("Closed"),
};

/** `changed(what)` is called with "messages", "deals" or "contacts"; with null after a gap. */
export function feed({ gateway, openContact, changed }) {
  const state = h("span", { class: "state", role: "status" });
  const pause = h("button", { type: "button", class: "quiet-button", onclick: toggle }, t("Pause"));
  const panel = new Panel("feed", t("Live"), state, pause);
  const list = h("ol", { class: "feed", "aria-label": t("What just happened, the newest first") });
  const missing = h("ul", { class: "missing" });
  const empty = nothing(t("Quiet for now. What happens from here on is shown at once."));
  const coming = [];
  let paused = false;
  let drawing = false;
  let wasLive = false;
  panel.show(
    missing,
    h("div", { class: "feed-frame", tabindex: "0", role: "region", "aria-label": t("Live feed") }, empty, list),
  );

  function toggle() {
    paused = !paused;
    pause.textContent = paused ? t("Resume") : t("Pause");
    soon();
  }

  function happened(item) {
    coming.push(item);
    if (coming.length > LONGEST) coming.shift();
    if (paused) pause.textContent = t("Resume ({count})", { count: coming.length });
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

  const known = (id) => list.querySelector(`[data-id="${CSS.escape(id)}"]`);

  /** Newest first; what is told of the same thing again takes the place of what was told before. */
  function put({ id, at, picture, title, status, text, contact }) {
    empty.remove();
    known(id)?.remove();
    const later = [...list.children].find((one) => one.querySelector("time").dateTime <= at) ?? null;
    list.insertBefore(
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
      later,
    );
    while (list.children.length > LONGEST) list.lastElementChild.remove();
  }

  /** What happened before this page was there, or while its connection was lost. */
  async function catchUp() {
    try {
      const { nodes } = await gateway.ask(RECENT);
      for (const one of nodes) if (!known(one.id)) put({ id: one.id, at: one.createdAt, ...ofMessage(one) });
    } catch {
      // The subscription says what is missing.
    }
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
          ? t("{label} are not shown: the scope {scope} is missing.", { label, scope })
          : t("{label} are not shown: {why}", { label, why: error?.message });
        if (![...missing.children].some((one) => one.textContent === text)) missing.append(h("li", null, text));
      },
    };
  }

  const live = new Live(
    gateway,
    [
      subscription(
        MESSAGES,
        t("Messages"),
        () => "messages",
        ofMessage,
      ),
      subscription(
        EVENTS,
        t("Events"),
        ({ type }) => (type.startsWith("CONTACT") ? "contacts" : "events"),
        (one) => ({
          picture: pictureOf(one.type),
          title: words(one.type),
        }),
      ),
      subscription(
        MOVES,
        t("Deals"),
        () => "deals",
        (one) => ({
          picture: "deal",
          title: `${one.de?.nome ?? t("New")} → ${one.para.nome}`,
          status: one.tipo === "GANHO" || one.tipo === "PERDIDO" ? one.tipo : null,
          text: joined(one.card?.titulo, one.card?.valor && money(one.card.valor, one.card.moeda)),
        }),
      ),
    ],
    (name, seconds) => {
      state.textContent = STATES[name](seconds);
      state.dataset.state = name;
      if (name !== "live") return;
      catchUp();
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

function ofMessage(one) {
  const received = one.direction === "INBOUND";
  return {
    picture: "message",
    title: received ? t("{channel} received", one) : t("{channel} message", one),
    status: received ? null : one.status,
    text: joined(phone(one.to ?? one.from), one.reason && words(one.reason)),
    contact: one.contact,
  };
}

function pictureOf(type) {
  if (type.startsWith("WALLET")) return "wallet";
  if (type.startsWith("CONTACT")) return "contact";
  return type.endsWith("CLICKED") ? "click" : "event";
}
