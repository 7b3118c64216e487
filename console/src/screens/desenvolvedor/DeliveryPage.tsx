import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { atMoment, joined, number } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty, Shown } from "../../ui/states";
import { DELIVERY, REPLAY } from "./documents";
import { eventName } from "./events";
import { TEXTS } from "./texts";
import { useRequested } from "./WebhookPage";
import "./developer.css";

type Delivery = NonNullable<ResultOf<typeof DELIVERY>["webhookDelivery"]>;

export function DeliveryPage() {
  const t = useTexts(TEXTS);
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRead(DELIVERY, { id });
  return (
    <div className="screen" key={id}>
      <Shown of={read} bones={<Bones lines={10} />}>
        {({ webhookDelivery }) =>
          webhookDelivery ? (
            <Whole of={webhookDelivery} />
          ) : (
            <div className="card">
              <Empty icon="link" title={t("gone")}>
                <p>{t("goneSentence")}</p>
              </Empty>
            </div>
          )
        }
      </Shown>
    </div>
  );
}

/** JSON as people read it; what is none stays as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Whole({ of }: { of: Delivery }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const navigate = useNavigate();
  const requested = useRequested();
  const [replay, busy] = useWrite(REPLAY);
  async function again() {
    const { data, refusal } = await replay({ id: of.webhookId, input: { deliveryIds: [of.id] } });
    if (refusal) return toast(refusal.sentence);
    toast(requested(data.replayWebhookDeliveries?.requested ?? 0));
    void navigate({ to: `/desenvolvedor/webhooks/${of.webhookId}` });
  }
  const headers = Object.entries((of.request.headers ?? {}) as Record<string, unknown>);
  return (
    <>
      <p>
        <Link to={`/desenvolvedor/webhooks/${of.webhookId}`} className="back">
          <Icon name="back" size={17} /> {of.webhook?.url ?? t("allWebhooks")}
        </Link>
      </p>
      <div className="headed">
        <div>
          <ScreenHead title={eventName(of.type)} />
          <p className="quiet">{joined(atMoment(of.createdAt), of.replay && t("replayed"), of.id)}</p>
        </div>
        <Badge of={of.status} />
        {may("webhooks:write") && (
          <button type="button" className="button" disabled={busy} onClick={() => void again()}>
            {t("replay")}
          </button>
        )}
      </div>
      <div className="halves">
        <section className="card" aria-labelledby="attempts">
          <header>
            <h2 id="attempts">{t("attempts")}</h2>
            {of.nextAttemptAt && <span className="quiet">{`${t("next")}: ${atMoment(of.nextAttemptAt)}`}</span>}
          </header>
          <div className="inside">
            {of.attemptLog.length === 0 ? (
              <p className="quiet">{t("noAttempts")}</p>
            ) : (
              <ol className="attempts">
                {of.attemptLog.map((one, at) => (
                  <li key={one.at}>
                    <div className="row">
                      <h3>{one.probe ? t("probe") : t("attempt", { number: at + 1 })}</h3>
                      <Badge of={one.error ? "FAILED" : "DELIVERED"}>{one.statusCode ?? one.error}</Badge>
                      <span className="quiet">{joined(atMoment(one.at), `${number(one.latencyMs)} ms`)}</span>
                    </div>
                    {one.error && one.statusCode !== null && <p className="quiet">{one.error}</p>}
                    {one.responseBody && <Text label={t("theirAnswer")} value={one.responseBody} />}
                  </li>
                ))}
              </ol>
            )}
          </div>
        </section>
        <section className="card" aria-labelledby="request">
          <header>
            <h2 id="request">{t("request")}</h2>
          </header>
          <div className="inside form">
            <dl className="facts">
              <dt>{t("eventId")}</dt>
              <dd className="code">{of.eventId}</dd>
            </dl>
            <div>
              <h3>{t("headers")}</h3>
              <Text label={t("headers")} value={headers.map(([name, value]) => `${name}: ${String(value)}`).join("\n")} />
            </div>
            <div>
              <h3>{t("body")}</h3>
              <Text label={t("body")} value={readable(of.request.body)} />
            </div>
          </div>
        </section>
      </div>
    </>
  );
}

function Text({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      {value}
    </pre>
  );
}
