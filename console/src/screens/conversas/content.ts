import type { ResultOf } from "../../gateway/graphql";
import type { T } from "../../ui/language";
import { filled } from "../../ui/template";
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

const addresses = new Map<string, { url: string; until: number }>();
const FRESH = 60 * 60_000;
const MOST = 500;

/** The address of a message's file; the same for an hour, so that a picture does not load again with each reading. */
function addressOf(one: { id: string; mediaUrl: string | null }): string | null {
  const known = addresses.get(one.id);
  if (known && known.until > Date.now()) return known.url;
  if (!one.mediaUrl) return null;
  if (addresses.size >= MOST) addresses.clear();
  addresses.set(one.id, { url: one.mediaUrl, until: Date.now() + FRESH });
  return one.mediaUrl;
}

/** Files of a bucket elsewhere are opened, but not shown: the page loads from nobody else. */
const isOurs = (url: string): boolean => new URL(url, location.href).origin === location.origin;

export interface File {
  kind: string;
  name: string;
  facts: string;
  url: string | null;
  /** How it is shown in place; null: it is opened. */
  shown: "image" | "audio" | "video" | null;
}

/** What a message says, and the file that it carries. */
export function contentOf(one: Pick<Message, "id" | "type" | "payload" | "template" | "templateVars" | "mediaStorage" | "mediaUrl">, t: T<typeof TEXTS>): { text: string; file: File | null } {
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
    const url = addressOf(one);
    const shown = url && isOurs(url) ? (SHOWN[kind as "image"] ?? null) : null;
    return {
      text: said(media.caption),
      file: { kind, name: said(media.filename) || label, facts: joined(said(media.filename) && label, one.mediaStorage?.mimeType, one.mediaStorage && size(Number(one.mediaStorage.size))), url, shown },
    };
  }
  const text = said(payload["body"]) || said(payload["title"]) || said(payload["text"]) || said(payload["emoji"]) || said(payload["name"]);
  const kind = said(payload["kind"]);
  return { text: text || (kind === "location" || kind === "reaction" ? t(kind) : t("other")), file: null };
}

const SHOWN = { image: "image", sticker: "image", audio: "audio", video: "video" } as const;
const KINDS = { image: 1, audio: 1, video: 1, document: 1, sticker: 1 };

export const size = (bytes: number): string => (bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`);
