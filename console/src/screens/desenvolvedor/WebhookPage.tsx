import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { usePages, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask, ShownOnce } from "../../ui/asking";
import { atMoment, joined, number, onDate, since, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty } from "../../ui/states";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { CHANGE_WEBHOOK, DELETE_WEBHOOK, REPLAY, ROTATE_SECRET, SAMPLE, WEBHOOK } from "./documents";
import { eventName, type EventType } from "./events";
import { TEXTS } from "./texts";
import { Verdict } from "./Webhooks";
import "./developer.css";

type Data = ResultOf<typeof WEBHOOK>;
type Webhook = NonNullable<Data["webhook"]>;
type Row = NonNullable<Webhook["deliveries"]>["nodes"][number];
type Doing = "sample" | "rotate" | "remove" | "replay";

const STATES = ["PENDENTE", "FALHANDO", "ENTREGUE", "MORTA", "RETIDA"] as const;

export function WebhookPage() {
  const t = useTexts(TEXTS);
  const { id } = useParams({ strict: false }) as { id: string };
  const { estado } = useSearch({ strict: false }) as { estado?: (typeof STATES)[number] };
  const navigate = useNavigate();
  const [webhook, setWebhook] = useState<Webhook | null>(null);
  const pages = usePages(WEBHOOK, { id, filter: estado ? { status: estado } : {} }, (data: Data) => {
    if (data.webhook && JSON.stringify(data.webhook) !== JSON.stringify(webhook)) setWebhook(data.webhook);
    return data.webhook?.deliveries;
  });
  const columns: Column<Row>[] = [
    { key: "event", label: t("event"), width: "minmax(0, 1.6fr)", phone: "title", cell: (row) => <span className="code">{eventName(row.type)}</span> },
    {
      key: "state",
      label: t("state"),
      width: "150px",
      phone: "side",
      cell: (row) => (
        <>
          <Badge of={row.status} /> {row.replay && <span className="tag">{t("replayed")}</span>}
        </>
      ),
    },
    { key: "attempts", label: t("attempts"), width: "100px", cell: (row) => number(row.attempts) },
    { key: "status", label: t("status"), width: "100px", cell: (row) => row.lastStatusCode ?? "–" },
    { key: "time", label: t("time"), width: "100px", cell: (row) => (row.lastLatencyMs === null ? "–" : `${number(row.lastLatencyMs)} ms`) },
    { key: "when", label: t("when"), width: "170px", phone: "below", cell: (row) => atMoment(row.createdAt) },
  ];
  const gone = pages.state === "failed" && !pages.refusal;
  return (
    <div className="screen" key={id}>
      <p>
        <Link to="/desenvolvedor" search={{ aba: "webhooks" } as never} className="back">
          <Icon name="back" size={17} /> {t("allWebhooks")}
        </Link>
      </p>
      {gone && (
        <div className="card">
          <Empty icon="link" title={t("gone")}>
            <p>{t("goneSentence")}</p>
          </Empty>
        </div>
      )}
      {webhook && !gone && <Head of={webhook} again={pages.again} />}
      {!webhook && pages.state === "loading" && <Bones lines={4} />}
      {!gone && (
        <>
          <div className="row">
            <h2>{t("deliveries")}</h2>
            <select
              className="kinds"
              aria-label={t("state")}
              value={estado ?? ""}
              onChange={(event) => void navigate({ to: `/desenvolvedor/webhooks/${id}`, search: { estado: event.target.value } as never, replace: true })}
            >
              <option value="">{t("any")}</option>
              {STATES.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          </div>
          <VirtualTable
            label={t("deliveries")}
            pages={pages}
            columns={columns}
            to={(row) => `/desenvolvedor/entregas/${row.id}`}
            empty={
              <Empty icon="link" title={t("noDeliveries")}>
                <p>{t("noDeliveriesSentence")}</p>
              </Empty>
            }
          />
        </>
      )}
    </div>
  );
}

function Head({ of, again }: { of: Webhook; again: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [change, changing] = useWrite(CHANGE_WEBHOOK);
  const close = () => setDoing(null);
  const active = of.status === "ACTIVE" || of.status === "FAILING";
  async function turn() {
    const { refusal } = await change({ id: of.id, input: { status: active ? "PAUSED" : "ACTIVE" } });
    toast(refusal ? refusal.sentence : t(active ? "paused" : "resumed"));
    again();
  }
  const facts: [string, ReactNode][] = [
    [t("events"), <span className="code">{of.events.map(eventName).join(", ")}</span>],
    [t("lastSuccess"), of.lastSuccessAt ? since(of.lastSuccessAt) : t("never")],
    [t("lastFailure"), of.lastFailureAt && joined(since(of.lastFailureAt), of.consecutiveFailures > 0 && t("failures", { count: of.consecutiveFailures }))],
    [t("nextProbe"), of.nextProbeAt && atMoment(of.nextProbeAt)],
    [t("revokesAt"), of.revokesAt && atMoment(of.revokesAt)],
    [t("secretVersion"), of.secretVersion],
    [t("created"), joined(onDate(of.createdAt), of.createdBy?.name)],
  ];
  return (
    <>
      <div className="headed">
        <div>
          <ScreenHead title={of.url} />
          {of.description && <p className="quiet">{of.description}</p>}
        </div>
        <Badge of={of.status} />
      </div>
      {may("webhooks:write") && (
        <div className="row">
          <button type="button" className="button" onClick={() => setDoing("sample")}>{t("test")}</button>
          <button type="button" className="button" onClick={() => setDoing("replay")}>{t("replayFailed")}</button>
          {of.status !== "REVOKED" && (
            <button type="button" className="button" disabled={changing} onClick={() => void turn()}>{t(active ? "pause" : "resume")}</button>
          )}
          <button type="button" className="button" onClick={() => setDoing("rotate")}>{t("rotateSecret")}</button>
          <button type="button" className="button bad" onClick={() => setDoing("remove")}>{t("remove")}</button>
        </div>
      )}
      <section className="card" aria-labelledby="facts">
        <header>
          <h2 id="facts">{t("facts")}</h2>
        </header>
        <dl className="inside facts">
          {facts.map(
            ([name, value]) =>
              value && (
                <div key={name} style={{ display: "contents" }}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
      {doing === "sample" && <Sample of={of} close={close} />}
      {doing === "rotate" && (
        <RotateSecret
          id={of.id}
          close={close}
          made={(one) => {
            close();
            again();
            setSecret(one);
          }}
        />
      )}
      {doing === "remove" && <Remove id={of.id} close={close} />}
      {doing === "replay" && <ReplayFailed id={of.id} close={close} again={again} />}
      {secret && <ShownOnce title={t("secret")} value={secret} note={t("secretNote")} close={() => setSecret(null)} />}
    </>
  );
}

function Sample({ of, close }: { of: Webhook; close: () => void }) {
  const t = useTexts(TEXTS);
  const [event, setEvent] = useState<EventType>(of.events[0]!);
  const [send, busy] = useWrite(SAMPLE);
  const [verdict, setVerdict] = useState<{ ok: boolean; statusCode: number | null; latencyMs: number | null; message: string | null } | null>(null);
  async function run() {
    setVerdict(null);
    const { data, refusal } = await send({ id: of.id, input: { event } });
    setVerdict(data?.sendWebhookSample ?? null);
    return refusal;
  }
  return (
    <Ask title={t("test")} note={t("testNote")} confirm={t("send")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <>
          <Field label={t("event")} wrong={wrong("event")}>
            {(props) => (
              <select {...props} value={event} onChange={(one) => setEvent(one.target.value as EventType)}>
                {of.events.map((one) => (
                  <option key={one} value={one}>
                    {eventName(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {verdict && <Verdict of={verdict} said={t("sampleSent", { status: verdict.statusCode ?? "", ms: verdict.latencyMs ?? "" })} />}
        </>
      )}
    </Ask>
  );
}

function RotateSecret({ id, close, made }: { id: string; close: () => void; made: (secret: string) => void }) {
  const t = useTexts(TEXTS);
  const [rotate, busy] = useWrite(ROTATE_SECRET);
  async function run() {
    const { data, refusal } = await rotate({ id });
    if (refusal || !data.rotateWebhookSecret) return refusal;
    made(data.rotateWebhookSecret.secret);
    return null;
  }
  return <Ask title={t("rotateSecret")} note={t("rotateSecretNote")} confirm={t("rotateSecret")} busy={busy} run={run} close={close} />;
}

function Remove({ id, close }: { id: string; close: () => void }) {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const [remove, busy] = useWrite(DELETE_WEBHOOK);
  async function run() {
    const { refusal } = await remove({ id });
    if (refusal) return refusal;
    toast(t("removed"));
    void navigate({ to: "/desenvolvedor", search: { aba: "webhooks" } as never });
    return null;
  }
  return <Ask title={t("remove")} note={t("removeNote")} confirm={t("remove")} bad busy={busy} run={run} close={close} />;
}

export function useRequested(): (count: number) => string {
  const t = useTexts(TEXTS);
  return (count) => (count === 1 ? t("oneRequested") : t("requested", { count: number(count) }));
}

function ReplayFailed({ id, close, again }: { id: string; close: () => void; again: () => void }) {
  const t = useTexts(TEXTS);
  const requested = useRequested();
  const [replay, busy] = useWrite(REPLAY);
  async function run() {
    const from = new Date(Date.now() - 24 * 3_600_000).toISOString();
    const { data, refusal } = await replay({ id, input: { from, status: "MORTA" } });
    if (refusal) return refusal;
    toast(requested(data.replayWebhookDeliveries?.requested ?? 0));
    close();
    again();
    return null;
  }
  return <Ask title={t("replayFailed")} note={t("replayFailedNote")} confirm={t("replay")} busy={busy} run={run} close={close} />;
}
