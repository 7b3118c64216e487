// Light, dark, or as the system has it. The choice is the one thing that the page remembers.

import { h } from "./dom.js";

const NAME = "svc.dashboard.theme";
const CHOICES = ["system", "light", "dark"];

function remembered() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function remember(choice) {
  try {
    localStorage.setItem(NAME, choice);
  } catch {
    // Then it holds for this visit.
  }
}

function apply(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

/** The choice between the three. */
export function themeChoice() {
  const stored = remembered();
  const current = CHOICES.includes(stored) ? stored : "system";
  apply(current);
  const changed = ({ target }) => {
    apply(target.value);
    remember(target.value);
  };
  return segments("Theme", "theme", CHOICES.map((choice) => [choice, choice.charAt(0).toUpperCase() + choice.slice(1)]), current, changed);
}

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
        h("input", { type: "radio", name, value, checked: value === current }),
        h("span", null, text),
      ),
    ),
  );
}
