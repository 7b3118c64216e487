import { type ReactNode, useId, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask, ShownOnce } from "../../ui/asking";
import { onDate, since } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { scopeName } from "../../ui/scopes";
import { Empty, Shown } from "../../ui/states";
import { CREATE_KEY, KEYS, REVOKE_KEY, ROTATE_KEY } from "./documents";
import { TEXTS } from "./texts";

type Key = NonNullable<ResultOf<typeof KEYS>["apiKeys"]>["nodes"][number];
type Env = "LIVE" | "TEST";
type Doing = { what: "create" } | { what: "rotate" | "revoke"; key: Key } | { what: "shown"; name: string; secret: string };

/** What only a person may do: no key can hold these. */
const OF_PEOPLE = new Set(["contacts:pii", "keys:manage", "accounts:manage"]);

export function Keys({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const [env, setEnv] = useState<Env | "">("");
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead(KEYS, { filter: env ? { env } : {} });
  const again = read.state === "there" ? read.again : () => {};
  const close = () => setDoing(null);
  const shown = (name: string) => (secret: string) => {
    again();
    setDoing({ what: "shown", name, secret });
  };
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        <button type="button" className="button main" onClick={() => setDoing({ what: "create" })}>
          <Icon name="plus" size={17} /> {t("newKey")}
        </button>
      </ScreenHead>
      {tabs}
      <section className="card" aria-labelledby="keys">
        <header>
          <h2 id="keys">{t("keys")}</h2>
          <select className="kinds" aria-label={t("env")} value={env} onChange={(event) => setEnv(event.target.value as Env | "")}>
            <option value="">{t("allKeys")}</option>
            <option value="LIVE">{t("LIVE")}</option>
            <option value="TEST">{t("TEST")}</option>
          </select>
        </header>
        <div className="inside">
          <Shown of={read}>
            {({ apiKeys }) =>
              apiKeys?.nodes.length ? (
                <table className="sheet">
                  <thead>
                    <tr>
                      <th scope="col">{t("name")}</th>
                      <th scope="col" className="wide">{t("env")}</th>
                      <th scope="col" className="wide">{t("permissions")}</th>
                      <th scope="col" className="wide">{t("lastUsed")}</th>
                      <th scope="col">{t("state")}</th>
                      <th scope="col"><span className="unseen">{t("actions")}</span></th>
                    </tr>
                  </thead>
                  <tbody>
                    {apiKeys.nodes.map((one) => (
                      <Line key={one.id} of={one} act={(what) => setDoing({ what, key: one })} />
                    ))}
                  </tbody>
                </table>
              ) : (
                <Empty icon="lock" title={t("noKeys")}>
                  <p>{t("noKeysSentence")}</p>
                </Empty>
              )
            }
          </Shown>
        </div>
      </section>
      {doing?.what === "create" && <NewKey close={close} made={(name, secret) => shown(name)(secret)} />}
      {doing?.what === "rotate" && <Rotate of={doing.key} close={close} made={shown(doing.key.nome)} />}
      {doing?.what === "revoke" && <Revoke of={doing.key} close={close} done={again} />}
      {doing?.what === "shown" && <ShownOnce title={t("yourKey", { name: doing.name })} value={doing.secret} note={t("keptAsHash")} close={close} />}
    </div>
  );
}

