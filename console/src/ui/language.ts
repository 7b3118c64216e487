import { Store, useStore } from "../gateway/store";
import { remember, remembered } from "./memory";

export type Language = "pt-BR" | "en";

const NAME = "svc.console.language";

function chosen(): Language {
  const kept = remembered(NAME);
  if (kept === "pt-BR" || kept === "en") return kept;
  const first = navigator.languages.find((one) => /^(pt|en)\b/i.test(one));
  return first && /^en\b/i.test(first) ? "en" : "pt-BR";
}

export const language = new Store<Language>(chosen());

const apply = () => (document.documentElement.lang = language.get());
apply();
language.subscribe(apply);

export function speak(one: Language): void {
  remember(NAME, one);
  language.set(one);
}

/** A text in Portuguese and in English; `{name}` is filled in, `{name:one|several}` chosen by how many it says. */
export type Texts = Readonly<Record<string, readonly [pt: string, en: string]>>;
export type Values = Readonly<Record<string, string | number>>;
export type T<X extends Texts> = (name: keyof X & string, values?: Values) => string;

/** For the texts of one folder; the type demands both languages. */
export const texts = <const X extends Texts>(all: X): X => all;

export function say<X extends Texts>(all: X, name: keyof X & string, values: Values = {}): string {
  const pair = all[name] as readonly [string, string];
  return pair[language.get() === "en" ? 1 : 0].replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, one: string, single?: string, several?: string) => {
    const value = values[one];
    if (value === undefined) return whole;
    return single === undefined ? String(value) : String(String(value) === "1" ? single : several);
  });
}

/** `t("name", {values})`, in the language that is chosen. */
export function useTexts<X extends Texts>(all: X): T<X> {
  useStore(language);
  return (name, values) => say(all, name, values);
}
