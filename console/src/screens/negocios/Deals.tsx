import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, usePages, useRead, useSettled, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Badge, Dialog, Field, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty, Refused, Shown } from "../../ui/states";
import { joined, money, onDate, since, words } from "../../ui/format";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { Board, type Pipeline } from "./Board";
import { BOARD, CREATE, DEALS, FIRST_PIPELINE } from "./documents";
import { TEXTS } from "./texts";
import "./deals.css";

/** In the address: the pipeline, how it is shown, and what the list is narrowed to. */
interface Search {
  funil?: string;
  ver?: string;
  q?: string;
  estado?: string;
}

export function Deals() {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const put = (some: Search) => void navigate({ to: "/negocios", search: { ...search, ...some } as never, replace: true });
  const [making, setMaking] = useState(false);
  const read = useRead(BOARD, { id: search.funil ?? "", chosen: !!search.funil });
  const data = read.state === "there" ? read.data : null;
  const pipeline: Pipeline | null = data?.pipeline ?? data?.initial?.nodes[0] ?? null;
  const again = read.state === "there" ? read.again : () => {};
  const asList = search.ver === "lista";
  return (
    <div className={`screen deals-screen${asList ? "" : " board-screen"}`}>
      <ScreenHead title={t("title")}>
        {data && pipeline && (
          <>
            <select aria-label={t("pipeline")} className="kinds" value={pipeline.id} onChange={(event) => put({ funil: event.target.value })}>
              {data.pipelines?.nodes.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.nome}
                </option>
              ))}
            </select>
            <select aria-label={t("view")} className="kinds" value={asList ? "lista" : ""} onChange={(event) => put({ ver: event.target.value })}>
              <option value="">{t("board")}</option>
              <option value="lista">{t("list")}</option>
            </select>
            {may("crm:write") && !pipeline.arquivado && (
              <button type="button" className="button main" onClick={() => setMaking(true)}>
                <Icon name="plus" size={17} /> {t("create")}
              </button>
            )}
          </>
        )}
      </ScreenHead>
      <Shown of={read} bones={<Bones lines={10} />}>
        {() =>
          !pipeline ? (
            <div className="card">
              <Empty icon="deal" title={t("none")}>
                <p>{t("noneSentence")}</p>
                {may("crm:write") && <FirstPipeline made={again} />}
              </Empty>
            </div>
          ) : asList ? (
            <DealList pipelineId={pipeline.id} search={search} put={put} />
          ) : (
            <Board key={pipeline.id} pipeline={pipeline} again={again} />
          )
        }
      </Shown>
      {making && pipeline && (
        <NewDeal
          pipeline={pipeline}
          close={(made) => {
            setMaking(false);
            if (made) again();
          }}
        />
      )}
    </div>
  );
}

function FirstPipeline({ made }: { made: () => void }) {
  const t = useTexts(TEXTS);
  const [create, busy] = useWrite(FIRST_PIPELINE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function make() {
    const { refusal: why } = await create({ input: { nome: t("sales") } });
    setRefusal(why);
    if (!why) made();
  }
  return (
    <>
      <button type="button" className="button main" disabled={busy} onClick={() => void make()}>
        <Icon name="plus" size={17} /> {t("firstPipeline")}
      </button>
      <Refused refusal={refusal} />
    </>
  );
}

function NewDeal({ pipeline, close }: { pipeline: Pipeline; close: (made: boolean) => void }) {
  const t = useTexts(TEXTS);
  const [draft, setDraft, clear] = useDraft("negocios.novo", { titulo: "", valor: "" });
  const [create, busy] = useWrite(CREATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const wrong = (field: string) => refusal?.fields.find((one) => one.field === field)?.message;
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { refusal: why } = await create({ input: { titulo: draft.titulo, pipelineId: pipeline.id, ...(draft.valor && { valor: Number(draft.valor) }) } });
    if (why) return setRefusal(why);
    clear();
    toast(t("created"));
    close(true);
  }
  return (
    <Dialog title={t("create")} close={() => close(false)}>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <Refused refusal={refusal} />
        <Field label={t("name")} wrong={wrong("titulo")}>
          {(props) => <input {...props} required maxLength={200} value={draft.titulo} onChange={(event) => setDraft({ ...draft, titulo: event.target.value })} />}
        </Field>
        <Field label={t("value", { currency: pipeline.moeda })} wrong={wrong("valor")}>
          {(props) => <input {...props} type="number" min="0" step="0.01" value={draft.valor} onChange={(event) => setDraft({ ...draft, valor: event.target.value })} />}
        </Field>
        <Actions close={() => close(false)}>
          <button type="submit" className="button main" disabled={busy}>
            {t("save")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

type Row = NonNullable<ResultOf<typeof DEALS>["cards"]>["nodes"][number];

function DealList({ pipelineId, search, put }: { pipelineId: string; search: Search; put: (some: Search) => void }) {
  const t = useTexts(TEXTS);
  const [text, setText] = useState(search.q ?? "");
  const settled = useSettled(text.trim(), 300);
  useEffect(() => {
    if (settled !== (search.q ?? "")) put({ q: settled });
  }, [settled]);
  const filter = { pipelineId, ...(search.q && { q: search.q }), ...(search.estado && { status: search.estado as "ABERTO" }) };
  const pages = usePages(DEALS, { filter }, (data) => data.cards);
  const columns: Column<Row>[] = [
    { key: "title", label: t("name"), width: "2fr", phone: "title", cell: (one) => <b>{one.titulo}</b> },
    { key: "with", label: t("with"), width: "1.4fr", phone: "below", cell: (one) => joined(one.company?.nome, one.contato?.name) },
    { key: "stage", label: t("stage"), width: "1fr", cell: (one) => one.etapa?.nome },
    { key: "state", label: t("state"), width: "110px", cell: (one) => <Badge of={one.status}>{words(one.status)}</Badge> },
    { key: "worth", label: t("worth"), width: "130px", phone: "side", cell: (one) => one.valor !== null && money(one.valor, one.moeda) },
    { key: "expected", label: t("expected"), width: "120px", cell: (one) => one.dataPrevista && onDate(`${one.dataPrevista}T12:00`) },
    { key: "changed", label: t("changed"), width: "120px", cell: (one) => <span className="quiet">{since(one.updatedAt)}</span> },
  ];
  return (
    <>
      <div className="deal-sieve">
        <input type="search" aria-label={t("search")} placeholder={t("search")} value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
        <select aria-label={t("state")} className="kinds" value={search.estado ?? ""} onChange={(event) => put({ estado: event.target.value })}>
          <option value="">{t("any")}</option>
          {["ABERTO", "GANHO", "PERDIDO"].map((one) => (
            <option key={one} value={one}>
              {words(one)}
            </option>
          ))}
        </select>
      </div>
      <VirtualTable
        label={t("title")}
        pages={pages}
        columns={columns}
        empty={
          <Empty icon="deal" title={t("nothing")}>
            <p>{t("nothingSentence")}</p>
          </Empty>
        }
      />
    </>
  );
}
