// A choice.

import { h } from "./dom.js";

/** One of a few, all of them in sight. `choices`: `[[value, label]]`. */
export function segments(label, name, choices, current, onchange) {
  return h(
    "fieldset",
    { class: "segments", onchange },
    h("legend", { class: "unseen" }, label),
    choices.map(([value, text]) =>
      h(
        "label",
        null,
        h("input", { type: "radio", name, value, checked: value === current, "data-key": `${name}-${value}` }),
        h("span", null, text),
      ),
    ),
  );
}
