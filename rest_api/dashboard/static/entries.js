// What happened, in words: entries of a timeline.

import { h, icon } from "./dom.js";
import { atTime, joined, money, number, words } from "./format.js";
import { t } from "./texts.js";

/** Fields that `entry` shows. */
export const ENTRY = `id kind at
  ... on MessageEntry { channel direction status reason body }
  ... on ClickEntry { channel host shortUrl clicks }
  ... on CustomerEventEntry { name value currency }
  ... on StageMoveEntry { tipo titulo de { nome } para { nome } porNome }
  ... on ConsentEntry { canal optInStatus source reason }`;

const MOVES = {
  CRIADO: t("Deal created"),
  MOVIDO: t("Deal moved"),
  GANHO: t("Deal won"),
  PERDIDO: t("Deal lost"),
  REABERTO: t("Deal reopened"),
  TRANSFERIDO: t("Deal transferred"),
};
const CONSENTS = { GRANTED: t("Agreed to messages"), DENIED: t("Refused messages"), UNKNOWN: t("Consent withdrawn") };

const KINDS = {
  MESSAGE: (one) => ({
    picture: "message",
    title: one.direction === "INBOUND" ? t("{channel} received", one) : t("{channel} sent", one),
    badge: one.direction === "INBOUND" ? null : one.status,
    text: one.body ?? (one.reason && words(one.reason)),
  }),
  CLICK: (one) => ({
    picture: "click",
    title: one.host ? t("Followed a link to {host}", one) : t("Followed a link"),
    text: one.clicks > 1 && t("{times} times", { times: number(one.clicks) }),
  }),
  CUSTOMER_EVENT: (one) => ({
    picture: "event",
    title: words(one.name),
    text: one.value !== null && money(one.value, one.currency ?? "BRL"),
  }),
  STAGE_MOVE: (one) => ({
    picture: "deal",
    title: MOVES[one.tipo] ?? t("Deal"),
    text: joined(one.titulo, [one.de?.nome, one.para?.nome].filter(Boolean).join(" → "), one.porNome),
  }),
  CONSENT: (one) => ({
    picture: "consent",
    title: CONSENTS[one.optInStatus] ?? t("Consent"),
    badge: one.optInStatus,
    text: joined(one.canal === "TODOS" ? t("All channels") : one.canal, one.source && words(one.source), one.reason),
  }),
};

/** One entry as a list item. */
export function entry(one) {
  const {
    picture,
    title,
    badge: status,
    text,
  } = KINDS[one.kind]?.(one) ?? { picture: "event", title: words(one.kind) };
  return h(
    "li",
    { class: "entry" },
    h("span", { class: `mark mark-${picture}` }, icon(picture)),
    h(
      "div",
      null,
      h("p", { class: "entry-title" }, title, " ", status && badge(status)),
      text && h("p", { class: "quiet" }, text),
    ),
    h("time", { datetime: one.at, class: "quiet" }, atTime(one.at)),
  );
}

const GOOD = new Set(["DELIVERED", "READ", "GRANTED", "GANHO"]);
const BAD = new Set(["FAILED", "UNDELIVERED", "DENIED", "PERDIDO"]);

/** A status in its colour. */
export function badge(status) {
  const tone = GOOD.has(status) ? "good" : BAD.has(status) ? "bad" : "plain";
  return h("span", { class: `badge badge-${tone}` }, words(status));
}
