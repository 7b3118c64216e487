// Numbers, money and dates in the language of the page.

import { language, say, texts } from "./language";
import { WORDS } from "./words";

const COINS_OF_A_REAL = 10_000;

const made = new Map<string, unknown>();
function once<X>(name: string, make: (locale: string) => X): X {
  const locale = language.get() === "en" ? "en-GB" : "pt-BR";
  const key = `${locale} ${name}`;
  if (!made.has(key)) made.set(key, make(locale));
  return made.get(key) as X;
}

export const number = (value: number | null | undefined): string =>
  once("n", (locale) => new Intl.NumberFormat(locale)).format(value ?? 0);

export const share = (part: number, all: number): string =>
  all ? once("%", (locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 })).format(part / all) : "–";

export function money(value: number | null | undefined, currency = "BRL"): string {
  if (value === null || value === undefined) return "–";
  return once(`m ${currency}`, (locale) => {
    try {
      return new Intl.NumberFormat(locale, { style: "currency", currency });
    } catch {
      const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }); // no currency of ISO 4217
      return { format: (amount: number) => `${plain.format(amount)} ${currency}` };
    }
  }).format(value);
}

export const coins = (value: number | null | undefined): string => money((value ?? 0) / COINS_OF_A_REAL);

/** A price or a charge to its last digit: what costs less than a cent is not nothing. */
export const exactly = (value: number | null | undefined): string =>
  once("m4", (locale) => new Intl.NumberFormat(locale, { style: "currency", currency: "BRL", maximumFractionDigits: 4 })).format((value ?? 0) / COINS_OF_A_REAL);

const date = (at: string, name: string, options: Intl.DateTimeFormatOptions): string =>
  once(name, (locale) => new Intl.DateTimeFormat(locale, options)).format(new Date(at));

export const onDate = (at: string): string => date(at, "d", { dateStyle: "medium" });
/** A day that is told without an hour. */
export const ofDay = (day: string): string => date(`${day}T00:00:00Z`, "du", { dateStyle: "medium", timeZone: "UTC" });
export const atTime = (at: string): string => date(at, "t", { timeStyle: "short" });
export const atMoment = (at: string): string => date(at, "dt", { dateStyle: "medium", timeStyle: "short" });

const SAID = texts({ now: ["agora", "just now"], today: ["Hoje", "Today"], yesterday: ["Ontem", "Yesterday"] });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", Infinity],
];

/** How long ago: "há 3 minutos". */
export function since(at: string): string {
  let passed = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  for (const [unit, size] of UNITS) {
    if (passed < size) {
      if (unit === "second") return say(SAID, "now");
      if (unit === "day" && passed > 30) return onDate(at);
      return once("ago", (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })).format(-Math.floor(passed), unit);
    }
    passed /= size;
  }
  return "";
}

/** "Hoje", "Ontem" or the date. */
export function dayOf(at: string): string {
  const midnight = (moment: number | string) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(Date.now()) - midnight(at)) / 86_400_000);
  return days === 0 ? say(SAID, "today") : days === 1 ? say(SAID, "yesterday") : onDate(at);
}

/** Facts in one line; those that are not there are left out. */
export const joined = (...facts: (string | number | null | undefined | false)[]): string => facts.filter(Boolean).join(" · ");

/** A value of a closed set in words: `FALSE_POSITIVE` becomes "False positive" where no better is known. */
export function words(name: string | null | undefined): string {
  const upper = String(name ?? "").toUpperCase();
  if (upper in WORDS) return say(WORDS, upper as keyof typeof WORDS);
  const plain = upper.toLowerCase().replaceAll(/[_.]/g, " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** A Brazilian phone as it is written there; others, and masked ones, as they are. */
export const phone = (value: string | null | undefined): string =>
  String(value ?? "").replace(/^\+55(\d\d)(\d{4,5})(\d{4})$/, "+55 ($1) $2-$3");

/** The letters that stand for somebody. */
export function initials(name: string | null | undefined): string {
  const parts = String(name ?? "").trim().split(/\s+/).filter(Boolean);
  return ((parts[0]?.[0] ?? "") + (parts.length > 1 ? (parts.at(-1)?.[0] ?? "") : "")).toUpperCase() || "?";
}
