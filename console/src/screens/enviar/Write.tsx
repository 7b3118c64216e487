import type { FormEvent, KeyboardEvent } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Read, useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Field } from "../../ui/parts";
import { Empty, Refused, Shown } from "../../ui/states";
import { atMoment, exactly, joined, onDate, phone, words } from "../../ui/format";
import { scopeSaid } from "../../ui/scopes";
import { filled, isSimple } from "../../ui/template";
import { TemplateFields } from "../../ui/TemplateFields";
import { useAsked } from "./asked";
import { Before, priceOf } from "./Before";
import { TEMPLATES } from "./documents";
import { BLANK, type Channel, CHANNELS, type Contact, type Data, draftOf, fitted, type Kind, type Letter, LONGEST, orderOf, questionOf, SCOPES, usable, windowOf } from "./letter";
import type { Sending } from "./sending";
import { TEXTS } from "./texts";

type Template = NonNullable<ResultOf<typeof TEMPLATES>["templates"]>["nodes"][number];
type T = ReturnType<typeof useTexts<typeof TEXTS>>;

/** Why the person cannot be reached by a channel from here; null: it can. */
function obstacle(channel: Channel, { data, contact, may, t }: { data: Data; contact: Contact; may: (scope: string) => boolean; t: T }): string | null {
  if (!may(SCOPES[channel])) return t("mayNot", { scope: scopeSaid(SCOPES[channel]) });
  if (channel === "WHATSAPP") return usable(data).length ? null : t("noNumber");
  const address = channel === "EMAIL" ? contact.email : contact.phone;
  if (!address) return t(channel === "EMAIL" ? "noEmail" : "noPhone");
  return address.includes("*") ? t("hiddenAddress") : null;
}

/** The channel, the text, what it would cost, and the button. */
export function Write({ data, contact, sending }: { data: Data; contact: Contact; sending: Sending }) {
  const t = useTexts(TEXTS);
  const { may, env, account } = useSession();
  const [kept, keep] = useDraft<Letter>(draftOf(account.id, env, contact.id), BLANK);
  const reached = CHANNELS.filter((one) => obstacle(one, { data, contact, may, t }) === null);
  const letter = fitted(kept, data, reached);
  const templates = useTemplates(letter);
  const { chosen } = templates;
  const isFree = letter.channel !== "WHATSAPP" || windowOf(data, letter.numberId) !== null;
  const variables = chosen ? chosen.variaveis.length : letter.templateId ? null : 0;
  const asked = useAsked(isFree || letter.templateId ? questionOf(letter, contact, variables) : null);
  const isReady = !!asked?.told && asked.told.veredito !== "RECUSADA";
  const outcome = sending.outgoing?.contactId === contact.id ? sending.outgoing.refusal : null;
  function change(part: Partial<Letter>) {
    if (outcome) sending.forget();
    keep({ ...letter, ...part });
  }
  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (!isReady || variables === null) return;
    const text = chosen ? filled(chosen.components, letter.values).map((one) => one.text).join("\n") : letter.text.trim();
    sending.send({ contactId: contact.id, name: contact.name ?? phone(contact.phone), text, order: orderOf(letter, contact, variables) });
  }
  return (
    <form className="halves" noValidate onSubmit={submit}>
      <section className="card" aria-label={t("message")}>
        <div className="inside form">
          {!reached.length && (
            <Empty icon="chat" title={t("noWay")}>
              <p>{t("noWaySentence")}</p>
            </Empty>
          )}
          <Refused refusal={outcome} />
          <Ways {...{ data, contact, letter, change }} />
          {letter.channel && <Words {...{ data, letter, change, isFree, templates, submit }} />}
        </div>
      </section>
      {letter.channel && (
        <section className="card" aria-labelledby="before">
          <header>
            <h2 id="before">{t("before")}</h2>
          </header>
          <div className="inside form">
            {env === "test" && <p className="notice blue">{t("sandbox")}</p>}
            {asked ? <Before asked={asked} text={letter.text} /> : <p className="quiet">{t("writeFirst")}</p>}
            <button type="submit" className="button main" disabled={!isReady}>
              {buttonOf(t, env === "test", asked?.told ? priceOf(asked.told, asked.sms) : null)}
            </button>
          </div>
        </section>
      )}
    </form>
  );
}

const hasKeys = () => matchMedia("(pointer: fine)").matches;

const buttonOf = (t: T, isTest: boolean, price: number | null): string =>
  price ? t(isTest ? "sendTestFor" : "sendFor", { price: exactly(price) }) : t(isTest ? "sendTest" : "send");

interface Part {
  data: Data;
  letter: Letter;
  change: (part: Partial<Letter>) => void;
}

