// Numbers, money and dates as they are written in Brazil; words are of the page's language.

import { language, t, word } from "./texts.js";

const PLACE = "pt-BR";
const whole = new Intl.NumberFormat(PLACE);
const short = new Intl.NumberFormat(PLACE, { notation: "compact", maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(PLACE, { style: "percent", maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(PLACE, { day: "2-digit", month: "2-digit" });
const date = new Intl.DateTimeFormat(PLACE, { day: "2-digit", month: "2-digit", year: "numeric" });
const time = new Intl.DateTimeFormat(PLACE, { hour: "2-digit", minute: "2-digit" });
const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const monies = new Map();

const COINS_OF_A_REAL = 10_000;

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export const number = (value) => whole.format(value ?? 0);
export const compact = (value) => short.format(value ?? 0);
export const share = (part, all) => (all ? percent.format(part / all) : "–");
export const onDay = (at) => day.format(new Date(at));
export const onDate = (at) => date.format(new Date(at));
export const atTime = (at) => time.format(new Date(at));
export const coins = (value) => money((value ?? 0) / COINS_OF_A_REAL, "BRL");

/** A value in its currency; large ones without cents. */
export function money(value, currency = "BRL", { brief = false } = {}) {
  if (value === null || value === undefined) return "–";
  const cents = brief && Math.abs(value) >= 1000 ? 0 : 2;
  const key = `${currency}${cents}`;
  if (!monies.has(key)) monies.set(key, inCurrency(currency, cents));
  return monies.get(key).format(value);
}

function inCurrency(currency, cents) {
  const digits = { minimumFractionDigits: cents, maximumFractionDigits: cents };
  try {
    return new Intl.NumberFormat(PLACE, { style: "currency", currency, ...digits });
  } catch {
    const plain = new Intl.NumberFormat(PLACE, digits); // not a currency of ISO 4217
    return { format: (value) => `${plain.format(value)} ${currency}` };
  }
}

const UNITS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", Infinity],
];

/** How long ago: "3 minutes ago". */
export function since(at, now = Date.now()) {
  let passed = Math.max(0, (now - new Date(at)) / 1000);
  for (const [unit, size] of UNITS) {
    if (passed < size) return unit === "second" ? t("just now") : ago.format(-Math.floor(passed), unit);
    passed /= size;
  }
  return "";
}

/** "Today", "Yesterday" or the date. */
export function dayName(at) {
  const of = (moment) => new Date(moment).setHours(0, 0, 0, 0);
  const days = Math.round((of(Date.now()) - of(at)) / 86_400_000);
  return days === 0 ? t("Today") : days === 1 ? t("Yesterday") : onDate(at);
}

/** Facts in one line; those that are not there are left out. */
export const joined = (...facts) => facts.filter(Boolean).join(" · ");

/** A wire name for people: `CUSTOMER_EVENT` is "Customer event". */
export function words(name) {
  const plain = String(name ?? "")
    .toLowerCase()
    .replaceAll("_", " ");
  return word(plain.charAt(0).toUpperCase() + plain.slice(1));
}

/** A Brazilian phone as it is written there; others, and masked ones, as they are. */
export function phone(value) {
  return String(value ?? "").replace(/^\+55(\d\d)(\d{4,5})(\d{4})$/, "+55 ($1) $2-$3");
}

/** The letters that stand for somebody. */
export function initials(name) {
  const parts = String(name ?? "")
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  return ((parts[0]?.[0] ?? "") + (parts.length > 1 ? parts.at(-1)[0] : "")).toUpperCase();
}
