// Light, dark, or as the system has it. The choice is the one thing that the page remembers.

import { segments } from "./segments.js";
import { t } from "./texts.js";

const NAME = "svc.dashboard.theme";
const CHOICES = { system: t("System"), light: t("Light"), dark: t("Dark") };

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
  const current = stored in CHOICES ? stored : "system";
  apply(current);
  const changed = ({ target }) => {
    apply(target.value);
    remember(target.value);
  };
  return segments(t("Theme"), "theme", Object.entries(CHOICES), current, changed);
}
