// What screens ask with: `useRead` for a document, `usePages` for a list of any length, `useLive` for what happens.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type AnyVariables,
  type CombinedError,
  type TypedDocumentNode,
  useClient,
  useMutation,
  useQuery,
  useSubscription,
} from "urql";
import { onGap } from "./connection";
import { language } from "../ui/language";

/** Why something was not answered. */
export interface Refusal {
  kind: "offline" | "forbidden" | "wait" | "conflict" | "invalid" | "other";
  sentence: string;
  code: string | null;
  scope: string | null;
  requestId: string | null;
  fields: { field: string; message: string; pointer: string }[];
  meta: Record<string, unknown>;
}

export type Read<T> =
  | { state: "loading" }
  | { state: "failed"; refusal: Refusal; again: () => void }
  | { state: "there"; data: T; missing: string[]; stale: boolean; again: () => void };

export function refusalOf(error: CombinedError): Refusal {
  const first = error.graphQLErrors[0];
  const facts = (first?.extensions ?? {}) as Record<string, any>;
  const response = error.response as Response | undefined;
  const code: string | null = facts["code"] ?? null;
  const scope: string | null = facts["meta"]?.escopoExigido ?? null;
  const fields: Refusal["fields"] = (facts["errors"] ?? facts["meta"]?.errors ?? []).map((one: any) => ({
    field: String(one.field ?? one.campo ?? one.pointer ?? "").replace(/(\/\d+)+$/, "").replace(/^.*[./]/, ""), // `/ips/0` is of `ips`
    message: String(one.message ?? one.mensagem ?? one.detail ?? ""),
    pointer: String(one.pointer ?? one.field ?? one.campo ?? ""),
  }));
  return {
    kind: kindOf(error, code),
    sentence: fields.length === 1 ? fields[0]!.message : (first?.message ?? ""), // without the name that the API has for it
    code,
    scope,
    requestId: facts["requestId"] ?? response?.headers?.get("X-Request-Id") ?? null,
    fields,
    meta: facts["meta"] ?? {},
  };
}

function kindOf(error: CombinedError, code: string | null): Refusal["kind"] {
  if (error.networkError && !error.response) return "offline";
  switch (code) {
    case "FORBIDDEN":
      return "forbidden";
    case "RATE_LIMITED":
      return "wait";
    case "CONFLICT":
      return "conflict";
    case "VALIDATION_ERROR":
    case "VALIDATION_FAILED":
      return "invalid";
    default:
      return error.networkError ? "offline" : "other";
  }
}

/** Scopes for want of which parts of an answer are null. */
const missingIn = (error: CombinedError | undefined): string[] => [
  ...new Set(
    (error?.graphQLErrors ?? []).flatMap((one) => {
      const meta = one.extensions?.["meta"] as { escopoExigido?: string } | undefined;
      return meta?.escopoExigido ? [meta.escopoExigido] : [];
    }),
  ),
];

const AGAIN_AFTER = 5000;

/** The answer to one document; asked again after a gap. What is there already is shown meanwhile, and while the service is away. */
export function useRead<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  { pause = false }: { pause?: boolean } = {},
): Read<T> {
  const [{ data, error, stale, fetching }, execute] = useQuery<T, V>({
    query,
    variables,
    pause,
    requestPolicy: "cache-and-network",
  } as never);
  const again = useCallback(() => execute({ requestPolicy: "network-only" }), [execute]);
  useEffect(() => onGap(again), [again]);
  const empty = !data || Object.values(data).every((one) => one === null);
  const kept = useRef<{ key: string; data: T } | null>(null);
  const key = JSON.stringify(variables);
  if (!empty) kept.current = { key, data };
  const refusal = error && empty ? refusalOf(error) : null;
  const earlier = refusal?.kind === "offline" && kept.current?.key === key ? kept.current.data : null;
  const isAway = earlier !== null && !fetching;
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(again, AGAIN_AFTER);
    return () => clearTimeout(timer);
  }, [isAway, again]);
  if (earlier) return { state: "there", data: earlier, missing: [], stale: true, again };
  if (refusal) return { state: "failed", refusal, again };
  if (!data) return { state: "loading" };
  return { state: "there", data, missing: missingIn(error), stale: stale || fetching, again };
}

export interface Pages<N> {
  rows: N[];
  total: number | null;
  state: "loading" | "there" | "failed";
  refusal: Refusal | null;
  warnings: string[];
  more: boolean;
  next: () => void;
  again: () => void;
}

