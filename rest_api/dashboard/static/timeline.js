// What happened around one contact, the latest first; more of it as one scrolls.

import { h } from "./dom.js";
import { badge, ENTRY, entry } from "./entries.js";
import { dayName, initials, joined, phone as written } from "./format.js";
import { nothing, sorry } from "./panel.js";
import { t } from "./texts.js";

const QUERY = `query Timeline($id: ID!, $after: String) {
  contact(id: $id) {
    name phone email tags
    optIn { status }
    company { nome }
    timeline(first: 20, after: $after) {
      warnings
      pageInfo { hasNextPage endCursor }
      nodes { ${ENTRY} }
    }
  }
}`;

/** The contact and its timeline, which fills itself. */
export function timeline(gateway, id) {
  const head = h("header", { class: "person-head", tabindex: "-1" });
  const days = h("div", { class: "days" });
  const foot = h("div", { class: "foot" });
  const frame = h("div", { class: "entries", tabindex: "0", role: "region", "aria-label": t("Timeline") }, days, foot);
  const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && load(), {
    root: frame,
    rootMargin: "120px",
  });
  let after = null;
  let loading = false;

  async function load() {
    if (loading) return;
    loading = true;
    frame.setAttribute("aria-busy", "true");
    try {
      const contact = await gateway.ask(QUERY, { id, after });
      if (contact === null) return show(nothing(t("This contact is not there any more.")));
      if (after === null) head.replaceChildren(...about(contact));
      if (contact.timeline) add(contact.timeline);
    } catch (error) {
      show(sorry(error, load));
    } finally {
      loading = false;
      frame.removeAttribute("aria-busy");
    }
  }

  function add({ nodes, pageInfo, warnings }) {
    for (const one of nodes) {
      const name = dayName(one.at);
      if (days.lastElementChild?.dataset.day !== name) {
        days.append(
          h("section", { "data-day": name, "aria-label": name }, h("h4", null, name), h("ol", { class: "entry-list" })),
        );
      }
      days.lastElementChild.lastElementChild.append(entry(one));
    }
    after = pageInfo.endCursor;
    if (pageInfo.hasNextPage) {
      show(h("button", { type: "button", class: "quiet-button", onclick: load }, t("Show earlier")));
      observer.observe(foot.firstElementChild);
    } else {
      const end = days.hasChildNodes() ? t("That is the beginning.") : t("Nothing has happened yet.");
      show(nothing(end), left(warnings));
    }
  }

  function show(...nodes) {
    observer.disconnect();
    foot.replaceChildren(...nodes.filter(Boolean));
  }

  load();
  return h("article", { class: "person-shown" }, head, frame);
}

function about({ name, phone, email, tags, optIn, company }) {
  return [
    h("span", { class: "avatar avatar-large", "aria-hidden": "true" }, initials(name)),
    h(
      "div",
      null,
      h("h3", null, name ?? written(phone), " ", badge(optIn.status)),
      h("p", { class: "quiet" }, joined(name && written(phone), email, company?.nome)),
      tags.length > 0 &&
        h(
          "ul",
          { class: "tags", "aria-label": t("Tags") },
          tags.map((tag) => h("li", null, tag)),
        ),
    ),
  ];
}

/** What is not shown for want of a scope: `message_omitido_requer_sms_read`. */
function left(warnings) {
  if (!warnings.length) return null;
  const kinds = warnings.map((warning) => warning.split("_omitido_")[0].replaceAll("_", " ")).join(", ");
  return h("p", { class: "nothing" }, t("Left out, for want of a scope: {kinds}.", { kinds }));
}
