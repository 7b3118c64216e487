import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask, ShownOnce } from "../../ui/asking";
import { joined, number, since, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { Empty, Shown } from "../../ui/states";
import { BIND_TOLD, CHANGE_SMPP, CREATE_SMPP, END_BIND, REPLAY_SMPP, REVOKE_SMPP, ROTATE_SMPP, SMPP } from "./documents";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof SMPP>;
type Account = NonNullable<Data["smppAccounts"]>["nodes"][number];
type Doing = { what: "new" } | { what: "change" | "rotate" | "revoke"; account: Account } | { what: "shown"; name: string; password: string };

const ROUTES = ["PREMIUM", "OTP", "LA_DEDICADA"] as const;
const THROTTLES = ["REFUSE", "PACE"] as const;
const CHARSETS = ["GSM", "LATIN1", "ASCII"] as const;

export function Smpp({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead(SMPP, {});
  const again = read.state === "there" ? read.again : () => {};
  useLive(BIND_TOLD, {}, again);
  const close = () => setDoing(null);
  const shown = (name: string, password: string) => {
    again();
    setDoing({ what: "shown", name, password });
  };
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        <button type="button" className="button main" onClick={() => setDoing({ what: "new" })}>
          <Icon name="plus" size={17} /> {t("newSmpp")}
        </button>
      </ScreenHead>
      {tabs}
      <Shown of={read}>
        {({ smppAccounts, smppOutbox }) => (
          <>
            {smppAccounts?.nodes.length ? (
              smppAccounts.nodes.map((one) => <AccountCard key={one.id} of={one} act={(what) => setDoing({ what, account: one })} again={again} />)
            ) : (
              <section className="card" aria-labelledby="smpp">
                <header>
                  <h2 id="smpp">{t("smppAccounts")}</h2>
                </header>
                <Empty icon="code" title={t("noSmpp")}>
                  <p>{t("noSmppSentence")}</p>
                </Empty>
              </section>
            )}
            <Outbox of={smppOutbox?.nodes ?? []} accounts={smppAccounts?.nodes ?? []} again={again} />
          </>
        )}
      </Shown>
      {(doing?.what === "new" || doing?.what === "change") && <AccountForm of={doing.what === "change" ? doing.account : undefined} close={close} made={shown} done={again} />}
      {doing?.what === "rotate" && <Rotate of={doing.account} close={close} made={shown} />}
      {doing?.what === "revoke" && <Revoke of={doing.account} close={close} done={again} />}
      {doing?.what === "shown" && <ShownOnce title={t("passwordOf", { name: doing.name })} value={doing.password} note={t("passwordNote")} close={close} />}
    </div>
  );
}

function AccountCard({ of, act, again }: { of: Account; act: (what: "change" | "rotate" | "revoke") => void; again: () => void }) {
  const t = useTexts(TEXTS);
  const [end, ending] = useWrite(END_BIND);
  async function stop(id: string) {
    const { refusal } = await end({ id });
    toast(refusal ? refusal.sentence : t("bindEnded"));
    again();
  }
  const title = `smpp-${of.id}`;
  return (
    <section className="card" aria-labelledby={title}>
      <header>
        <h2 id={title}>
          {of.systemId} <Badge of={of.revokedAt ? "REVOGADA" : "ATIVA"} /> <span className="tag">{t(of.env)}</span>
        </h2>
        {!of.revokedAt && (
          <div className="row">
            <button type="button" className="button bare small" aria-label={t("changeName", { name: of.systemId })} onClick={() => act("change")}>{t("change")}</button>
            <button type="button" className="button bare small" aria-label={t("rotatePassword", { name: of.systemId })} onClick={() => act("rotate")}>{t("rotate")}</button>
            <button type="button" className="button bare small" aria-label={t("revokeName", { name: of.systemId })} onClick={() => act("revoke")}>{t("revoke")}</button>
          </div>
        )}
      </header>
      <div className="inside form">
        <p className="quiet">
          {joined(words(of.route), t("bindCount", { count: number(of.binds.length), most: number(of.maxBinds) }), t("window", { count: number(of.window) }), t(of.throttle), of.charset, of.ips?.join(", ") ?? t("anywhere"))}
        </p>
        <p className={of.outbox.waiting ? "notice" : "quiet"}>{of.outbox.waiting ? t("waits", { count: number(of.outbox.waiting), since: of.outbox.oldestAt ? since(of.outbox.oldestAt) : "" }) : t("nothingWaits")}</p>
        {of.binds.length > 0 && (
          <table className="sheet">
            <thead>
              <tr>
                <th scope="col">{t("bind")}</th>
                <th scope="col" className="wide">{t("opened")}</th>
                <th scope="col" className="num">{t("submits")}</th>
                <th scope="col" className="num">{t("taken")}</th>
                <th scope="col"><span className="unseen">{t("actions")}</span></th>
              </tr>
            </thead>
            <tbody>
              {of.binds.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    {t(one.mode)}
                    <small className="code">{one.peer}</small>
                  </th>
                  <td className="wide">
                    {since(one.openedAt)}
                    {one.heardAt && <small>{t("heard", { when: since(one.heardAt) })}</small>}
                  </td>
                  <td className="num">{number(one.submits)}</td>
                  <td className="num">{number(one.deliveries)}</td>
                  <td>
                    <div className="acts">
                      <button type="button" className="button bare small" disabled={ending} aria-label={t("endBind", { peer: one.peer })} onClick={() => void stop(one.id)}>{t("end")}</button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

/** Receipts and replies that no client has taken yet. */
function Outbox({ of, accounts, again }: { of: NonNullable<Data["smppOutbox"]>["nodes"]; accounts: readonly Account[]; again: () => void }) {
  const t = useTexts(TEXTS);
  const [replay, busy] = useWrite(REPLAY_SMPP);
  async function run(accountId: string) {
    const { data, refusal } = await replay({ input: { accountId } });
    toast(refusal ? refusal.sentence : t("replayDue", { count: number(data?.replaySmppOutbox?.due ?? 0) }));
    again();
  }
  const names = new Map(accounts.map((one) => [one.id, one.systemId]));
  const waiting = [...new Set(of.map((one) => one.accountId))];
  return (
    <section className="card" aria-labelledby="outbox">
      <header>
        <h2 id="outbox">{t("outbox")}</h2>
        <div className="row">
          {waiting.map((id) => (
            <button key={id} type="button" className="button small" disabled={busy} onClick={() => void run(id)}>
              {t("replayOf", { name: names.get(id) ?? id })}
            </button>
          ))}
        </div>
      </header>
      <div className="inside">
        {of.length === 0 ? (
          <p className="quiet">{t("outboxEmpty")}</p>
        ) : (
          <table className="sheet">
            <thead>
              <tr>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("account")}</th>
                <th scope="col">{t("state")}</th>
                <th scope="col" className="wide num">{t("attempts")}</th>
                <th scope="col" className="wide">{t("next")}</th>
              </tr>
            </thead>
            <tbody>
              {of.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    {t(one.kind)}
                    <small className="code">{one.messageId}</small>
                  </th>
                  <td>{names.get(one.accountId) ?? one.accountId}</td>
                  <td><Badge of={one.status}>{t(one.status)}</Badge></td>
                  <td className="wide num">{number(one.attempts)}</td>
                  <td className="wide">{one.dueAt ? since(one.dueAt) : "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

interface Fields {
  systemId: string;
  env: string;
  route: string;
  ips: string;
  maxBinds: string;
  window: string;
  throttle: string;
  charset: string;
}

function AccountForm({ of, close, made, done }: { of: Account | undefined; close: () => void; made: (name: string, password: string) => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const { env } = useSession();
  const [fields, setFields, clear] = useDraft<Fields>(`developer.smpp.${of?.id ?? "new"}`, {
    systemId: of?.systemId ?? "",
    env: of?.env ?? (env === "live" ? "LIVE" : "TEST"),
    route: of?.route ?? "PREMIUM",
    ips: of?.ips?.join(", ") ?? "",
    maxBinds: String(of?.maxBinds ?? 4),
    window: String(of?.window ?? 100),
    throttle: of?.throttle ?? "REFUSE",
    charset: of?.charset ?? "GSM",
  });
  const [create, creating] = useWrite(CREATE_SMPP);
  const [change, changing] = useWrite(CHANGE_SMPP);
  const put = (part: Partial<Fields>) => setFields({ ...fields, ...part });
  async function run() {
    const ips = fields.ips.split(",").map((one) => one.trim()).filter(Boolean);
    const input = {
      route: fields.route as "PREMIUM",
      ips: ips.length ? ips : null,
      maxBinds: Number(fields.maxBinds),
      window: Number(fields.window),
      throttle: fields.throttle as "PACE",
      charset: fields.charset as "GSM",
    };
    if (of) {
      const { refusal } = await change({ id: of.id, input });
      if (refusal) return refusal;
      toast(t("smppChanged"));
      done();
      close();
    } else {
      const { ips: some, ...rest } = input;
      const { data, refusal } = await create({ input: { systemId: fields.systemId, env: fields.env as "TEST", ...rest, ...(some && { ips: some }) } });
      if (refusal || !data.createSmppAccount) return refusal;
      made(data.createSmppAccount.systemId, data.createSmppAccount.password);
    }
    clear();
    return null;
  }
  const choice = (key: "env" | "route" | "throttle" | "charset", label: string, all: readonly string[], wrong: string | undefined) => (
    <Field label={label} wrong={wrong}>
      {(props) => (
        <select {...props} value={fields[key]} onChange={(event) => put({ [key]: event.target.value })}>
          {all.map((one) => (
            <option key={one} value={one}>
              {one in TEXTS ? t(one as "LIVE") : words(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <Ask title={of ? t("changeName", { name: of.systemId }) : t("newSmpp")} note={t("smppNote")} confirm={t(of ? "change" : "create")} busy={creating || changing} run={run} close={() => (clear(), close())} wide>
      {(wrong) => (
        <>
          {!of && (
            <div className="pair">
              <Field label="system_id" hint={t("systemIdHint")} wrong={wrong("systemId")}>
                {(props) => <input {...props} value={fields.systemId} maxLength={15} autoComplete="off" spellCheck={false} onChange={(event) => put({ systemId: event.target.value })} />}
              </Field>
              {choice("env", t("env"), ["TEST", "LIVE"], wrong("env"))}
            </div>
          )}
          <Field label={t("ips")} hint={t("smppIpsHint")} wrong={wrong("ips")}>
            {(props) => <input {...props} value={fields.ips} autoComplete="off" spellCheck={false} onChange={(event) => put({ ips: event.target.value })} />}
          </Field>
          <div className="pair">
            {choice("route", t("route"), ROUTES, wrong("route"))}
            {choice("charset", t("charset"), CHARSETS, wrong("charset"))}
            <Field label={t("maxBinds")} wrong={wrong("maxBinds")}>{(props) => <input {...props} type="number" min={1} value={fields.maxBinds} onChange={(event) => put({ maxBinds: event.target.value })} />}</Field>
            <Field label={t("windowLabel")} wrong={wrong("window")}>{(props) => <input {...props} type="number" min={1} value={fields.window} onChange={(event) => put({ window: event.target.value })} />}</Field>
            {choice("throttle", t("throttle"), THROTTLES, wrong("throttle"))}
          </div>
        </>
      )}
    </Ask>
  );
}

function Rotate({ of, close, made }: { of: Account; close: () => void; made: (name: string, password: string) => void }) {
  const t = useTexts(TEXTS);
  const [hours, setHours] = useState("24");
  const [rotate, busy] = useWrite(ROTATE_SMPP);
  async function run() {
    const { data, refusal } = await rotate({ id: of.id, input: { overlapHours: Number(hours) } });
    if (refusal || !data.rotateSmppAccount) return refusal;
    made(of.systemId, data.rotateSmppAccount.password);
    return null;
  }
  return (
    <Ask title={t("rotatePassword", { name: of.systemId })} note={t("rotatePasswordNote")} confirm={t("rotate")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <Field label={t("overlap")} wrong={wrong("overlapHours")}>
          {(props) => <input {...props} type="number" min={0} value={hours} onChange={(event) => setHours(event.target.value)} />}
        </Field>
      )}
    </Ask>
  );
}

function Revoke({ of, close, done }: { of: Account; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [revoke, busy] = useWrite(REVOKE_SMPP);
  async function run() {
    const { refusal } = await revoke({ id: of.id });
    if (refusal) return refusal;
    toast(t("smppRevoked"));
    done();
    close();
    return null;
  }
  return <Ask title={t("revokeName", { name: of.systemId })} note={t("revokeSmppNote")} confirm={t("revoke")} bad busy={busy} run={run} close={close} />;
}