interface Connection<N> {
  nodes: readonly N[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  warnings?: readonly string[];
}

/** A list of any length, read page by page: `variables` without the cursor, which is `after`; `later`: what is different
 * of the pages after the first. */
export function usePages<T, V extends { after?: string | null }, N>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  connectionOf: (data: T) => Connection<N> | null | undefined,
  later: Partial<V> = {},
): Pages<N> {
  const client = useClient();
  const key = JSON.stringify(variables);
  const [round, setRound] = useState(0);
  const [kept, setKept] = useState<{ key: string; rows: N[]; after: string | null; more: boolean } & Partial<Pages<N>>>();
  const asking = useRef<string | null>(null);
  const pick = useRef(connectionOf);
  pick.current = connectionOf;
  const different = useRef(later);
  different.current = later;

  const ask = useCallback(
    async (after: string | null, before: N[]) => {
      const name = `${key} ${after} ${round}`;
      if (asking.current === name) return;
      asking.current = name;
      const { data, error } = await client
        .query<T, V>(query, { ...(JSON.parse(key) as V), ...(after !== null && different.current), after }, { requestPolicy: "network-only" })
        .toPromise();
      if (asking.current !== name) return; // another list is wanted by now
      asking.current = null;
      const found = data ? pick.current(data) : null;
      if (!found) {
        const refusal = error ? refusalOf(error) : null;
        setKept((earlier) => {
          const rest = after === null && earlier?.key === key && earlier.rows.length ? earlier : { key, rows: before, after, more: true };
          return { ...rest, state: "failed", refusal };
        });
        return;
      }
      setKept((earlier) => ({
        key,
        rows: after === null ? [...found.nodes] : [...before, ...found.nodes],
        after: found.pageInfo.endCursor,
        more: found.pageInfo.hasNextPage,
        state: "there",
        refusal: null,
        total: found.totalCount ?? earlier?.total ?? null,
        warnings: [...(found.warnings ?? earlier?.warnings ?? [])],
      }));
    },
    [client, query, key, round],
  );

  useEffect(() => void ask(null, []), [ask]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => onGap(again), [again]);

  const fresh = kept && kept.key === key ? kept : null;
  return {
    rows: fresh?.rows ?? [],
    total: fresh?.total ?? null,
    state: fresh?.state ?? "loading",
    refusal: fresh?.refusal ?? null,
    warnings: fresh?.warnings ?? [],
    more: fresh?.more ?? false,
    next: () => {
      if (fresh?.more && fresh.state === "there") void ask(fresh.after, fresh.rows);
    },
    again: () => {
      if (fresh?.rows.length && fresh.state === "failed" && fresh.more) void ask(fresh.after, fresh.rows);
      else again();
    },
  };
}

/** Calls `happened` with each thing that is told; nothing is polled. */
export function useLive<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  happened: (data: T) => void,
  { pause = false }: { pause?: boolean } = {},
): void {
  const handler = useRef(happened);
  handler.current = happened;
  useSubscription<T, null, V>({ query, variables, pause } as never, (_, data) => {
    handler.current(data);
    return null;
  });
}

export type Done<T> = { data: T; refusal: null } | { data: null; refusal: Refusal };

/** A mutation: `[run, busy]`; `run` never throws, and answers data or why not. */
export function useWrite<T, V extends AnyVariables>(
  mutation: TypedDocumentNode<T, V>,
): [(variables: V) => Promise<Done<T>>, boolean] {
  const [{ fetching }, execute] = useMutation<T, V>(mutation);
  const run = useCallback(
    async (variables: V): Promise<Done<T>> => {
      const { data, error } = await execute(variables);
      if (error || !data) return { data: null, refusal: error ? refusalOf(error) : unknown() };
      return { data, refusal: null };
    },
    [execute],
  );
  return [run, fetching];
}

const unknown = (): Refusal => ({
  kind: "other",
  sentence: language.get() === "en" ? "The service gave no answer." : "O serviço não respondeu.",
  code: null,
  scope: null,
  requestId: null,
  fields: [],
  meta: {},
});

/** The same value for renders within one day: what "today" asks with. */
export function useToday(): { today: string; yesterday: string; timezone: string } {
  const day = new Date().toDateString();
  return useMemo(() => {
    const midnight = new Date(day);
    const before = new Date(midnight);
    before.setDate(before.getDate() - 1);
    return {
      today: midnight.toISOString(),
      yesterday: before.toISOString(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
    };
  }, [day]);
}

/** The value once it has rested: what is asked while somebody types. */
export function useSettled<X>(value: X, milliseconds = 250): X {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
