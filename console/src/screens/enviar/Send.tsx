import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useLive, useRead, useSettled } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Dialog, ScreenHead } from "../../ui/parts";
import { Bones, Empty, Shown, useSaid } from "../../ui/states";
import { initials, joined, phone } from "../../ui/format";
import { forgetDraft } from "../../ui/memory";
import { PEOPLE, RECIPIENT, SENT_CHANGED } from "./documents";
import { draftOf } from "./letter";
import { type Sending, useSendingOnce } from "./sending";
import { SentMessage } from "./SentMessage";
import { TEXTS } from "./texts";
import { Write } from "./Write";
import "./send.css";

/** Whom it is for, and the message that was sent, are in the address. */
interface Search {
  contato?: string;
  mensagem?: string;
}

export function Send() {
  const { contato, mensagem } = useSearch({ strict: false }) as Search;
  const { account, env } = useSession();
  const navigate = useNavigate();
  const sending = useSendingOnce((id, contactId) => {
    forgetDraft(draftOf(account.id, env, contactId));
    void navigate({ to: "/enviar", search: { contato: contactId, mensagem: id } as never });
  });
  // Before it is sent: a state that follows at once is not missed.
  useLive(SENT_CHANGED, { contactId: contato ?? "" }, () => {}, { pause: !contato });
  if (sending.outgoing && sending.outgoing.state !== "refused") return <OnItsWay sending={sending} />;
  if (mensagem) return <SentMessage key={mensagem} id={mensagem} contactId={contato} />;
  if (contato) return <To key={contato} id={contato} sending={sending} />;
  return <Whom />;
}

function Whom() {
  const t = useTexts(TEXTS);
  const [text, setText] = useState("");
  const q = useSettled(text.trim(), 300);
  const read = useRead(PEOPLE, { filter: q ? { q } : {} });
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      <section className="card" aria-labelledby="who">
        <header>
          <h2 id="who">{t("who")}</h2>
        </header>
        <div className="inside form">
          <input type="search" aria-label={t("search")} placeholder={t("search")} value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" spellCheck={false} />
          <Shown of={read}>
            {({ contacts }) => (
              <>
                {contacts?.warnings?.some((one) => one.includes("pii_full")) && <p className="notice">{t("noQ")}</p>}
                {contacts && !contacts.nodes.length && (
                  <Empty icon="people" title={t(q ? "noFit" : "none")}>
                    <p>{t(q ? "noFitSentence" : "noneSentence")}</p>
                    <Link to="/contatos" className="button">
                      {t("toContacts")}
                    </Link>
                  </Empty>
                )}
                {contacts && contacts.nodes.length > 0 && (
                  <ul className="send-people" aria-label={t("people")}>
                    {contacts.nodes.map((one) => (
                      <li key={one.id}>
                        <Link to="/enviar" search={{ contato: one.id } as never}>
                          <span className="avatar" aria-hidden="true">
                            {initials(one.name)}
                          </span>
                          <span>
                            {one.name ?? phone(one.phone)}
                            <small>{joined(one.name && phone(one.phone), one.email)}</small>
                          </span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                )}
              </>
            )}
          </Shown>
        </div>
      </section>
    </div>
  );
}

/** Somebody was chosen. */
function To({ id, sending }: { id: string; sending: Sending }) {
  const t = useTexts(TEXTS);
  const read = useRead(RECIPIENT, { id });
  const contact = read.state === "there" ? read.data.contact : null;
  return (
    <div className="screen">
      <p>
        <Link to="/enviar" className="back">
          <Icon name="back" size={17} /> {t("change")}
        </Link>
      </p>
      <ScreenHead title={contact ? t("titleTo", { name: contact.name ?? phone(contact.phone) }) : t("title")}>
        {contact && (
          <Link to={"/contatos/$id" as never} params={{ id } as never} className="button">
            {t("see")}
          </Link>
        )}
      </ScreenHead>
      <Shown of={read} bones={<Bones lines={8} />}>
        {(data) =>
          data.contact ? (
            <Write data={data} contact={data.contact} sending={sending} />
          ) : (
            <div className="card">
              <Empty icon="people" title={t("gone")}>
                <p>{t("goneSentence")}</p>
              </Empty>
            </div>
          )
        }
      </Shown>
    </div>
  );
}

/** What the service has not settled yet. Nothing else is sent meanwhile. */
function OnItsWay({ sending }: { sending: Sending }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  const { env } = useSession();
  const [asked, setAsked] = useState(false);
  const { name, text, order, refusal } = sending.outgoing!;
  const isWaiting = sending.outgoing!.state === "waiting";
  return (
    <div className="screen">
      <ScreenHead title={t("titleTo", { name })} />
      {env === "test" && <p className="notice blue">{t("sandbox")}</p>}
      <section className="card" aria-busy={!isWaiting} data-going={sending.outgoing!.state}>
        <div className="inside form">
          <p className="bubble send-text">{text || order.by}</p>
          <div role="status">{isWaiting ? <b>{t("waiting")}</b> : t("sending")}</div>
          {isWaiting && (
            <>
              <div className="notice">
                {t("waitingSentence", { name })}
                {refusal && refusal.kind === "other" && <small>{joined(said(refusal).sentence, refusal.requestId)}</small>}
              </div>
              <div className="row end">
                <button type="button" className="button" onClick={() => setAsked(true)}>
                  {t("giveUp")}
                </button>
                <button type="button" className="button main" onClick={sending.retry}>
                  {t("again")}
                </button>
              </div>
            </>
          )}
        </div>
      </section>
      {asked && (
        <Dialog title={t("giveUpTitle")} close={() => setAsked(false)}>
          <div className="form">
            <p>{t("giveUpSentence")}</p>
            <div className="row end">
              <button type="button" className="button bad" onClick={sending.forget}>
                {t("giveUp")}
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
