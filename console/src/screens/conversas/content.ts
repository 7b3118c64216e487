import type { ResultOf } from "../../gateway/graphql";
import type { T } from "../../ui/language";
import { filled, type TemplatePart } from "../../ui/template";
import { joined } from "../../ui/format";
import type { THREAD } from "./documents";
import type { TEXTS } from "./texts";

export type Conversation = NonNullable<ResultOf<typeof THREAD>["conversations"]>["nodes"][number];
export type Message = NonNullable<Conversation["messages"]>["nodes"][number];

/** The two that a conversation is between, as one name. */
export const pairOf = (one: { contactId: string | null; numberId: string | null; instagramAccountId: string | null }) =>
  `${one.contactId} ${one.numberId ?? one.instagramAccountId}`;

const HOURS_OPEN = 24;
export const windowAfter = (inbound: string): string => new Date(Date.parse(inbound) + HOURS_OPEN * 3_600_000).toISOString();

const said = (value: unknown): string => (typeof value === "string" ? value : "");

/** Templates that ask for a file, or for what no field here asks for, are left out. */
export const isSimple = (components: readonly TemplatePart[]): boolean =>
  components.every((one) => {
    const format = ((one.payload ?? {}) as { format?: string }).format ?? "TEXT";
    return ["HEADER", "BODY", "FOOTER", "BUTTONS"].includes(one.type) && format === "TEXT";
  });

export interface File {
  kind: string;
  name: string;
  facts: string;
}

/** What a message says, and the file that it carries. */
export function contentOf(one: Pick<Message, "type" | "payload" | "template" | "templateVars" | "mediaStorage">, t: T<typeof TEXTS>): { text: string; file: File | null } {
  const payload = (one.payload ?? {}) as Record<string, any>;
  if (one.type === "TEXT") return { text: said(payload["text"]) || t("erased"), file: null };
  if (one.type === "TEMPLATE") {
    const parts = one.template ? filled(one.template.components, one.templateVars ?? []) : [];
    return { text: parts.map((part) => part.text).join("\n") || said(payload["text"]) || one.template?.name || t("erased"), file: null };
  }
  if (one.type === "MEDIA") {
    const media = payload["media"] ?? {};
    const kind = said(payload["kind"]);
    const label = kind in KINDS ? t(kind as keyof typeof KINDS) : t("document");
    return {
      text: said(media.caption),
      file: { kind, name: said(media.filename) || label, facts: joined(said(media.filename) && label, one.mediaStorage?.mimeType, one.mediaStorage && size(Number(one.mediaStorage.size))) },
    };
  }
  const text = said(payload["body"]) || said(payload["title"]) || said(payload["text"]) || said(payload["emoji"]) || said(payload["name"]);
  const kind = said(payload["kind"]);
  return { text: text || (kind === "location" || kind === "reaction" ? t(kind) : t("other")), file: null };
}

const KINDS = { image: 1, audio: 1, video: 1, document: 1, sticker: 1 };

const size = (bytes: number): string => (bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`);
