import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask, ShownOnce } from "../../ui/asking";
import { onDate, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { language, useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { Shown } from "../../ui/states";
import { CHANGE_PERSON, INVITE, PEOPLE } from "./documents";
import { TEXTS } from "./texts";

type Person = NonNullable<ResultOf<typeof PEOPLE>["accounts"]>["nodes"][number];
type Role = Person["role"];
type Doing = { what: "invite" } | { what: "change" | "suspend"; person: Person } | { what: "link"; link: string };

const ROLES: Role[] = ["OPERATOR", "ADMIN", "OWNER"];

/** Nobody makes others more than one is. */
function useRoles(): Role[] {
  const { account } = useSession();
  return ROLES.slice(0, ROLES.indexOf(account.role.toUpperCase() as Role) + 1);
}

export function People({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may, account } = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [invite] = useWrite(INVITE);
  const [change] = useWrite(CHANGE_PERSON);
  const read = useRead(PEOPLE, {});
  const again = read.state === "there" ? read.again : () => {};
  const close = () => setDoing(null);
  const mayChange = may("accounts:manage");
  function invited(email: string, link: string | null) {
    again();
    if (link) return setDoing({ what: "link", link });
    toast(t("invited", { email }));
    close();
  }
  async function anew(person: Person) {
    const email = person.email ?? "";
    const { data, refusal } = await invite({ input: { email, name: person.name, role: person.role } });
    if (refusal) return toast(refusal.sentence);
    invited(email, data.inviteAccount?.link ?? null);
  }
  async function letBack(person: Person) {
    const { refusal } = await change({ id: person.id, input: { status: "ACTIVE" } });
    toast(refusal ? refusal.sentence : t("saved"));
    again();
  }
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {mayChange && (
          <button type="button" className="button main" onClick={() => setDoing({ what: "invite" })}>
            <Icon name="plus" size={17} /> {t("invite")}
          </button>
        )}
      </ScreenHead>
      {tabs}
      <section className="card" aria-labelledby="people">
        <header>
          <h2 id="people">{t("people")}</h2>
        </header>
        <div className="inside">
          <Shown of={read}>
            {({ accounts }) => (
              <table className="sheet">
                <thead>
                  <tr>
                    <th scope="col">{t("name")}</th>
                    <th scope="col">{t("role")}</th>
                    <th scope="col" className="wide">{t("since")}</th>
                    <th scope="col" className="wide">{t("state")}</th>
                    <th scope="col"><span className="unseen">{t("actions")}</span></th>
                  </tr>
                </thead>
                <tbody>
                  {accounts?.nodes.map((one) => (
                    <tr key={one.id}>
                      <th scope="row">
                        {one.name} {one.id === account.id && <span className="tag">{t("you")}</span>}
                        <small>{one.email}</small>
                      </th>
                      <td className="word">
                        {t(one.role)}
                        <small className="narrow">{words(one.status)}</small>
                      </td>
                      <td className="wide">{onDate(one.createdAt)}</td>
                      <td className="wide"><Badge of={one.status} /></td>
                      <td>
                        {mayChange && one.id !== account.id && (
                          <div className="acts">
                            {one.status === "INVITED" && (
                              <button type="button" className="button bare small" aria-label={t("again", { name: one.name })} onClick={() => void anew(one)}>{t("resend")}</button>
                            )}
                            <button type="button" className="button bare small" aria-label={t("changeOf", { name: one.name })} onClick={() => setDoing({ what: "change", person: one })}>{t("change")}</button>
                            {one.status === "SUSPENDED" ? (
                              <button type="button" className="button bare small" aria-label={t("backOf", { name: one.name })} onClick={() => void letBack(one)}>{t("back")}</button>
                            ) : (
                              <button type="button" className="button bare small" aria-label={t("suspendOf", { name: one.name })} onClick={() => setDoing({ what: "suspend", person: one })}>{t("suspend")}</button>
                            )}
                          </div>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Shown>
        </div>
      </section>
      {doing?.what === "invite" && <Invite close={close} done={invited} />}
      {doing?.what === "change" && <Change of={doing.person} close={close} done={again} />}
      {doing?.what === "suspend" && <Suspend of={doing.person} close={close} done={again} />}
      {doing?.what === "link" && <ShownOnce title={t("link")} value={doing.link} note={t("linkNote")} close={close} />}
    </div>
  );
}

function RoleField({ value, change, wrong }: { value: Role; change: (role: Role) => void; wrong?: string | undefined }) {
  const t = useTexts(TEXTS);
  const roles = useRoles();
  return (
    <Field label={t("role")} hint={t("roleHint")} wrong={wrong}>
      {(props) => (
        <select {...props} value={value} onChange={(event) => change(event.target.value as Role)}>
          {roles.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Invite({ close, done }: { close: () => void; done: (email: string, link: string | null) => void }) {
  const t = useTexts(TEXTS);
  const [fields, setFields, clear] = useDraft("team.invite", { name: "", email: "", role: "OPERATOR" as Role, tongue: language.get() === "en" ? "EN" : "PT_BR" });
  const [invite, busy] = useWrite(INVITE);
  const put = (part: Partial<typeof fields>) => setFields({ ...fields, ...part });
  async function run() {
    const { data, refusal } = await invite({
      input: { name: fields.name, email: fields.email, role: fields.role, language: fields.tongue as "EN" },
    });
    if (refusal) return refusal;
    clear();
    done(fields.email, data.inviteAccount?.link ?? null);
    return null;
  }
  return (
    <Ask title={t("invite")} note={t("inviteNote")} confirm={t("invite")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <>
          <Field label={t("name")} wrong={wrong("name")}>
            {(props) => <input {...props} value={fields.name} autoComplete="off" onChange={(event) => put({ name: event.target.value })} />}
          </Field>
          <Field label={t("email")} wrong={wrong("email")}>
            {(props) => <input {...props} type="email" value={fields.email} autoComplete="off" onChange={(event) => put({ email: event.target.value })} />}
          </Field>
          <RoleField value={fields.role} change={(role) => put({ role })} wrong={wrong("role")} />
          <Field label={t("language")}>
            {(props) => (
              <select {...props} value={fields.tongue} onChange={(event) => put({ tongue: event.target.value })}>
                <option value="PT_BR">{t("pt")}</option>
                <option value="EN">{t("en")}</option>
              </select>
            )}
          </Field>
        </>
      )}
    </Ask>
  );
}

function Change({ of, close, done }: { of: Person; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [name, setName] = useState(of.name);
  const [role, setRole] = useState<Role>(of.role);
  const [factor, setFactor] = useState(false);
  const [change, busy] = useWrite(CHANGE_PERSON);
  async function run() {
    const input = { ...(name !== of.name && { name }), ...(role !== of.role && { role }), ...(factor && { removerSegundoFator: true }) };
    if (Object.keys(input).length) {
      const { refusal } = await change({ id: of.id, input });
      if (refusal) return refusal;
      toast(t("saved"));
      done();
    }
    close();
    return null;
  }
  return (
    <Ask title={t("changeOf", { name: of.name })} confirm={t("save")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <>
          <Field label={t("name")} wrong={wrong("name")}>
            {(props) => <input {...props} value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />}
          </Field>
          <RoleField value={role} change={setRole} wrong={wrong("role")} />
          <label className="row">
            <input type="checkbox" checked={factor} onChange={(event) => setFactor(event.target.checked)} /> {t("removeFactor")}
          </label>
        </>
      )}
    </Ask>
  );
}

function Suspend({ of, close, done }: { of: Person; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [keys, setKeys] = useState(false);
  const [change, busy] = useWrite(CHANGE_PERSON);
  async function run() {
    const { refusal } = await change({ id: of.id, input: { status: "SUSPENDED", ...(keys && { suspenderChaves: true }) } });
    if (refusal) return refusal;
    toast(t("saved"));
    done();
    close();
    return null;
  }
  return (
    <Ask title={t("suspendOf", { name: of.name })} note={t("suspendNote")} confirm={t("suspend")} bad busy={busy} run={run} close={close}>
      {() => (
        <label className="row">
          <input type="checkbox" checked={keys} onChange={(event) => setKeys(event.target.checked)} /> {t("suspendKeys")}
        </label>
      )}
    </Ask>
  );
}
