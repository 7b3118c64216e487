// What somebody else changed while a form was open: both values, and a choice. Nothing is overwritten unseen.

import { useCallback, useState } from "react";
import { type AnyVariables, type TypedDocumentNode, useClient } from "urql";
import { texts, useTexts } from "./language";

const TEXTS = texts({
  title: ["Outra pessoa mudou isto enquanto você escrevia", "Somebody else changed this while you were writing"],
  what: ["Campo", "Field"],
  theirs: ["Está assim agora", "As it is now"],
  mine: ["Você escreveu", "You wrote"],
  take: ["Ficar com o que está", "Keep it as it is"],
  press: ["Salvar de novo troca pelo que você escreveu.", "Saving again puts yours in its place."],
  nothing: ["(vazio)", "(empty)"],
});

export type Values = Readonly<Record<string, string>>;
export interface Difference {
  field: string;
  theirs: string;
  mine: string;
}

/** What both changed, and to something else. */
export const differences = (before: Values, now: Values, mine: Values): Difference[] =>
  Object.keys(mine)
    .filter((field) => mine[field] !== before[field] && now[field] !== before[field] && now[field] !== mine[field])
    .map((field) => ({ field, theirs: now[field] ?? "", mine: mine[field] ?? "" }));

/** Reads a document past the cache, before something is written; null where it cannot be read. */
export function useFresh<T, V extends AnyVariables>(query: TypedDocumentNode<T, V>): (variables: V) => Promise<T | null> {
  const client = useClient();
  return useCallback(
    async (variables: V) => (await client.query<T, V>(query, variables, { requestPolicy: "network-only" }).toPromise()).data ?? null,
    [client, query],
  );
}

/** `check` answers whether to write: what differs is shown first, and the next press writes it. */
export function useConflict(): { found: Difference[]; check: (before: Values, now: Values | null, mine: Values) => boolean; forget: () => void } {
  const [found, setFound] = useState<Difference[]>([]);
  return {
    found,
    check(before, now, mine) {
      const fresh = now ? differences(before, now, mine) : [];
      const told = fresh.every((one) => found.some((other) => other.field === one.field && other.theirs === one.theirs));
      if (!told) setFound(fresh);
      return told;
    },
    forget: () => setFound([]),
  };
}

/** `note`: what is said below, unless another press of the form's own button overwrites. */
export function Conflict({ found, name, take, note }: { found: Difference[]; name: (field: string) => string; take: (theirs: Values) => void; note?: string }) {
  const t = useTexts(TEXTS);
  return (
    <div role="alert">
      {found.length > 0 && (
        <div className="notice conflict">
          <b>{t("title")}</b>
          <table className="sheet">
            <thead>
              <tr>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("theirs")}</th>
                <th scope="col">{t("mine")}</th>
              </tr>
            </thead>
            <tbody>
              {found.map((one) => (
                <tr key={one.field}>
                  <th scope="row">{name(one.field)}</th>
                  <td>{one.theirs || t("nothing")}</td>
                  <td>{one.mine || t("nothing")}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <span>{note ?? t("press")}</span>
          <button type="button" className="button small" onClick={() => take(Object.fromEntries(found.map((one) => [one.field, one.theirs])))}>
            {t("take")}
          </button>
        </div>
      )}
    </div>
  );
}