function Ways({ data, contact, letter, change }: Part & { contact: Contact }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const closed = (channel: Channel) => contact.optOuts?.find((one) => one.canal === channel || one.canal === "TODOS");
  return (
    <fieldset>
      <legend>{t("channel")}</legend>
      <div className="send-ways">
        {CHANNELS.map((channel) => {
          const why = obstacle(channel, { data, contact, may, t });
          const out = closed(channel);
          const address = channel === "EMAIL" ? contact.email : phone(contact.phone);
          return (
            <label key={channel}>
              <input type="radio" name="channel" value={channel} checked={letter.channel === channel} disabled={why !== null} onChange={() => change({ channel, templateId: "", values: [] })} />
              <span>
                {words(channel)}
                <small>{why ?? joined(address, out && joined(t("closed"), onDate(out.em)))}</small>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

interface Templates {
  read: Read<ResultOf<typeof TEMPLATES>>;
  all: Template[];
  chosen: Template | undefined;
}

/** Templates of the number that the message leaves from. */
function useTemplates(letter: Letter): Templates {
  const read = useRead(TEMPLATES, { numberId: letter.numberId }, { pause: letter.channel !== "WHATSAPP" || !letter.numberId });
  const all = read.state === "there" ? (read.data.templates?.nodes ?? []).filter((one) => isSimple(one.components)) : [];
  return { read, all, chosen: all.find((one) => one.id === letter.templateId) };
}

function Words({ data, letter, change, isFree, templates, submit }: Part & { isFree: boolean; templates: Templates; submit: (event: KeyboardEvent) => void }) {
  const t = useTexts(TEXTS);
  const { channel } = letter;
  return (
    <>
      {channel === "WHATSAPP" ? (
        <OfConversation {...{ data, letter, change, isFree, templates }} />
      ) : (
        <Field label={t("kind")} hint={t(`${letter.kind}Hint`)}>
          {(props) => (
            <select {...props} value={letter.kind} onChange={(event) => change({ kind: event.target.value as Kind })}>
              {(["marketing", "transacional"] as const).map((one) => (
                <option key={one} value={one}>
                  {t(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {channel === "EMAIL" && <OfEmail {...{ data, letter, change }} />}
      {!letter.templateId && isFree && channel && (
        <Field label={t("text")} hint={joined(channel === "RCS" && t("rcsHint"), hasKeys() && t("textHint"))}>
          {(props) => (
            <textarea
              {...props}
              rows={channel === "EMAIL" ? 9 : 5}
              maxLength={LONGEST[channel]}
              value={letter.text}
              onChange={(event) => change({ text: event.target.value })}
              onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit(event)}
            />
          )}
        </Field>
      )}
    </>
  );
}

function OfEmail({ data, letter, change }: Part) {
  const t = useTexts(TEXTS);
  const senders = (data.emailSenders?.nodes ?? []).filter((one) => !one.address.startsWith("@"));
  return (
    <>
      {senders.length > 1 && (
        <Field label={t("from")}>
          {(props) => (
            <select {...props} value={letter.from} onChange={(event) => change({ from: event.target.value })}>
              <option value="">{t("fromFirst")}</option>
              {senders.map((one) => (
                <option key={one.id}>{one.address}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={t("subject")}>{(props) => <input {...props} maxLength={998} value={letter.subject} onChange={(event) => change({ subject: event.target.value })} />}</Field>
    </>
  );
}

/** The number, its window, and its templates. */
function OfConversation({ data, letter, change, isFree, templates }: Part & { isFree: boolean; templates: Templates }) {
  const t = useTexts(TEXTS);
  const until = windowOf(data, letter.numberId);
  return (
    <>
      <Field label={t("number")}>
        {(props) => (
          <select {...props} value={letter.numberId} onChange={(event) => change({ numberId: event.target.value, templateId: "", values: [] })}>
            {usable(data).map((one) => (
              <option key={one.id} value={one.id}>
                {phone(one.displayPhone)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p className={until ? "quiet" : "notice"}>{until ? t("windowOpen", { moment: atMoment(until) }) : t("windowClosed")}</p>
      <Shown of={templates.read}>
        {() =>
          templates.all.length ? (
            <Field label={t("template")}>
              {(props) => (
                <select {...props} value={letter.templateId} onChange={(event) => change({ templateId: event.target.value, values: [] })}>
                  <option value="">{t(isFree ? "freeText" : "pick")}</option>
                  {templates.all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {joined(one.name, one.language.replace("_", "-"))}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : (
            <p className="quiet">{t("noTemplates")}</p>
          )
        }
      </Shown>
      {templates.chosen && <TemplateFields template={templates.chosen} values={letter.values} change={(values) => change({ values })} />}
    </>
  );
}
