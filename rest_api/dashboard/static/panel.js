// The frame around each part of the dashboard: its title, what it shows, and what it says when it cannot.

import { h, keepingPlace } from "./dom.js";
import { explained } from "./gateway.js";
import { t } from "./texts.js";

export class Panel {
  constructor(name, title, ...actions) {
    this.body = h("div", { class: "panel-body" });
    this.actions = h("div", { class: "panel-actions" }, actions);
    this.element = h(
      "section",
      { class: `panel panel-${name}`, id: name, "aria-labelledby": `${name}-title` },
      h("header", { class: "panel-head" }, h("h2", { id: `${name}-title` }, title), this.actions),
      this.body,
    );
  }

  /**
   * Show what `load` makes, or why it could not. What is there stays until then; `quietly` where nobody asked for it,
   * so that it is not dimmed either.
   */
  async fill(load, { quietly = false } = {}) {
    if (!quietly) this.element.setAttribute("aria-busy", "true");
    if (!this.body.hasChildNodes()) this.body.append(waiting());
    try {
      this.show(await load());
    } catch (error) {
      this.show(sorry(error, () => this.fill(load)));
    } finally {
      this.element.removeAttribute("aria-busy");
    }
  }

  show(...nodes) {
    const shown = nodes.flat();
    const there = this.body.childNodes;
    if (shown.length === there.length && shown.every((one, index) => one === there[index])) return;
    keepingPlace(this.body, () => this.body.replaceChildren(...shown));
  }
}

/** Why something is not there, and a way to try again where that may help. */
export function sorry(error, again) {
  if (error.code === undefined) console.error(error);
  const [title, sentence] = explained(error);
  const hopeless = error.code === "FORBIDDEN" || error.code === "UNAUTHORIZED";
  return h(
    "div",
    { class: "sorry", role: "status" },
    h("p", { class: "sorry-title" }, title),
    h("p", null, sentence),
    !hopeless && again && h("button", { type: "button", onclick: again }, t("Try again")),
  );
}

/** Nothing to see, and that is all right. */
export function nothing(sentence) {
  return h("p", { class: "nothing" }, sentence);
}

function waiting() {
  return h("div", { class: "waiting" }, h("span", null), h("span", null), h("span", null));
}
