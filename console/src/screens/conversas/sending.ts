// Messages on their way to the service. Each keeps its idempotency key until it was taken: however often it is tried, by
// hand, after a lost connection or a reload of the page, the person gets it once.

import { useCallback, useEffect, useRef } from "react";
import { onGap } from "../../gateway/connection";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useDraft } from "../../ui/memory";
import type { Message } from "./content";
import { SEND } from "./documents";

export interface Outgoing {
  key: string;
  pair: string;
  text: string;
  at: string;
  input: VariablesOf<typeof SEND>["input"];
  state: "sending" | "waiting" | "refused";
  refusal: Refusal | null;
}

export interface Sending {
  outgoing: Outgoing[];
  send: (one: Pick<Outgoing, "pair" | "text" | "input">) => void;
  retry: (key: string) => void;
  discard: (key: string) => void;
}

export function useSending(taken: (message: Message) => void): Sending {
  const { account, env } = useSession();
  const [outgoing, keep] = useDraft<Outgoing[]>(`conversas.${account.id}.${env}.saindo`, []);
  const [write] = useWrite(SEND);
  const all = useRef(outgoing);
  const running = useRef(new Set<string>());
  const done = useRef(taken);
  done.current = taken;

  const set = useCallback(
    (change: (before: Outgoing[]) => Outgoing[]) => {
      all.current = change(all.current);
      keep(all.current);
    },
    [keep],
  );
  const change = useCallback(
    (key: string, to: Partial<Outgoing>) => set((before) => before.map((one) => (one.key === key ? { ...one, ...to } : one))),
    [set],
  );
  const discard = useCallback((key: string) => set((before) => before.filter((one) => one.key !== key)), [set]);

  const attempt = useCallback(
    async (key: string) => {
      const one = all.current.find((some) => some.key === key);
      if (!one || running.current.has(key)) return;
      running.current.add(key);
      change(key, { state: "sending", refusal: null });
      const { data, refusal } = await write({ input: one.input, idempotencyKey: key });
      running.current.delete(key);
      if (data?.sendMessage) {
        done.current(data.sendMessage);
        discard(key);
      } else change(key, { state: refusal?.kind === "offline" ? "waiting" : "refused", refusal });
    },
    [change, discard, write],
  );

  const resume = useCallback(() => {
    for (const one of all.current) if (one.state !== "refused") void attempt(one.key);
  }, [attempt]);
  useEffect(() => resume(), [resume]); // what a reload interrupted
  useEffect(() => onGap(resume), [resume]);

  return {
    outgoing,
    send: (one) => {
      const key = crypto.randomUUID();
      set((before) => [...before, { ...one, key, at: new Date().toISOString(), state: "sending", refusal: null }]);
      void attempt(key);
    },
    retry: (key) => void attempt(key),
    discard,
  };
}
