import { Link } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { usePages } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { language, useTexts } from "../../ui/language";
import { Badge } from "../../ui/parts";
import { Bones, Empty, Failed, useSaid } from "../../ui/states";
import { atMoment, atTime, dayOf, joined, phone, words } from "../../ui/format";
import { Composer } from "./Composer";
import { contentOf, type Conversation, type File, type Message, pairOf, windowAfter } from "./content";
import { THREAD } from "./documents";
import type { Outgoing, Sending } from "./sending";
import { TEXTS } from "./texts";

/** The instant, anew every half minute: for the clock of the window. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Thread({
  contactId,
  senderId,
  told,
  sending,
}: {
  contactId: string;
  senderId: string;
  told: ReadonlyMap<string, Message>;
  sending: Sending;
}) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const now = useNow();
  const [head, setHead] = useState<Conversation | null>(null);
  const pages = usePages(THREAD, { contactId, senderId }, (data) => {
    const found = data.conversations?.nodes[0];
    if (found) setHead(found);
    return found?.messages;
  });
  const pair = `${contactId} ${senderId}`;

  const messages = useMemo(() => {
    const all = new Map<string, Message>(pages.rows.map((one) => [one.id, one]));
    for (const one of told.values()) {
      const read = all.get(one.id);
      if (pairOf(one) === pair && (!read || one.updatedAt >= read.updatedAt)) all.set(one.id, one);
    }
    return [...all.values()].sort((one, other) => (one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0));
  }, [pages.rows, told, pair]);
  const mine = sending.outgoing.filter((one) => one.pair === pair);

  if (!head) {
    if (pages.state === "loading") return <Bones lines={8} />;
    if (pages.refusal) return <Failed refusal={pages.refusal} again={pages.again} />;
    return (
      <Empty icon="chat" title={t("gone")}>
        <p>{t("goneSentence")}</p>
        <Back />
      </Empty>
    );
  }
  const wrote = messages.filter((one) => one.direction === "INBOUND").at(-1);
  const endsAt = [head.windowEndsAt, ...(wrote ? [windowAfter(wrote.createdAt)] : [])].sort().at(-1)!;
  const open = Date.parse(endsAt) > now;
  const name = head.contact?.name ?? phone(head.contact?.phone);
  return (
    <>
      <header className="thread-head">
        <Back />
        <div>
          <h2>{name}</h2>
          <p className="quiet">{joined(head.contact?.name && phone(head.contact.phone), words(head.channel), head.number && phone(head.number.displayPhone))}</p>
        </div>
        <Link to={"/contatos/$id" as never} params={{ id: contactId } as never} className="button small">
          {t("contact")}
        </Link>
      </header>
      <Lines name={name} messages={messages} outgoing={mine} pages={pages} sending={sending} />
      <footer className="thread-foot">
        <WindowClock endsAt={endsAt} open={open} now={now} />
        {may("messages:send") ? (
          <Composer head={head} open={open} to={messages.at(-1)?.to ?? null} send={(text, input) => sending.send({ pair, text, input })} />
        ) : (
          <p className="notice">{t("mayNot")}</p>
        )}
      </footer>
    </>
  );
}

function Back() {
  const t = useTexts(TEXTS);
  return (
    <Link to="/conversas" search={((before: object) => ({ ...before, contato: undefined, de: undefined })) as never} className="button bare small thread-back" aria-label={t("back")}>
      <Icon name="back" size={18} />
    </Link>
  );
}

function WindowClock({ endsAt, open, now }: { endsAt: string; open: boolean; now: number }) {
  const t = useTexts(TEXTS);
  if (!open) return <p className="notice">{t("closedAt", { moment: atMoment(endsAt) })}</p>;
  const minutes = Math.max(1, Math.round((Date.parse(endsAt) - now) / 60_000));
  const unit = minutes < 60 ? "minute" : "hour";
  const time = new Intl.NumberFormat(language.get(), { style: "unit", unit, unitDisplay: "short" }).format(unit === "minute" ? minutes : Math.floor(minutes / 60));
  return (
    <p className={`window-clock${minutes < 60 ? " late" : ""}`}>
      <Icon name="clock" size={15} /> {joined(t("openUntil", { moment: atMoment(endsAt) }), t("left", { time }))}
    </p>
  );
}

function Lines({
  name,
  messages,
  outgoing,
  pages,
  sending,
}: {
  name: string;
  messages: Message[];
  outgoing: Outgoing[];
  pages: { more: boolean; next: () => void; state: string; refusal: unknown };
  sending: Sending;
}) {
  const t = useTexts(TEXTS);
  const frame = useRef<HTMLDivElement>(null);
  const before = useRef({ height: 0, top: 0, first: "", atEnd: true });
  const first = messages[0]?.id ?? "";
  const count = messages.length + outgoing.length;
  useLayoutEffect(() => {
    const at = frame.current;
    if (!at) return;
    const { height, top, first: earliest, atEnd } = before.current;
    if (earliest && earliest !== first) at.scrollTop = top + at.scrollHeight - height; // earlier ones came above
    else if (atEnd) at.scrollTop = at.scrollHeight;
    before.current = { height: at.scrollHeight, top: at.scrollTop, first, atEnd: before.current.atEnd };
  }, [count, first]);
  const follow = () => {
    const at = frame.current!;
    before.current = { ...before.current, height: at.scrollHeight, top: at.scrollTop, atEnd: at.scrollHeight - at.scrollTop - at.clientHeight < 80 };
  };
  const days: { day: string; some: Message[] }[] = [];
  for (const one of messages) {
    const day = dayOf(one.createdAt);
    if (days.at(-1)?.day !== day) days.push({ day, some: [] });
    days.at(-1)!.some.push(one);
  }
  // The subscription may tell of a message before its own send is answered: it is not shown twice.
  const heard = new Set(messages.filter((one) => one.direction === "OUTBOUND").map((one) => {
    const { text, file } = contentOf(one, t);
    return (text || file?.name) + one.createdAt.slice(0, 16);
  }));
  const isHeard = (one: Outgoing) => one.state === "sending" && heard.has(one.text + one.at.slice(0, 16));
  return (
    <div className="lines-of" ref={frame} onScroll={follow} role="log" aria-label={t("messages", { name })} tabIndex={0}>
      {pages.more ? (
        <button type="button" className="button small" disabled={pages.state === "loading"} onClick={pages.next}>
          {t("earlier")}
        </button>
      ) : (
        <p className="quiet">{t("beginning")}</p>
      )}
      {days.map(({ day, some }) => (
        <section key={day}>
          <h3 className="day">{day}</h3>
          <ol>
            {some.map((one) => (
              <Line key={one.id} message={one} />
            ))}
          </ol>
        </section>
      ))}
      <ol>
        {outgoing.filter((one) => !isHeard(one)).map((one) => (
          <OutgoingLine key={one.key} one={one} sending={sending} />
        ))}
      </ol>
    </div>
  );
}

function Line({ message }: { message: Message }) {
  const t = useTexts(TEXTS);
  const { text, file } = contentOf(message, t);
  const ours = message.direction === "OUTBOUND";
  const reason = message.status === "FAILED" && (message.failure ?? message.lastError);
  return (
    <li className={ours ? "line ours" : "line"} data-status={message.status}>
      {file && <FileLine file={file} />}
      {text && <p className="line-text">{text}</p>}
      <p className="line-foot">
        {ours && message.sentByName}
        <time dateTime={message.createdAt}>{atTime(message.createdAt)}</time>
        {ours && <Badge of={message.status} />}
      </p>
      {reason && <p className="line-foot">{t("failedBecause", { reason: words(reason) })}</p>}
    </li>
  );
}

/** Pictures, sound and film are shown in place; everything else is opened, or saved. */
function FileLine({ file }: { file: File }) {
  const t = useTexts(TEXTS);
  const { url, shown } = file;
  return (
    <>
      {url && shown === "image" && (
        <a href={url} target="_blank" rel="noopener" aria-label={t("openFile", { name: file.name })}>
          <img className="line-picture" src={url} alt={file.name} loading="lazy" />
        </a>
      )}
      {url && shown === "audio" && <audio className="line-sound" controls preload="none" src={url} aria-label={file.name} />}
      {url && shown === "video" && <video className="line-picture" controls preload="metadata" src={url} aria-label={file.name} />}
      <p className="line-file">
        <Icon name="file" size={20} />
        <span>
          {url ? (
            <a href={url} target="_blank" rel="noopener">
              {file.name}
            </a>
          ) : (
            <b>{file.name}</b>
          )}
          {file.facts && <small>{file.facts}</small>}
        </span>
      </p>
    </>
  );
}

function OutgoingLine({ one, sending }: { one: Outgoing; sending: Sending }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  return (
    <li className="line ours going" data-status={one.state}>
      <p className="line-text">{one.text}</p>
      {one.state === "sending" && <p className="line-foot">{t("sending")}</p>}
      {one.state !== "sending" && (
        <>
          <p className="line-foot">
            <span role="alert">{one.state === "waiting" ? t("waiting") : joined(t("unsent"), one.refusal && said(one.refusal).sentence)}</span>
          </p>
          <p className="row end">
            <button type="button" className="button small" onClick={() => sending.discard(one.key)}>
              {t("discard")}
            </button>
            <button type="button" className="button small" onClick={() => sending.retry(one.key)}>
              {t("retry")}
            </button>
          </p>
        </>
      )}
    </li>
  );
}
