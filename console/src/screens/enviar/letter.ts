// What somebody writes, as the gateway asks about it and sends it.

import type { ResultOf, VariablesOf } from "../../gateway/graphql";
import type { BEFORE, RECIPIENT, SEND_EMAIL, SEND_MESSAGE, SEND_RCS, SEND_SMS } from "./documents";

export type Data = ResultOf<typeof RECIPIENT>;
export type Contact = NonNullable<Data["contact"]>;

export const CHANNELS = ["SMS", "WHATSAPP", "EMAIL", "RCS"] as const;
export type Channel = (typeof CHANNELS)[number];
export type Kind = "marketing" | "transacional";

export interface Letter {
  channel: Channel | null;
  kind: Kind;
  subject: string;
  text: string;
  from: string;
  numberId: string;
  templateId: string;
  values: string[];
}

export const BLANK: Letter = { channel: null, kind: "marketing", subject: "", text: "", from: "", numberId: "", templateId: "", values: [] };

/** What each channel takes at most. */
export const LONGEST: Record<Channel, number> = { SMS: 1600, RCS: 160, EMAIL: 100_000, WHATSAPP: 4096 };

export const SCOPES: Record<Channel, string> = { SMS: "sms:send", RCS: "rcs:send", EMAIL: "email:send", WHATSAPP: "messages:send" };

export type Numbers = NonNullable<Data["numbers"]>["nodes"];

/** Numbers that something can leave from. */
export const usable = (data: Data): Numbers => (data.numbers?.nodes ?? []).filter((one) => one.status === "CONNECTED" || one.status === "FLAGGED");

/** The letter as it can be sent: a channel that reaches the person, and a number that something can leave from:
 * unless chosen, one that the person wrote to, or else one with a template. */
export function fitted(kept: Letter, data: Data, reached: readonly Channel[]): Letter {
  const channel = kept.channel && reached.includes(kept.channel) ? kept.channel : (reached[0] ?? null);
  const numbers = usable(data);
  if (channel !== "WHATSAPP" || numbers.some((one) => one.id === kept.numberId)) return { ...kept, channel };
  const spoken = new Set(data.templates?.nodes.map((one) => one.numberId));
  const first = numbers.find((one) => windowOf(data, one.id)) ?? numbers.find((one) => spoken.has(one.id)) ?? numbers[0];
  return { ...kept, channel, numberId: first?.id ?? "" };
}

/** Where the browser keeps what was typed for somebody, until it was taken. */
export const draftOf = (account: string, env: string, contact: string): string => `enviar.${account}.${env}.${contact}`;

/** Until when the person may be written to freely from this number; null: only with a template. */
export const windowOf = (data: Data, numberId: string): string | null =>
  data.conversations?.nodes.find((one) => one.numberId === numberId && Date.parse(one.windowEndsAt) > Date.now())?.windowEndsAt ?? null;

export type Question = VariablesOf<typeof BEFORE>["input"];

/** What is asked before it is sent; null: something is still to be written. `variables`: of the template; null: not known yet. */
export function questionOf(letter: Letter, contact: Contact, variables: number | null): Question | null {
  const { channel, kind } = letter;
  const text = letter.text.trim();
  const ask = (input: Omit<Question, "canal" | "contactId">): Question => ({ canal: channel!, contactId: contact.id, ...input });
  switch (channel) {
    case "SMS":
      return text ? ask({ body: text, rota: kind === "marketing" ? "premium" : "otp" }) : null;
    case "RCS":
      return text ? ask({ body: text, rota: kind === "marketing" ? "easy_rcs" : "easy_otp_rcs" }) : null;
    case "EMAIL":
      return text && letter.subject.trim() ? ask({ body: text, categoria: kind, ...(letter.from && { from: letter.from }) }) : null;
    case "WHATSAPP":
      if (!letter.numberId) return null;
      if (!letter.templateId) return text ? ask({ body: text, from: letter.numberId }) : null;
      if (variables === null || letter.values.filter((one) => one.trim()).length < variables) return null;
      return ask({ from: letter.numberId, templateId: letter.templateId, templateVars: letter.values.slice(0, variables) });
    default:
      return null;
  }
}

/** A send, by the mutation that does it. */
export type Order =
  | { by: "SMS"; input: VariablesOf<typeof SEND_SMS>["input"] }
  | { by: "RCS"; input: VariablesOf<typeof SEND_RCS>["input"] }
  | { by: "EMAIL"; input: VariablesOf<typeof SEND_EMAIL>["input"] }
  | { by: "WHATSAPP"; input: VariablesOf<typeof SEND_MESSAGE>["input"] };

export function orderOf(letter: Letter, contact: Contact, variables: number): Order {
  const text = letter.text.trim();
  const marketing = letter.kind === "marketing";
  const of = { contactId: contact.id };
  switch (letter.channel) {
    case "RCS":
      return { by: "RCS", input: { ...of, to: contact.phone, content: { text }, route: marketing ? "EASY_RCS" : "EASY_OTP_RCS" } };
    case "EMAIL":
      return {
        by: "EMAIL",
        input: { ...of, to: contact.email ?? "", subject: letter.subject.trim(), text, categoria: marketing ? "MARKETING" : "TRANSACIONAL", ...(letter.from && { from: letter.from }) },
      };
    case "WHATSAPP":
      return {
        by: "WHATSAPP",
        input: {
          ...of,
          numberId: letter.numberId,
          ...(letter.templateId
            ? { type: "TEMPLATE", templateId: letter.templateId, templateVars: letter.values.slice(0, variables) }
            : { type: "TEXT", payload: { text } }),
        },
      };
    default:
      return { by: "SMS", input: { ...of, to: contact.phone, body: text, route: marketing ? "PREMIUM" : "OTP" } };
  }
}
