import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask, ShownOnce } from "../../ui/asking";
import { number, since } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Badge, Field, ScreenHead } from "../../ui/parts";
import { Empty, Refused, Shown } from "../../ui/states";
import { CREATE_WEBHOOK, TRY_ADDRESS, WEBHOOKS } from "./documents";
import { EVENTS, eventName, type EventType } from "./events";
import { Picks } from "./Keys";
import { TEXTS } from "./texts";

export function Webhooks({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const read = useRead(WEBHOOKS, {});
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {may("webhooks:write") && (
          <button type="button" className="button main" onClick={() => setMaking(true)}>
            <Icon name="plus" size={17} /> {t("newWebhook")}
          </button>
        )}
      </ScreenHead>
      {tabs}
      <section className="card" aria-labelledby="webhooks">
        <header>
          <h2 id="webhooks">{t("webhooks")}</h2>
        </header>
        <div className="inside">
          <Shown of={read}>
            {({ webhooks }) =>
              webhooks?.nodes.length ? (
                <table className="sheet">
                  <thead>
                    <tr>
                      <th scope="col">{t("address")}</th>
                      <th scope="col" className="wide">{t("events")}</th>
                      <th scope="col" className="wide">{t("lastSuccess")}</th>
                      <th scope="col" className="wide">{t("lastFailure")}</th>
                      <th scope="col">{t("state")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {webhooks.nodes.map((one) => (
                      <tr key={one.id}>
                        <th scope="row">
                          <Link to={`/desenvolvedor/webhooks/${one.id}`}>{one.url}</Link>
                          {one.description && <small>{one.description}</small>}
                        </th>
                        <td className="wide" title={one.events.map(eventName).join(", ")}>
                          {one.events.length === 1 ? t("oneEvent") : t("eventCount", { count: one.events.length })}
                        </td>
                        <td className="wide">{one.lastSuccessAt ? since(one.lastSuccessAt) : t("never")}</td>
                        <td className="wide">{one.lastFailureAt ? since(one.lastFailureAt) : t("never")}</td>
                        <td>
                          <Badge of={one.status} />
                          {one.consecutiveFailures > 0 && <small>{t("failures", { count: number(one.consecutiveFailures) })}</small>}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              ) : (
                <Empty icon="link" title={t("noWebhooks")}>
                  <p>{t("noWebhooksSentence")}</p>
                </Empty>
              )
            }
          </Shown>
        </div>
      </section>
      {making && (
        <NewWebhook
          close={() => setMaking(false)}
          made={(id, secret) => {
            setMaking(false);
            setMade({ id, secret });
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={t("secret")}
          value={made.secret}
          note={t("secretNote")}
          close={() => void navigate({ to: `/desenvolvedor/webhooks/${made.id}` })}
        />
      )}
    </div>
  );
}

/** What an address answered, in one line. */
export function Verdict({ of, said }: { of: { ok: boolean; statusCode: number | null; latencyMs: number | null; message: string | null }; said: string }) {
  const t = useTexts(TEXTS);
  return (
    <p className={of.ok ? "verdict" : "verdict bad"} role="status">
      {of.ok ? said : t("notAnswered", { why: of.message ?? String(of.statusCode ?? "–") })}
    </p>
  );
}

interface WebhookFields {
  url: string;
  description: string;
  events: EventType[];
}

function NewWebhook({ close, made }: { close: () => void; made: (id: string, secret: string) => void }) {
  const t = useTexts(TEXTS);
  const [fields, setFields, clear] = useDraft<WebhookFields>("developer.webhook", { url: "", description: "", events: [] });
  const [create, busy] = useWrite(CREATE_WEBHOOK);
  const [tryIt, trying] = useWrite(TRY_ADDRESS);
  const [verdict, setVerdict] = useState<{ ok: boolean; statusCode: number | null; latencyMs: number | null; message: string | null } | null>(null);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const put = (part: Partial<WebhookFields>) => setFields({ ...fields, ...part });
  async function attempt() {
    const { data, refusal } = await tryIt({ input: { url: fields.url } });
    setRefused(refusal);
    setVerdict(data?.validateWebhookEndpoint ?? null);
  }
  async function run() {
    const { data, refusal } = await create({
      input: { url: fields.url, events: fields.events, ...(fields.description && { description: fields.description }) },
    });
    const id = data?.createWebhook?.webhook?.id;
    if (refusal || !id) return refusal;
    clear();
    made(id, data.createWebhook!.reveal.secret);
    return null;
  }
  return (
    <Ask title={t("newWebhook")} confirm={t(busy ? "creating" : "create")} busy={busy} run={run} close={close} wide>
      {(wrong) => (
        <>
          <Field label={t("address")} hint={t("addressHint")} wrong={wrong("url")}>
            {(props) => <input {...props} type="url" value={fields.url} autoComplete="off" onChange={(event) => put({ url: event.target.value })} />}
          </Field>
          <div className="row">
            <button type="button" className="button small" disabled={trying || !fields.url} onClick={() => void attempt()}>
              {t("tryIt")}
            </button>
            {verdict && <Verdict of={verdict} said={t("answered", { status: verdict.statusCode ?? "", ms: verdict.latencyMs ?? "" })} />}
          </div>
          <Refused refusal={refused} />
          <Field label={t("description")} wrong={wrong("description")}>
            {(props) => <input {...props} value={fields.description} autoComplete="off" onChange={(event) => put({ description: event.target.value })} />}
          </Field>
          <Picks legend={t("events")} wrong={wrong("events")} all={EVENTS} name={eventName} picked={fields.events} change={(events) => put({ events })}>
            <button type="button" className="link" onClick={() => put({ events: EVENTS })}>{t("allEvents")}</button>
            <button type="button" className="link" onClick={() => put({ events: [] })}>{t("noEvents")}</button>
          </Picks>
        </>
      )}
    </Ask>
  );
}
