// A file on its way to the service: a ticket of the gateway, then its bytes. Nothing of it is kept in the browser.

import { useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { language } from "../../ui/language";
import { TICKET } from "./documents";

export interface Uploaded {
  mediaId: string;
  kind: string;
  filename: string;
}

const refused = (kind: Refusal["kind"], sentence: string, requestId: string | null = null): Refusal => ({ kind, sentence, code: null, scope: null, requestId, fields: [], meta: {} });

/** `[upload, busy]`; `upload` answers what messages name the file by, or why not. */
export function useUpload(tooLong: (most: number) => string): [(numberId: string, file: File) => Promise<{ done: Uploaded; refusal: null } | { done: null; refusal: Refusal }>, boolean] {
  const [ask] = useWrite(TICKET);
  const [busy, setBusy] = useState(false);
  async function send(numberId: string, file: File): Promise<{ done: Uploaded; refusal: null } | { done: null; refusal: Refusal }> {
    const { data, refusal } = await ask({ numberId, input: { filename: file.name, mimeType: file.type || "application/octet-stream" } });
    const ticket = data?.createMediaTicket;
    if (refusal || !ticket) return { done: null, refusal: refusal ?? refused("other", "") };
    if (file.size > Number(ticket.maxBytes)) return { done: null, refusal: refused("invalid", tooLong(Number(ticket.maxBytes))) };
    try {
      const headers = { "Content-Type": "application/octet-stream", "Accept-Language": language.get() };
      const answer = await fetch(new URL(ticket.url).pathname, { method: "POST", headers, body: file });
      const content = await answer.json().catch(() => null);
      if (answer.ok) return { done: content as Uploaded, refusal: null };
      const sentence = content?.errors?.[0]?.message ?? content?.detail ?? "";
      return { done: null, refusal: refused(answer.status === 429 || answer.status === 503 ? "wait" : "other", sentence, answer.headers.get("X-Request-Id")) };
    } catch {
      return { done: null, refusal: refused("offline", "") };
    }
  }
  async function upload(numberId: string, file: File) {
    setBusy(true);
    try {
      return await send(numberId, file);
    } finally {
      setBusy(false);
    }
  }
  return [upload, busy];
}
