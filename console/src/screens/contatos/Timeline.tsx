import { useState } from "react";
import { useClient } from "urql";
import { type Refusal, refusalOf } from "../../gateway/read";
import { Icon, type IconName } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge } from "../../ui/parts";
import { Empty, Failed } from "../../ui/states";
import { atTime, dayOf, joined, money, words } from "../../ui/format";
import type { Contact } from "./ContactPage";
import { EARLIER } from "./documents";
import { TEXTS } from "./texts";

type Connection = NonNullable<Contact["timeline"]>;
type Entry = Connection["nodes"][number];

const KINDS = ["MESSAGE", "CLICK", "CONSENT", "CUSTOMER_EVENT", "STAGE_MOVE", "PUSH"] as const;
type Kind = (typeof KINDS)[number];

/** What happened around the contact, the latest first; more of it on demand. */
export function Timeline({ contact }: { contact: Contact }) {
  const t = useTexts(TEXTS);
  const client = useClient();
  const [kind, setKind] = useState<Kind | null>(null);
  const [added, setAdded] = useState<{ of: unknown; entries: Entry[]; end: Connection["pageInfo"] } | null>(null);
  const [chosen, setChosen] = useState<Connection | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const first = kind ? chosen : contact.timeline;
  const more = added?.of === first ? added : null;
  const entries = [...(first?.nodes ?? []), ...(more?.entries ?? [])];
  const end = more?.end ?? first?.pageInfo;

  async function ask(kinds: Kind | null, after: string | null): Promise<Connection | null> {
    setBusy(true);
    setRefusal(null);
    const { data, error } = await client
      .query(EARLIER, { id: contact.id, after, ...(kinds && { kinds: [kinds] }) }, { requestPolicy: "network-only" })
      .toPromise();
    setBusy(false);
    if (error && !data?.contact?.timeline) setRefusal(refusalOf(error));
    return (data?.contact?.timeline as Connection | undefined) ?? null;
  }
  async function choose(next: Kind | null) {
    setKind(next);
    setChosen(null);
    if (next) setChosen(await ask(next, null));
  }
  async function earlier() {
    const found = await ask(kind, end?.endCursor ?? null);
    if (found) setAdded({ of: first, entries: [...(more?.entries ?? []), ...found.nodes], end: found.pageInfo });
  }

  const days: { day: string; entries: Entry[] }[] = [];
  for (const one of entries) {
    const day = dayOf(one.at);
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] });
    days.at(-1)!.entries.push(one);
  }
  const leftOut = (first?.warnings ?? []).map((one) => one.split("_omitido_")[0]!.replaceAll("_", " "));
  return (
    <section className="card" aria-labelledby="timeline" aria-busy={busy}>
      <header>
        <h2 id="timeline">{t("timeline")}</h2>
        <select aria-label={t("timeline")} className="kinds" value={kind ?? ""} onChange={(event) => void choose((event.target.value || null) as Kind | null)}>
          <option value="">{t("everything")}</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </select>
      </header>
      <div className="inside">
        {days.map(({ day, entries: some }) => (
          <div key={day}>
            <h3 className="day">{day}</h3>
            <ol className="entries">
              {some.map((one) => (
                <TimelineItem key={one.id} entry={one} />
              ))}
            </ol>
          </div>
        ))}
        {refusal && <Failed refusal={refusal} again={() => void earlier()} />}
        {!refusal && end?.hasNextPage && (
          <button type="button" className="button" disabled={busy} onClick={() => void earlier()}>
            {t("earlier")}
          </button>
        )}
        {!refusal && end && !end.hasNextPage && (entries.length ? <p className="quiet">{t("beginning")}</p> : <Empty icon="clock" title={t("nothing")} />)}
        {leftOut.length > 0 && <p className="quiet">{t("leftOut", { kinds: leftOut.join(", ") })}</p>}
      </div>
    </section>
  );
}

function TimelineItem({ entry }: { entry: Entry }) {
  const t = useTexts(TEXTS);
  const { icon, title, status, text } = told(entry, t);
  return (
    <li>
      <span className="mark">
        <Icon name={icon} size={17} />
      </span>
      <div>
        <p>
          <b>{title}</b> {status && <Badge of={status} />}
        </p>
        {text && <p className="quiet">{text}</p>}
      </div>
      <time dateTime={entry.at} className="quiet">
        {atTime(entry.at)}
      </time>
    </li>
  );
}

interface Told {
  icon: IconName;
  title: string;
  status?: string | null;
  text?: string | null;
}

function told(one: Entry, t: ReturnType<typeof useTexts<typeof TEXTS>>): Told {
  switch (one.__typename) {
    case "MessageEntry": {
      const inbound = one.direction === "INBOUND";
      return {
        icon: "chat",
        title: t(inbound ? "received" : "sent", { channel: words(one.channel) }),
        status: inbound ? null : one.status,
        text: joined(one.subject ?? one.body, one.failure && words(one.failure)),
      };
    }
    case "ClickEntry":
      return { icon: "link", title: t("clicked", { host: one.host ?? one.shortUrl }), text: one.clicks > 1 ? `${one.clicks}×` : null };
    case "CustomerEventEntry":
      return { icon: "star", title: words(one.name), text: one.value === null ? null : money(one.value, one.currency ?? "BRL") };
    case "StageMoveEntry":
      return { icon: "deal", title: t(one.tipo), text: joined(one.titulo, [one.de?.nome, one.para?.nome].filter(Boolean).join(" → "), one.porNome) };
    case "ConsentEntry":
      return {
        icon: "consent",
        title: t(one.optInStatus === "GRANTED" ? "agreed" : one.optInStatus === "DENIED" ? "refused" : "withdrawn"),
        text: joined(words(one.canal), one.consentSource && words(one.consentSource), one.consentReason),
      };
    case "PushEntry":
      return { icon: "bell", title: t("pushed", { platform: words(one.platform) }), status: one.deliveryStatus, text: one.pushTitle };
    default:
      return { icon: "star", title: "" };
  }
}
