import { Store } from "../gateway/store";
import { remember, remembered } from "./memory";

export type Theme = "system" | "light" | "dark";

const NAME = "svc.console.theme";

const kept = remembered(NAME);
export const theme = new Store<Theme>(kept === "light" || kept === "dark" ? kept : "system");

function apply(): void {
  const chosen = theme.get();
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}
apply();
theme.subscribe(apply);

export function paint(one: Theme): void {
  remember(NAME, one);
  theme.set(one);
}
