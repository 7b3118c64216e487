import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, usePages } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { ScreenHead } from "../../ui/parts";
import { Bones, Empty, Failed } from "../../ui/states";
import { atTime, dayOf, initials, joined, number, phone, words } from "../../ui/format";
import { contentOf, type Message, pairOf, windowAfter } from "./content";
import { CONVERSATIONS, TOLD } from "./documents";
import { useSending } from "./sending";
import { TEXTS } from "./texts";
import { Thread } from "./Thread";
import "./conversations.css";

type Data = ResultOf<typeof CONVERSATIONS>;
type Row = NonNullable<Data["conversations"]>["nodes"][number];

/** In the address: which conversations are listed, and the one that is open. */
interface Search {
  janela?: string;
  contato?: string;
  de?: string;
}

/** The row with what was told since it was read. */
function brought(row: Row, told: readonly Message[]): Row {
  let now = row;
  for (const one of told) {
    const last = now.lastMessage;
    if (last?.id === one.id) {
      if (one.updatedAt >= last.updatedAt) now = { ...now, lastMessage: one };
    } else if (!last || one.createdAt > last.createdAt) {
      const inbound = one.direction === "INBOUND";
      now = {
        ...now,
        lastMessage: one,
        unread: inbound ? now.unread + 1 : 0,
        ...(inbound && { lastInboundAt: one.createdAt, windowEndsAt: windowAfter(one.createdAt) }),
      };
    }
  }
  return now;
}

export function Conversations() {
  const t = useTexts(TEXTS);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [told, setTold] = useState<ReadonlyMap<string, Message>>(new Map());
  const filter = search.janela ? { windowOpen: search.janela === "aberta" } : {};
  const pages = usePages(CONVERSATIONS, { filter }, (data: Data) => data.conversations);
  const hear = useCallback(
    (one: Message) =>
      setTold((before) => {
        const known = before.get(one.id);
        return known && known.updatedAt > one.updatedAt ? before : new Map(before).set(one.id, one);
      }),
    [],
  );
  const sending = useSending(hear);
  useLive(TOLD, {}, ({ messageChanged: one }) => {
    if (one.__typename !== "ConversationMessage" || !one.contactId) return;
    hear(one);
    if (one.direction === "INBOUND" && !pages.rows.some((row) => pairOf(row) === pairOf(one))) pages.again();
  });

  const rows = useMemo(() => {
    const byPair = new Map<string, Message[]>();
    for (const one of [...told.values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
      byPair.set(pairOf(one), [...(byPair.get(pairOf(one)) ?? []), one]);
    }
    return pages.rows
      .map((row) => brought(row, byPair.get(pairOf(row)) ?? []))
      .sort((one, other) => (one.lastInboundAt > other.lastInboundAt ? -1 : one.lastInboundAt < other.lastInboundAt ? 1 : 0));
  }, [pages.rows, told]);
  const opened = search.contato && search.de ? { contactId: search.contato, senderId: search.de } : null;
  const pair = opened && `${opened.contactId} ${opened.senderId}`;
  const unread = rows.reduce((sum, one) => sum + (one.unread > 0 ? 1 : 0), 0);

  return (
    <div className="screen inbox-screen">
      <ScreenHead title={t("title")} unread={unread}>
        <select
          aria-label={t("window")}
          className="kinds"
          value={search.janela ?? ""}
          onChange={(event) => void navigate({ to: "/conversas", search: { ...search, janela: event.target.value || undefined } as never })}
        >
          <option value="">{t("all")}</option>
          <option value="aberta">{t("open")}</option>
          <option value="fechada">{t("closed")}</option>
        </select>
      </ScreenHead>
      <div className={`inbox card${opened ? " opened" : ""}`}>
        <nav className="inbox-list" aria-label={t("list")}>
          {pages.state === "failed" && !rows.length && pages.refusal && <Failed refusal={pages.refusal} again={pages.again} />}
          {pages.state === "loading" && !rows.length && <Bones lines={12} />}
          {pages.state === "there" && !rows.length && (
            <Empty icon="chat" title={t("nobody")}>
              <p>{t("nobodySentence")}</p>
            </Empty>
          )}
          <ul>
            {rows.map((row) => (
              <li key={pairOf(row)}>
                <Link
                  to="/conversas"
                  search={{ ...search, contato: row.contactId, de: row.numberId ?? row.instagramAccountId } as never}
                  className="inbox-row"
                  aria-current={pairOf(row) === pair ? "true" : undefined}
                >
                  <RowContent row={row} />
                </Link>
              </li>
            ))}
          </ul>
          {pages.more && (
            <button type="button" className="button" onClick={pages.next}>
              {t("more")}
            </button>
          )}
        </nav>
        <div className="inbox-thread">
          {opened && pair ? (
            <Thread key={pair} {...opened} told={told} sending={sending} />
          ) : (
            <Empty icon="chat" title={t("choose")}>
              <p>{t("chooseSentence")}</p>
            </Empty>
          )}
        </div>
      </div>
    </div>
  );
}

function RowContent({ row }: { row: Row }) {
  const t = useTexts(TEXTS);
  const last = row.lastMessage;
  const at = last?.createdAt ?? row.lastInboundAt;
  const today = new Date(at).toDateString() === new Date().toDateString();
  const content = last && contentOf(last, t);
  const name = row.contact?.name ?? phone(row.contact?.phone);
  return (
    <>
      <span className="avatar" aria-hidden="true">
        {initials(row.contact?.name)}
      </span>
      <span>
        <span className="inbox-name">
          <b>{name}</b>
          <time dateTime={at}>{today ? atTime(at) : dayOf(at)}</time>
        </span>
        <span className="inbox-name">
          <span className="cut">
            {last?.direction === "OUTBOUND" && t("you")}
            {content && joined(content.file?.name, content.text)}
          </span>
          {row.unread > 0 && (
            <span className="badge good" title={t("unread", { count: row.unread })}>
              {number(row.unread)}
              <span className="unseen"> {t("unread", { count: "" })}</span>
            </span>
          )}
          {row.channel !== "WHATSAPP" && <span className="badge">{words(row.channel)}</span>}
        </span>
      </span>
    </>
  );
}
