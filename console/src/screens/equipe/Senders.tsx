import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask } from "../../ui/asking";
import { atMoment, onDate, since, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { language, useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { Empty, Shown } from "../../ui/states";
import { CREATE_SENDER, DELETE_SENDER, LIFT, SENDERS, VERIFY_SENDER } from "./documents";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof SENDERS>;
type Sender = NonNullable<Data["emailSenders"]>["nodes"][number];
type Doing = { what: "new" } | { what: "verify" | "remove"; sender: Sender; code?: string } | { what: "lift"; to: string };

/** Whom e-mails come from, and whom they do not go to any more; how SMS and RCS name their sender. */
export function Senders({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead(SENDERS, {});
  const again = read.state === "there" ? read.again : () => {};
  const close = () => setDoing(null);
  const mayWrite = may("email:send");
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {mayWrite && (
          <button type="button" className="button main" onClick={() => setDoing({ what: "new" })}>
            <Icon name="plus" size={17} /> {t("newSender")}
          </button>
        )}
      </ScreenHead>
      {tabs}
      <Shown of={read}>
        {({ emailSenders, emailSuppressions }) => (
          <div className="halves">
            <section className="card" aria-labelledby="senders">
              <header>
                <h2 id="senders">{t("emailSenders")}</h2>
              </header>
              <div className="inside">
                {emailSenders?.nodes.length ? (
                  <ul className="items">
                    {emailSenders.nodes.map((one) => (
                      <li key={one.id}>
                        <SenderLine of={one} />
                        {mayWrite && (
                          <div className="acts">
                            {one.status === "PENDING" && (
                              <button type="button" className="button small" aria-label={t("verifyOf", { address: one.address })} onClick={() => setDoing({ what: "verify", sender: one })}>
                                {t("verify")}
                              </button>
                            )}
                            <button type="button" className="button bare small" aria-label={t("removeOf", { name: one.address })} onClick={() => setDoing({ what: "remove", sender: one })}>
                              {t("remove")}
                            </button>
                          </div>
                        )}
                      </li>
                    ))}
                  </ul>
                ) : (
                  <Empty icon="out" title={t("noSenders")}>
                    <p>{t("noSendersSentence")}</p>
                  </Empty>
                )}
              </div>
            </section>
            <div className="form">
              <section className="card" aria-labelledby="other-senders">
                <header>
                  <h2 id="other-senders">{t("otherSenders")}</h2>
                </header>
                <dl className="inside facts">
                  <dt>SMS</dt>
                  <dd>{t("smsSender")}</dd>
                  <dt>RCS</dt>
                  <dd>{t("rcsSender")}</dd>
                  <dt>WhatsApp</dt>
                  <dd>{t("whatsappSender")}</dd>
                </dl>
              </section>
              <section className="card" aria-labelledby="suppressed">
                <header>
                  <h2 id="suppressed">{t("suppressed")}</h2>
                </header>
                <div className="inside">
                  {emailSuppressions?.nodes.length ? (
                    <ul className="items">
                      {emailSuppressions.nodes.map((one) => (
                        <li key={one.id}>
                          <span>
                            {one.to ?? t("erasedAddress")}
                            <small>{`${words(one.reason)} · ${onDate(one.createdAt)}`}</small>
                          </span>
                          {mayWrite && may("pii:full") && one.to && (
                            <button type="button" className="button bare small" aria-label={t("liftOf", { address: one.to })} onClick={() => setDoing({ what: "lift", to: one.to! })}>
                              {t("lift")}
                            </button>
                          )}
                        </li>
                      ))}
                    </ul>
                  ) : (
                    <p className="quiet">{t("noSuppressed")}</p>
                  )}
                </div>
              </section>
            </div>
          </div>
        )}
      </Shown>
      {doing?.what === "new" && (
        <NewSender
          close={close}
          made={(sender, code) => {
            again();
            setDoing({ what: "verify", sender, ...(code && { code }) });
          }}
        />
      )}
      {doing?.what === "verify" && <Verify of={doing.sender} code={doing.code} close={close} done={again} />}
      {doing?.what === "remove" && <Remove of={doing.sender} close={close} done={again} />}
      {doing?.what === "lift" && <Lift to={doing.to} close={close} done={again} />}
    </div>
  );
}

function SenderLine({ of }: { of: Sender }) {
  const t = useTexts(TEXTS);
  return (
    <span>
      <b>{of.address}</b> <Badge of={of.status} />
      <small>{of.verifiedAt ? t("verifiedOn", { date: onDate(of.verifiedAt), how: t(of.method) }) : of.expiresAt && t("verifyUntil", { date: atMoment(of.expiresAt) })}</small>
      {of.status === "PENDING" && of.lastCheck && of.checkedAt && <small className="bad-text">{t("lastCheck", { when: since(of.checkedAt), found: t(of.lastCheck) })}</small>}
    </span>
  );
}

function NewSender({ close, made }: { close: () => void; made: (sender: Sender, code: string | null) => void }) {
  const t = useTexts(TEXTS);
  const [address, setAddress, clear] = useDraft("team.sender", "");
  const [create, busy] = useWrite(CREATE_SENDER);
  async function run() {
    const { data, refusal } = await create({ input: { address: address.trim(), language: language.get() === "en" ? "EN" : "PT_BR" } });
    if (refusal || !data.createEmailSender?.emailSender) return refusal;
    clear();
    made(data.createEmailSender.emailSender, data.createEmailSender.sandboxCode);
    return null;
  }
  return (
    <Ask title={t("newSender")} note={t("newSenderNote")} confirm={t("ask")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <Field label={t("address")} hint={t("addressHint")} wrong={wrong("address")}>
          {(props) => <input {...props} type="text" value={address} autoComplete="off" spellCheck={false} onChange={(event) => setAddress(event.target.value)} />}
        </Field>
      )}
    </Ask>
  );
}

/** A domain shows a TXT record, an address the code of a letter. */
function Verify({ of, code: known, close, done }: { of: Sender; code: string | undefined; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [code, setCode] = useState("");
  const [found, setFound] = useState<Sender | null>(null);
  const [verify, busy] = useWrite(VERIFY_SENDER);
  const byRecord = of.method === "DNS";
  async function run() {
    const { data, refusal } = await verify({ id: of.id, input: byRecord ? {} : { code: code.trim() } });
    if (refusal) return refusal;
    done();
    const now = data.verifyEmailSender;
    if (now?.status === "VERIFIED") {
      toast(t("isVerified", { address: now.address }));
      close();
    } else setFound(now);
    return null;
  }
  return (
    <Ask title={t("verifyOf", { address: of.address })} note={t(byRecord ? "recordNote" : "codeNote")} confirm={t("verify")} busy={busy} run={run} close={close} wide={byRecord}>
      {(wrong) => (
        <>
          {byRecord ? (
            <dl className="facts">
              <dt>{t("type")}</dt>
              <dd className="code">TXT</dd>
              <dt>{t("recordName")}</dt>
              <dd className="code">{of.txtName}</dd>
              <dt>{t("recordValue")}</dt>
              <dd className="code">{of.txtValue}</dd>
            </dl>
          ) : (
            <Field label={t("code")} hint={known ? t("sandboxCode", { code: known }) : undefined} wrong={wrong("code")}>
              {(props) => <input {...props} value={code} inputMode="numeric" autoComplete="one-time-code" onChange={(event) => setCode(event.target.value)} />}
            </Field>
          )}
          <p role="status" className={found ? "notice" : undefined}>
            {found && (found.lastCheck ? t(found.lastCheck) : t("notYet"))}
          </p>
        </>
      )}
    </Ask>
  );
}

function Remove({ of, close, done }: { of: Sender; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [remove, busy] = useWrite(DELETE_SENDER);
  async function run() {
    const { refusal } = await remove({ id: of.id });
    if (refusal) return refusal;
    toast(t("senderRemoved"));
    done();
    close();
    return null;
  }
  return <Ask title={t("removeOf", { name: of.address })} note={t("removeSenderNote")} confirm={t("remove")} bad busy={busy} run={run} close={close} />;
}

function Lift({ to, close, done }: { to: string; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [lift, busy] = useWrite(LIFT);
  async function run() {
    const { refusal } = await lift({ input: { to } });
    if (refusal) return refusal;
    toast(t("lifted"));
    done();
    close();
    return null;
  }
  return <Ask title={t("liftOf", { address: to })} note={t("liftNote")} confirm={t("lift")} busy={busy} run={run} close={close} />;
}
