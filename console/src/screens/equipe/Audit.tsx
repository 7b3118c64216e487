import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ResultOf, VariablesOf } from "../../gateway/graphql";
import { usePages } from "../../gateway/read";
import { atMoment } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { Field, ScreenHead } from "../../ui/parts";
import { Empty } from "../../ui/states";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { actionName, actions } from "./actions";
import { AUDIT } from "./documents";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof AUDIT>;
type Row = NonNullable<Data["auditEntries"]>["nodes"][number];
type Filter = NonNullable<VariablesOf<typeof AUDIT>["filter"]>;

interface Search {
  aba?: string;
  acao?: string;
  quem?: string;
  de?: string;
  ate?: string;
}

function filterOf({ acao, quem, de, ate }: Search): Filter {
  return {
    ...(acao && { action: acao }),
    ...(quem && { actorId: quem }),
    ...(de && { since: new Date(`${de}T00:00:00`).toISOString() }),
    ...(ate && { until: new Date(`${ate}T23:59:59.999`).toISOString() }),
  };
}

export function Audit({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [people, setPeople] = useState<readonly { id: string; name: string }[]>([]);
  const pages = usePages(
    AUDIT,
    { filter: filterOf(search), entry: true },
    (data: Data) => {
      const found = data.accounts?.nodes;
      if (found && JSON.stringify(found) !== JSON.stringify(people)) setPeople(found);
      return data.auditEntries;
    },
    { entry: false },
  );
  const put = (part: Search) => void navigate({ to: "/equipe", search: { ...search, aba: "auditoria", ...part } as never, replace: true });
  const who = ({ actor }: Row) => people.find((one) => one.id === actor.id)?.name ?? `${t(actor.kind)}${actor.id ? ` ${actor.id}` : ""}`;
  const columns: Column<Row>[] = [
    { key: "what", label: t("what"), width: "minmax(0, 1.2fr)", phone: "title", cell: (row) => <span title={row.action}>{actionName(row.action)}</span> },
    { key: "who", label: t("who"), width: "minmax(0, 1fr)", phone: "side", cell: who },
    { key: "subject", label: t("subject"), width: "minmax(0, 1.2fr)", cell: (row) => <span className="code">{row.subjectId ?? "–"}</span> },
    { key: "facts", label: t("facts"), width: "minmax(0, 1.6fr)", cell: (row) => <Facts of={row.facts} /> },
    { key: "when", label: t("when"), width: "170px", phone: "below", cell: (row) => atMoment(row.at) },
  ];
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <div className="audit-filters card">
        <Field label={t("action")}>
          {(props) => (
            <select {...props} value={search.acao ?? ""} onChange={(event) => put({ acao: event.target.value })}>
              <option value="">{t("anyAction")}</option>
              {search.acao && actionName(search.acao) === search.acao && <option value={search.acao}>{search.acao}</option>}
              {actions().map((one) => (
                <option key={one.action} value={one.action}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("who")}>
          {(props) => (
            <select {...props} value={search.quem ?? ""} onChange={(event) => put({ quem: event.target.value })}>
              <option value="">{t("everybody")}</option>
              {people.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("from")}>{(props) => <input {...props} type="date" value={search.de ?? ""} onChange={(event) => put({ de: event.target.value })} />}</Field>
        <Field label={t("until")}>{(props) => <input {...props} type="date" value={search.ate ?? ""} onChange={(event) => put({ ate: event.target.value })} />}</Field>
      </div>
      <VirtualTable
        label={t("audit")}
        pages={pages}
        columns={columns}
        empty={
          <Empty icon="search" title={t("nothing")}>
            <p>{t("nothingSentence")}</p>
          </Empty>
        }
      />
    </div>
  );
}

/** Facts in one line; the whole of them where one points. */
function Facts({ of }: { of: unknown }) {
  const text = Object.entries((of ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(" · ");
  return (
    <span className="audit-facts quiet" title={text}>
      {text || "–"}
    </span>
  );
}
