import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { usePages } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead } from "../../ui/parts";
import { Empty } from "../../ui/states";
import { joined, number, words } from "../../ui/format";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { JOURNEYS } from "./documents";
import { NewJourney } from "./NewJourney";
import { beginningOf, named } from "./said";
import { TEXTS } from "./texts";
import "./journeys.css";

type Data = ResultOf<typeof JOURNEYS>;
type Row = NonNullable<Data["journeys"]>["nodes"][number];

const STATUSES = ["RASCUNHO", "ATIVA", "PAUSADA", "ARQUIVADA"] as const;
type Status = (typeof STATUSES)[number];

export function Journeys() {
  const t = useTexts(TEXTS);
  const search = useSearch({ strict: false }) as { status?: string };
  const navigate = useNavigate();
  const { may } = useSession();
  const [making, setMaking] = useState(false);
  const status = STATUSES.find((one) => one === search.status) as Status | undefined;
  const pages = usePages(JOURNEYS, { filter: status ? { status } : {} }, (data: Data) => data.journeys);
  const columns: Column<Row>[] = [
    { key: "name", label: t("name"), width: "minmax(0, 2fr)", phone: "title", cell: (row) => <span className="cut">{row.name}</span> },
    {
      key: "status",
      label: t("status"),
      width: "150px",
      phone: "side",
      cell: (row) => (
        <span className="cut">
          <Badge of={row.status}>{named(row.status)}</Badge> {row.pausadaPor && <small className="quiet">{named(row.pausadaPor.motivo)}</small>}
        </span>
      ),
    },
    { key: "begins", label: t("begins"), width: "minmax(0, 1.7fr)", phone: "below", cell: (row) => <span className="cut">{joined(beginningOf(row), row.entradasEncerradas && t("closed"))}</span> },
    { key: "channels", label: t("channels"), width: "minmax(0, 1fr)", cell: (row) => <span className="cut">{row.canais.map(words).join(", ") || "–"}</span> },
    { key: "inside", label: t("inside"), width: "110px", cell: (row) => number(row.execucoes.ativa) },
    { key: "ended", label: t("ended"), width: "110px", cell: (row) => number(row.execucoes.concluida) },
    { key: "goal", label: t("goal"), width: "minmax(0, .9fr)", cell: (row) => <span className="cut">{row.metaEvento ?? "–"}</span> },
  ];
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {may("campaigns:write") && (
          <button type="button" className="button main" onClick={() => setMaking(true)}>
            <Icon name="plus" size={17} /> {t("create")}
          </button>
        )}
      </ScreenHead>
      {making && <NewJourney close={() => setMaking(false)} made={(id) => void navigate({ to: `/jornadas/${id}` })} />}
      <div className="jn-sieve">
        <Field label={t("status")}>
          {(props) => (
            <select
              {...props}
              value={status ?? ""}
              onChange={(event) => void navigate({ to: "/jornadas", search: { status: event.target.value || undefined } as never, replace: true })}
            >
              <option value="">{t("current")}</option>
              {STATUSES.map((one) => (
                <option key={one} value={one}>
                  {named(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <VirtualTable
        label={t("title")}
        pages={pages}
        columns={columns}
        to={(row) => `/jornadas/${row.id}`}
        empty={
          <Empty icon="journey" title={t("none")}>
            <p>{t("noneSentence")}</p>
          </Empty>
        }
      />
    </div>
  );
}
