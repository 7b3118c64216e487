// One message on its way to the service. It keeps its idempotency key until the service said what became of it: however
// often it is tried, by hand, after a lost answer or a reload of the page, the person gets it once.

import { useCallback, useEffect, useRef } from "react";
import { onGap } from "../../gateway/connection";
import { type Refusal, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useDraft } from "../../ui/memory";
import { SEND_EMAIL, SEND_MESSAGE, SEND_RCS, SEND_SMS } from "./documents";
import type { Order } from "./letter";

export interface Outgoing {
  key: string;
  contactId: string;
  name: string;
  text: string;
  order: Order;
  state: "sending" | "waiting" | "refused";
  refusal: Refusal | null;
}

export interface Sending {
  outgoing: Outgoing | null;
  send: (one: Pick<Outgoing, "contactId" | "name" | "text" | "order">) => void;
  retry: () => void;
  forget: () => void;
}

const AGAIN_AFTER = 5000;
const UNDER_WAY = "IDEMPOTENCIA_EM_ANDAMENTO";
const OPEN_CODES = new Set(["INTERNAL", "SERVICE_UNAVAILABLE"]);

/** Whether the message may have left all the same: then it is tried again, with its key. */
const isOpen = (why: Refusal): boolean =>
  why.kind === "offline" || why.kind === "wait" || why.code === null || OPEN_CODES.has(why.code) || why.meta["code"] === UNDER_WAY;

/** Whether to try again without being asked. */
const isTransient = (why: Refusal | null): boolean => why === null || why.kind === "offline" || why.kind === "wait" || why.meta["code"] === UNDER_WAY;

/** `taken` is told the id of the message, whether it went well or was stored as failed. */
export function useSendingOnce(taken: (id: string, contactId: string) => void): Sending {
  const { account, env } = useSession();
  // Of this person in this environment: what waits in the test is never sent in production.
  const [outgoing, keep, drop] = useDraft<Outgoing | null>(`enviar.${account.id}.${env}.saindo`, null);
  const [sms] = useWrite(SEND_SMS);
  const [rcs] = useWrite(SEND_RCS);
  const [email] = useWrite(SEND_EMAIL);
  const [message] = useWrite(SEND_MESSAGE);
  const now = useRef(outgoing);
  const running = useRef(false);
  const done = useRef(taken);
  done.current = taken;

  const set = useCallback((next: Outgoing | null) => ((now.current = next), next ? keep(next) : drop()), [keep, drop]);

  const write = useCallback(
    async ({ order, key }: Outgoing): Promise<{ id: string | null; refusal: Refusal | null }> => {
      switch (order.by) {
        case "SMS": {
          const { data, refusal } = await sms({ input: order.input, idempotencyKey: key });
          return { id: data?.sendSms?.id ?? null, refusal };
        }
        case "RCS": {
          const { data, refusal } = await rcs({ input: order.input, idempotencyKey: key });
          return { id: data?.sendRcs?.id ?? null, refusal };
        }
        case "EMAIL": {
          const { data, refusal } = await email({ input: order.input, idempotencyKey: key });
          return { id: data?.sendEmail?.id ?? null, refusal };
        }
        case "WHATSAPP": {
          const { data, refusal } = await message({ input: order.input, idempotencyKey: key });
          return { id: data?.sendMessage?.id ?? null, refusal };
        }
      }
    },
    [sms, rcs, email, message],
  );

  const attempt = useCallback(async () => {
    const one = now.current;
    if (!one || one.state === "refused" || running.current) return;
    running.current = true;
    set({ ...one, state: "sending", refusal: null });
    const { id, refusal } = await write(one);
    running.current = false;
    if (now.current?.key !== one.key) return; // given up meanwhile
    const stored = id ?? (refusal?.meta["messageId"] as string | undefined);
    if (stored) {
      set(null);
      done.current(stored, one.contactId);
    } else set({ ...one, state: refusal && !isOpen(refusal) ? "refused" : "waiting", refusal });
  }, [set, write]);

  useEffect(() => void attempt(), [attempt]); // what a reload interrupted
  useEffect(() => onGap(() => void attempt()), [attempt]);
  const isWaiting = outgoing?.state === "waiting" && isTransient(outgoing.refusal);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => void attempt(), AGAIN_AFTER);
    return () => clearTimeout(timer);
  }, [isWaiting, attempt]);

  return {
    outgoing,
    send: (one) => {
      const before = now.current;
      if (before && before.state !== "refused") return; // one at a time
      set({ ...one, key: crypto.randomUUID(), state: "sending", refusal: null });
      void attempt();
    },
    retry: () => void attempt(),
    forget: () => set(null),
  };
}