function Line({ of, act }: { of: Key; act: (what: "rotate" | "revoke") => void }) {
  const t = useTexts(TEXTS);
  const count = of.scopes.length;
  return (
    <tr>
      <th scope="row">
        {of.nome}
        <small className="code">{of.prefixo}…</small>
      </th>
      <td className="wide">{t(of.env)}</td>
      <td className="wide">
        <details>
          <summary>{count === 1 ? t("onePermission") : t("permissionCount", { count })}</summary>
          <span className="code">{of.scopes.join(", ")}</span>
        </details>
      </td>
      <td className="wide">
        {of.lastUsedAt ? since(of.lastUsedAt) : t("never")}
        {of.createdBy && <small>{t("madeBy", { name: of.createdBy.name })}</small>}
      </td>
      <td>
        <Badge of={of.status} />
        {of.expiraEm && of.status === "ATIVA" && <small>{onDate(of.expiraEm)}</small>}
      </td>
      <td>
        {of.status === "ATIVA" && (
          <div className="acts">
            <button type="button" className="button bare small" aria-label={t("rotateOf", { name: of.nome })} onClick={() => act("rotate")}>
              {t("rotate")}
            </button>
            <button type="button" className="button bare small" aria-label={t("revokeOf", { name: of.nome })} onClick={() => act("revoke")}>
              {t("revoke")}
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

interface KeyFields {
  nome: string;
  env: Env;
  scopes: string[];
  expires: string;
  ips: string;
}

function NewKey({ close, made }: { close: () => void; made: (name: string, secret: string) => void }) {
  const t = useTexts(TEXTS);
  const { scopes: own, env } = useSession();
  const offered = own.filter((one) => !OF_PEOPLE.has(one));
  const [fields, setFields, clear] = useDraft<KeyFields>("developer.key", { nome: "", env: env === "live" ? "LIVE" : "TEST", scopes: [], expires: "", ips: "" });
  const [create, busy] = useWrite(CREATE_KEY);
  const put = (part: Partial<KeyFields>) => setFields({ ...fields, ...part });
  async function run() {
    const ips = fields.ips.split(",").map((one) => one.trim()).filter(Boolean);
    const { data, refusal } = await create({
      input: {
        nome: fields.nome,
        env: fields.env,
        scopes: fields.scopes,
        ...(fields.expires && { expiraEm: new Date(`${fields.expires}T23:59:59`).toISOString() }),
        ...(ips.length && { ips }),
      },
    });
    if (refusal || !data.createApiKey) return refusal;
    clear();
    made(fields.nome, data.createApiKey.key);
    return null;
  }
  return (
    <Ask title={t("newKey")} confirm={t(busy ? "creating" : "create")} busy={busy} run={run} close={close} wide>
      {(wrong) => (
        <>
          <Field label={t("name")} hint={t("nameHint")} wrong={wrong("nome")}>
            {(props) => <input {...props} value={fields.nome} autoComplete="off" onChange={(event) => put({ nome: event.target.value })} />}
          </Field>
          <div className="pair">
            <Field label={t("env")} wrong={wrong("env")}>
              {(props) => (
                <select {...props} value={fields.env} onChange={(event) => put({ env: event.target.value as Env })}>
                  <option value="TEST">{t("TEST")}</option>
                  <option value="LIVE">{t("LIVE")}</option>
                </select>
              )}
            </Field>
            <Field label={t("expires")} hint={t("expiresHint")} wrong={wrong("expiraEm")}>
              {(props) => <input {...props} type="date" value={fields.expires} onChange={(event) => put({ expires: event.target.value })} />}
            </Field>
          </div>
          <Picks legend={t("permissions")} wrong={wrong("scopes")} all={offered} name={scopeName} code picked={fields.scopes} change={(scopes) => put({ scopes })}>
            <button type="button" className="link" onClick={() => put({ scopes: offered.filter((one) => one.endsWith(":read")) })}>{t("pickReads")}</button>
            <button type="button" className="link" onClick={() => put({ scopes: offered })}>{t("pickAll")}</button>
            <button type="button" className="link" onClick={() => put({ scopes: [] })}>{t("pickNone")}</button>
          </Picks>
          <Field label={t("ips")} hint={t("ipsHint")} wrong={wrong("ips")}>
            {(props) => <input {...props} value={fields.ips} autoComplete="off" onChange={(event) => put({ ips: event.target.value })} />}
          </Field>
        </>
      )}
    </Ask>
  );
}

/** A group of boxes, with what fills it at once beside its name. */
export function Picks<X extends string>({
  legend,
  all,
  name,
  code = false,
  picked,
  change,
  wrong,
  children,
}: {
  legend: string;
  /** Whether what the API calls it stands beside its name. */
  code?: boolean;
  all: readonly X[];
  name: (one: X) => string;
  picked: readonly X[];
  change: (picked: X[]) => void;
  wrong?: string | undefined;
  children?: ReactNode;
}) {
  const about = useId();
  return (
    <fieldset {...(wrong && { "aria-describedby": about })}>
      <legend>{legend}</legend>
      {children && <div className="row shortcuts">{children}</div>}
      <div className="picks">
        {all.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={picked.includes(one)}
              onChange={(event) => change(event.target.checked ? [...picked, one] : picked.filter((other) => other !== one))}
            />
            <span>
              {name(one)}
              {code && <small className="code">{one}</small>}
            </span>
          </label>
        ))}
      </div>
      {wrong && (
        <span id={about} className="wrong">
          {wrong}
        </span>
      )}
    </fieldset>
  );
}

function Rotate({ of, close, made }: { of: Key; close: () => void; made: (secret: string) => void }) {
  const t = useTexts(TEXTS);
  const [hours, setHours] = useState("24");
  const [rotate, busy] = useWrite(ROTATE_KEY);
  async function run() {
    const { data, refusal } = await rotate({ id: of.id, input: { sobreposicaoHoras: Number(hours) } });
    if (refusal || !data.rotateApiKey) return refusal;
    made(data.rotateApiKey.key);
    return null;
  }
  return (
    <Ask title={t("rotateOf", { name: of.nome })} note={t("rotateNote")} confirm={t("rotate")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <Field label={t("overlap")} wrong={wrong("sobreposicaoHoras")}>
          {(props) => <input {...props} type="number" min={0} value={hours} onChange={(event) => setHours(event.target.value)} />}
        </Field>
      )}
    </Ask>
  );
}

function Revoke({ of, close, done }: { of: Key; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [pause, setPause] = useState(false);
  const [revoke, busy] = useWrite(REVOKE_KEY);
  async function run() {
    const { refusal } = await revoke({ id: of.id, input: { encerrarWebhooks: pause } });
    if (refusal) return refusal;
    toast(t("revoked"));
    done();
    close();
    return null;
  }
  return (
    <Ask title={t("revokeOf", { name: of.nome })} note={t("revokeNote")} confirm={t("revoke")} bad busy={busy} run={run} close={close}>
      {() => (
        <label className="row">
          <input type="checkbox" checked={pause} onChange={(event) => setPause(event.target.checked)} /> {t("pauseHooks")}
        </label>
      )}
    </Ask>
  );
}
