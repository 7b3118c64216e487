import { Link, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Actions, Badge, Dialog, Field, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty, Refused, Shown } from "../../ui/states";
import { atMoment, initials, joined, money, onDate, phone, since, words } from "../../ui/format";
import { rowsOf } from "./Attributes";
import { EditContact } from "./ContactForm";
import { Tags } from "./Contacts";
import { CLOSE_CHANNEL, CONTACT, OPEN_CHANNEL, REVEAL } from "./documents";
import { PersonalData } from "./PersonalData";
import { Timeline } from "./Timeline";
import { TEXTS } from "./texts";
import "./contacts.css";

export type Contact = NonNullable<ResultOf<typeof CONTACT>["contact"]>;

export function ContactPage() {
  const t = useTexts(TEXTS);
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useRead(CONTACT, { id });
  const again = read.state === "there" ? read.again : () => {};
  return (
    <div className="screen" key={id}>
      <p>
        <Link to="/contatos" className="back">
          <Icon name="back" size={17} /> {t("all")}
        </Link>
      </p>
      <Shown of={read} bones={<Bones lines={10} />}>
        {({ contact }) =>
          contact ? (
            <Person contact={contact} again={again} />
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

function Person({ contact, again }: { contact: Contact; again: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [editing, setEditing] = useState(false);
  const name = contact.name ?? phone(contact.phone);
  return (
    <>
      <div className="person">
        <span className="avatar large" aria-hidden="true">
          {initials(contact.name)}
        </span>
        <div>
          <ScreenHead title={name} />
          <p className="quiet">{joined(contact.name && phone(contact.phone), contact.email, contact.company?.nome)}</p>
        </div>
        <Badge of={contact.optIn.status} />
        {may("messages:send") && (
          <Link to="/enviar" search={{ contato: contact.id } as never} className="button main">
            <Icon name="send" size={16} /> {t("write")}
          </Link>
        )}
        {may("contacts:write") && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            <Icon name="edit" size={16} /> {t("edit")}
          </button>
        )}
      </div>
      <div className="two">
        <Timeline contact={contact} />
        <div>
          <Facts contact={contact} />
          <Channels contact={contact} again={again} />
          {contact.cards && contact.cards.nodes.length > 0 && (
            <section className="card" aria-labelledby="deals">
              <header>
                <h2 id="deals">{t("deals")}</h2>
              </header>
              <ul className="inside lines">
                {contact.cards.nodes.map((one) => (
                  <li key={one.id}>
                    <span>{one.titulo}</span>
                    <span className="quiet">{one.valor !== null && money(one.valor, one.moeda)}</span>
                    <Badge of={one.status} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          <PersonalData id={contact.id} name={contact.name} phone={phone(contact.phone)} />
        </div>
      </div>
      {editing && (
        <EditContact
          id={contact.id}
          before={{
            phone: contact.phone,
            name: contact.name ?? "",
            email: contact.email ?? "",
            externalId: contact.externalId ?? "",
            tags: contact.tags.join(", "),
            attributes: rowsOf(contact.attributes),
          }}
          close={() => setEditing(false)}
        />
      )}
    </>
  );
}

function Facts({ contact }: { contact: Contact }) {
  const t = useTexts(TEXTS);
  const attributes = Object.entries((contact.attributes ?? {}) as Record<string, unknown>);
  const facts: [string, React.ReactNode][] = [
    [t("tags"), contact.tags.length > 0 && <Tags of={contact.tags} />],
    [t("lists"), contact.lists?.length ? contact.lists.map((one) => one.name).join(", ") : null],
    [t("externalId"), contact.externalId],
    [t("source"), words(contact.source)],
    [t("since"), onDate(contact.createdAt)],
    [t("lastWrote"), contact.lastInteractionAt && <time title={atMoment(contact.lastInteractionAt)}>{since(contact.lastInteractionAt)}</time>],
  ];
  return (
    <section className="card" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t("about")}</h2>
      </header>
      <div className="inside">
        <dl className="facts">
          {facts.map(([name, value]) => value && <Fact key={name} name={name} value={value} />)}
          {attributes.map(([name, value]) => (
            <Fact key={`a.${name}`} name={name} value={Array.isArray(value) ? value.join(", ") : String(value)} />
          ))}
        </dl>
        <Documents contact={contact} />
      </div>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** Masked until somebody who may see them asks, which is audited. */
function Documents({ contact }: { contact: Contact }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [reveal, busy] = useWrite(REVEAL);
  const [shown, setShown] = useState<{ cpf: string | null; cnpj: string | null; nascimento: string | null } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const documents = shown ?? contact.documentos;
  if (!documents) return null;
  const rows = [
    ["CPF", documents.cpf],
    ["CNPJ", documents.cnpj],
    [t("birth"), documents.nascimento],
  ].filter(([, value]) => value);
  if (!rows.length) return null;
  return (
    <div className="documents">
      <h3>{t("documents")}</h3>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <Fact key={name} name={name!} value={value} />
        ))}
      </dl>
      <Refused refusal={refusal} />
      {!shown && may("contacts:pii") && (
        <p className="row">
          <button
            type="button"
            className="button small"
            disabled={busy}
            onClick={async () => {
              const { data, refusal: why } = await reveal({ id: contact.id });
              setRefusal(why);
              const found = data?.revealContactDocuments;
              if (found) setShown(found);
            }}
          >
            {t("reveal")}
          </button>
          <span className="quiet">{t("revealNote")}</span>
        </p>
      )}
    </div>
  );
}

const CHANNELS = ["TODOS", "SMS", "RCS", "EMAIL", "WHATSAPP", "PUSH"] as const;
type ConsentChannel = (typeof CHANNELS)[number];

/** Which channels the person closed, with what proves it. */
function Channels({ contact, again }: { contact: Contact; again: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [asked, setAsked] = useState<{ channel: ConsentChannel; open: boolean } | null>(null);
  const closed = new Map((contact.optOuts ?? []).map((one) => [one.canal as string, one]));
  return (
    <section className="card" aria-labelledby="consent">
      <header>
        <h2 id="consent">{t("channels")}</h2>
        <span className="quiet">
          {joined(words(contact.optIn.status), contact.optIn.source, (contact.optIn.at ?? contact.optIn.revokedAt) && onDate((contact.optIn.revokedAt ?? contact.optIn.at)!))}
        </span>
      </header>
      <ul className="inside lines">
        {CHANNELS.map((channel) => {
          const one = closed.get(channel);
          return (
            <li key={channel}>
              <span>
                {words(channel)}
                {one && <small className="quiet">{joined(t("closedSince", { date: onDate(one.em) }), one.origem, one.motivo)}</small>}
              </span>
              <Badge of={one ? "DENIED" : "GRANTED"}>{one ? t("closedSince", { date: "" }).split(" ")[0] : t("openChannel")}</Badge>
              {may("contacts:write") && (
                <button type="button" className="button small" aria-label={t(one ? "reopenTitle" : "closeTitle", { channel: words(channel) })} onClick={() => setAsked({ channel, open: !!one })}>
                  {t(one ? "reopen" : "close")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {asked && (
        <ConsentDialog
          id={contact.id}
          {...asked}
          allClosed={closed.has("TODOS")}
          close={(done) => {
            setAsked(null);
            if (done) again();
          }}
        />
      )}
    </section>
  );
}

function ConsentDialog({
  id,
  channel,
  open,
  allClosed,
  close,
}: {
  id: string;
  channel: ConsentChannel;
  open: boolean;
  allClosed: boolean;
  close: (done: boolean) => void;
}) {
  const t = useTexts(TEXTS);
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [shut, shutting] = useWrite(CLOSE_CHANNEL);
  const [reopen, reopening] = useWrite(OPEN_CHANNEL);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { refusal: why } = open
      ? await reopen({ input: { contactIds: [id], canal: channel, fonte: text, em: new Date().toISOString() } })
      : await shut({ input: { contactIds: [id], canal: channel, ...(text && { motivo: text }) } });
    if (why) return setRefusal(why);
    toast(t(open ? "openNow" : "closedNow"));
    close(true);
  }
  return (
    <Dialog title={t(open ? "reopenTitle" : "closeTitle", { channel: words(channel) })} close={() => close(false)}>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <p>{t(open ? "reopenNote" : "closeNote")}</p>
        {open && allClosed && channel !== "TODOS" && <p className="notice">{t("allFirst")}</p>}
        <Refused refusal={refusal} />
        <Field label={t(open ? "where" : "reason")} hint={open ? t("whereHint") : undefined}>
          {(props) => <input {...props} value={text} required={open} maxLength={200} onChange={(event) => setText(event.target.value)} />}
        </Field>
        <Actions close={() => close(false)}>
          <button type="submit" className={`button ${open ? "main" : "bad"}`} disabled={shutting || reopening}>
            {t(open ? "reopen" : "close")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
