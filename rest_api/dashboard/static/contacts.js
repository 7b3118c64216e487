// Finding a contact, and what happened around it.

import { h, icon, keepingPlace } from "./dom.js";
import { initials, joined, number, phone as written, since } from "./format.js";
import { nothing, Panel, sorry } from "./panel.js";
import { t } from "./texts.js";
import { timeline } from "./timeline.js";

const QUERY = `query Contacts($filter: ContactFilter) {
  contacts(first: 20, filter: $filter, orderBy: LAST_INTERACTION_AT_DESC) {
    warnings
    nodes { id name phone email lastInteractionAt company { nome } }
  }
}`;
const SETTLED = 250; // milliseconds without typing, after which we search

export function contacts({ gateway }) {
  const panel = new Panel("contacts", t("Contacts"));
  const list = h("ul", { class: "people", "aria-label": t("Contacts"), "data-key": "people" });
  const found = h("p", { class: "quiet found", role: "status" });
  const shown = h("div", { class: "person-frame" }, nothing(t("Choose a contact to see what happened.")));
  const field = h("input", {
    type: "search",
    id: "search",
    placeholder: t("Name, phone or e-mail"),
    autocomplete: "off",
    spellcheck: "false",
    "aria-controls": "people",
    oninput: () => {
      clearTimeout(typing);
      typing = setTimeout(search, SETTLED);
    },
    onkeydown: (event) => event.key === "ArrowDown" && move(event, list.firstElementChild),
  });
  list.id = "people";
  let typing = 0;
  let newest = 0;
  let chosen = null;

  async function search() {
    const asked = (newest += 1);
    const q = field.value.trim();
    list.setAttribute("aria-busy", "true");
    try {
      const page = await gateway.ask(QUERY, { filter: q ? { q } : {} });
      if (asked !== newest) return;
      keepingPlace(panel.element, () => list.replaceChildren(...page.nodes.map(person)));
      found.textContent = said(q, page);
    } catch (error) {
      if (asked !== newest) return;
      list.replaceChildren(h("li", null, sorry(error, search)));
      found.textContent = "";
    }
    list.removeAttribute("aria-busy");
  }

  function person({ id, name, phone, email, company, lastInteractionAt }) {
    return h(
      "li",
      null,
      h(
        "button",
        {
          type: "button",
          class: "person",
          "data-id": id,
          "data-key": `person-${id}`,
          "aria-current": id === chosen ? "true" : null,
          onclick: () => open(id),
          onkeydown: step,
        },
        h("span", { class: "avatar", "aria-hidden": "true" }, initials(name) || icon("contact")),
        h(
          "span",
          { class: "who" },
          h("b", null, name ?? written(phone)),
          h("small", null, joined(company?.nome, name ? written(phone) : email)),
        ),
        lastInteractionAt && h("small", { class: "quiet" }, since(lastInteractionAt)),
      ),
    );
  }

  function step(event) {
    const item = event.currentTarget.parentElement;
    if (event.key === "ArrowDown") move(event, item.nextElementSibling);
    if (event.key === "ArrowUp") move(event, item.previousElementSibling ?? field.parentElement);
  }

  function open(id) {
    chosen = id;
    for (const button of list.querySelectorAll(".person")) {
      if (button.dataset.id === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    shown.replaceChildren(timeline(gateway, id));
  }

  panel.show(
    h(
      "div",
      { class: "contacts" },
      h(
        "div",
        { class: "finder" },
        h(
          "div",
          { class: "search", role: "search" },
          icon("search"),
          h("label", { for: "search", class: "unseen" }, t("Search contacts")),
          field,
        ),
        found,
        list,
      ),
      shown,
    ),
  );
  search();
  return {
    element: panel.element,
    refresh: search,
    /** Show somebody who was met in another part of the page. */
    openContact: (id) => {
      open(id);
      shown.scrollIntoView({ block: "nearest" });
      shown.querySelector("[tabindex]")?.focus({ preventScroll: true });
    },
  };
}

function move(event, item) {
  event.preventDefault();
  item?.querySelector("button, input")?.focus();
}

function said(q, { nodes, warnings }) {
  if (warnings.length) return t("Searching needs the scope pii:full. These were active last.");
  if (!q) return nodes.length ? t("Active last") : t("There is no contact yet.");
  if (!nodes.length) return t("Nobody was found.");
  return nodes.length === 20 ? t("The first 20 found") : t("{count} found", { count: number(nodes.length) });
}
