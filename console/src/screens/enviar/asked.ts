// What the service says of a message before it is sent: asked once the typing has rested, and forgotten with the next key.

import { useCallback, useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { onGap } from "../../gateway/connection";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, refusalOf, useSettled } from "../../gateway/read";
import { BEFORE, SEGMENTS } from "./documents";
import type { Question } from "./letter";

export type Explanation = NonNullable<ResultOf<typeof BEFORE>["sendExplanation"]>;
export type Segments = NonNullable<ResultOf<typeof SEGMENTS>["smsPreview"]>;

/** `told` is null while it is asked; `sms`: how an SMS reaches the phone. */
export interface Asked {
  told: Explanation | null;
  sms: Segments | null;
  refusal: Refusal | null;
  again: () => void;
}

const RESTED = 500;
const ROUTES = { premium: "PREMIUM", otp: "OTP" } as const;
const FRESH = { requestPolicy: "network-only" } as const;

/** An answer is about these very words: one about earlier ones is not shown. null: there is nothing to ask about yet. */
export function useAsked(question: Question | null): Asked | null {
  const client = useClient();
  const now = JSON.stringify(question);
  const settled = useSettled(now, RESTED);
  const [found, setFound] = useState<(Omit<Asked, "again"> & { of: string }) | null>(null);
  const latest = useRef(settled);
  latest.current = settled;
  const ask = useCallback(async () => {
    setFound(null);
    const input = JSON.parse(settled) as Question | null;
    if (!input) return;
    const route = input.canal === "SMS" ? ROUTES[(input.rota ?? "premium") as keyof typeof ROUTES] : null;
    const [before, segments] = await Promise.all([
      client.query(BEFORE, { input }, FRESH).toPromise(),
      route ? client.query(SEGMENTS, { input: { body: input.body!, route } }, FRESH).toPromise() : null,
    ]);
    if (latest.current !== settled) return;
    const told = before.data?.sendExplanation ?? null;
    setFound({ of: settled, told, sms: segments?.data?.smsPreview ?? null, refusal: told || !before.error ? null : refusalOf(before.error) });
  }, [client, settled]);
  useEffect(() => void ask(), [ask]);
  useEffect(() => onGap(() => void ask()), [ask]);
  if (question === null) return null;
  const again = () => void ask();
  return found?.of === now ? { ...found, again } : { told: null, sms: null, refusal: null, again };
}
