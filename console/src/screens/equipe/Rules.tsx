import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask } from "../../ui/asking";
import { Conflict, useConflict, useFresh, type Values } from "../../ui/conflict";
import { joined, number } from "../../ui/format";
import { language, useTexts } from "../../ui/language";
import { Field, ScreenHead, toast } from "../../ui/parts";
import { Shown } from "../../ui/states";
import { PUT_CAP, PUT_HOURS, PUT_WORDS, RULES, SET_ORGANIZATION } from "./documents";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof RULES>;
type Doing = "hours" | "words" | "cap" | "factor";

/** What holds for everybody: quiet hours, words that stop messages, a ceiling of journeys, the second factor. */
export function Rules({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead(RULES, { people: may("accounts:manage"), journeys: may("campaigns:read"), push: may("push:read") || may("push:settings") });
  const again = read.state === "there" ? read.again : () => {};
  const dialog = (data: Data) => {
    const props = { data, close: () => setDoing(null), done: again };
    if (doing === "hours") return <Hours {...props} />;
    if (doing === "words") return <Words {...props} />;
    if (doing === "cap") return <Cap {...props} />;
    return doing === "factor" ? <Factor {...props} /> : null;
  };
  const card = (key: Doing, title: string, scope: string, content: ReactNode) => (
    <section className="card" aria-labelledby={`rule-${key}`}>
      <header>
        <h2 id={`rule-${key}`}>{title}</h2>
        {may(scope) && (
          <button type="button" className="button small" aria-label={t("changeOf", { name: title })} onClick={() => setDoing(key)}>
            {t("change")}
          </button>
        )}
      </header>
      <div className="inside form">{content}</div>
    </section>
  );
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <Shown of={read}>
        {(data) => (
          <div className="rules-of-all">
            {data.pushSettings && card("hours", t("quietHours"), "push:settings", <HoursShown of={data.pushSettings} />)}
            {data.optOutWords && card("words", t("optOutWords"), "contacts:write", <WordsShown of={data.optOutWords} />)}
            {data.journeySettings && card("cap", t("cap"), "campaigns:write", <p>{capSaid(data.journeySettings.teto, t)}</p>)}
            {data.me?.organization.settings && card("factor", t("factor"), "accounts:manage", <FactorShown of={data.me.organization.settings} />)}
          </div>
        )}
      </Shown>
      {doing && read.state === "there" && dialog(read.data)}
    </div>
  );
}

const dayNames = (): string[] =>
  Array.from({ length: 7 }, (_, day) => new Intl.DateTimeFormat(language.get(), { weekday: "short", timeZone: "UTC" }).format(new Date(Date.UTC(2023, 0, 1 + day))));

type Teto = NonNullable<Data["journeySettings"]>["teto"];
const capSaid = (teto: Teto, t: ReturnType<typeof useTexts<typeof TEXTS>>): string =>
  teto ? joined(t("capOf", { count: number(teto.mensagens), days: number(teto.dias) }), t(teto.aoTeto ?? "PULAR")) : t("noCap");

function HoursShown({ of }: { of: NonNullable<Data["pushSettings"]> }) {
  const t = useTexts(TEXTS);
  const hours = of.janelaSilencio;
  return (
    <>
      <p>
        <b>{hours ? t("hoursFromTo", { from: hours.inicio, until: hours.fim, zone: hours.fuso }) : t("noHours")}</b>
      </p>
      {hours && <p className="quiet">{hours.dias ? hours.dias.map((day) => dayNames()[day]).join(", ") : t("everyDay")}</p>}
      <p className="quiet">{t("hoursNote")}</p>
    </>
  );
}

function WordsShown({ of }: { of: NonNullable<Data["optOutWords"]> }) {
  const t = useTexts(TEXTS);
  return (
    <dl className="facts">
      <dt>{t("outWords")}</dt>
      <dd>{of.saida.join(", ") || t("none")}</dd>
      <dt>{t("inWords")}</dt>
      <dd>{of.volta.join(", ") || t("none")}</dd>
    </dl>
  );
}

function FactorShown({ of }: { of: NonNullable<NonNullable<Data["me"]>["organization"]["settings"]> }) {
  const t = useTexts(TEXTS);
  return (
    <>
      <p>{t(of.demandsSecondFactor ? "factorDemanded" : "factorFree")}</p>
      {of.withoutSecondFactor > 0 && <p className="quiet">{t("withoutFactor", { count: number(of.withoutSecondFactor) })}</p>}
    </>
  );
}

interface Part {
  data: Data;
  close: () => void;
  done: () => void;
}

/** A form over one of the rules: what somebody else changed meanwhile is shown before it is overwritten. */
function useRuleForm(valuesOf: (data: Data) => Values, { data, close, done }: Part) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [before] = useState(() => valuesOf(data));
  const [mine, setMine] = useState<Values>(before);
  const conflict = useConflict();
  const fresh = useFresh(RULES);
  return {
    mine,
    put: (part: Values) => setMine({ ...mine, ...part }),
    shown: (name: (field: string) => string) => (
      <Conflict
        found={conflict.found}
        name={name}
        take={(theirs) => {
          setMine({ ...mine, ...theirs });
          conflict.forget();
        }}
      />
    ),
    async save<R>(write: () => Promise<{ refusal: R | null }>): Promise<R | null> {
      const now = await fresh({ people: may("accounts:manage"), journeys: may("campaigns:read"), push: may("push:read") || may("push:settings") });
      if (!conflict.check(before, now && valuesOf(now), mine)) return null;
      const { refusal } = await write();
      if (refusal) return refusal;
      toast(t("saved"));
      done();
      close();
      return null;
    },
  };
}

const hoursOf = ({ pushSettings }: Data): Values => {
  const hours = pushSettings?.janelaSilencio;
  return {
    inicio: hours?.inicio ?? "",
    fim: hours?.fim ?? "",
    fuso: hours?.fuso ?? "",
    dias: hours?.dias?.join(",") ?? "",
    silent: pushSettings?.excecoes.includes("SILENT") ? "1" : "",
  };
};

function Hours(part: Part) {
  const t = useTexts(TEXTS);
  const form = useRuleForm(hoursOf, part);
  const { inicio = "", fim = "", fuso = "", dias = "", silent } = form.mine;
  const [on, setOn] = useState(!!inicio);
  const [write, busy] = useWrite(PUT_HOURS);
  const picked = dias ? dias.split(",").map(Number) : [];
  const run = () =>
    form.save(() =>
      write({
        input: {
          janelaSilencio: on ? { inicio, fim, fuso, ...(picked.length && { dias: picked }) } : null,
          excecoes: silent ? ["SILENT"] : [],
        },
      }),
    );
  const name = (field: string) => ({ inicio: t("from"), fim: t("until"), fuso: t("zone"), dias: t("days"), silent: t("silentPasses") })[field] ?? field;
  return (
    <Ask title={t("quietHours")} note={t("hoursNote")} confirm={t("save")} busy={busy} run={run} close={part.close}>
      {(wrong) => (
        <>
          {form.shown(name)}
          <label className="row">
            <input
              type="checkbox"
              checked={on}
              onChange={(event) => {
                setOn(event.target.checked);
                if (event.target.checked && !inicio) form.put({ inicio: "22:00", fim: "08:00", fuso: Intl.DateTimeFormat().resolvedOptions().timeZone || "America/Sao_Paulo" });
              }}
            />{" "}
            {t("hoursOn")}
          </label>
          {on && (
            <>
              <div className="pair">
                <Field label={t("from")} wrong={wrong("inicio")}>{(props) => <input {...props} type="time" value={inicio} onChange={(event) => form.put({ inicio: event.target.value })} />}</Field>
                <Field label={t("until")} wrong={wrong("fim")}>{(props) => <input {...props} type="time" value={fim} onChange={(event) => form.put({ fim: event.target.value })} />}</Field>
              </div>
              <Field label={t("zone")} hint={t("zoneHint")} wrong={wrong("fuso")}>{(props) => <input {...props} value={fuso} autoComplete="off" spellCheck={false} onChange={(event) => form.put({ fuso: event.target.value })} />}</Field>
              <fieldset>
                <legend>{t("days")}</legend>
                <div className="row">
                  {dayNames().map((day, at) => (
                    <label key={day}>
                      <input
                        type="checkbox"
                        checked={picked.includes(at)}
                        onChange={(event) => form.put({ dias: (event.target.checked ? [...picked, at].sort() : picked.filter((other) => other !== at)).join(",") })}
                      />{" "}
                      {day}
                    </label>
                  ))}
                </div>
              </fieldset>
            </>
          )}
          <label className="row">
            <input type="checkbox" checked={!!silent} onChange={(event) => form.put({ silent: event.target.checked ? "1" : "" })} /> {t("silentPasses")}
          </label>
        </>
      )}
    </Ask>
  );
}

const wordsOf = ({ optOutWords }: Data): Values => ({ saida: optOutWords?.saida.join(", ") ?? "", volta: optOutWords?.volta.join(", ") ?? "" });
const listed = (text = ""): string[] => [...new Set(text.split(/[,\n]/).map((one) => one.trim()).filter(Boolean))];

function Words(part: Part) {
  const t = useTexts(TEXTS);
  const form = useRuleForm(wordsOf, part);
  const [write, busy] = useWrite(PUT_WORDS);
  const run = () => form.save(() => write({ input: { saida: listed(form.mine["saida"]), volta: listed(form.mine["volta"]) } }));
  return (
    <Ask title={t("optOutWords")} note={t("wordsNote")} confirm={t("save")} busy={busy} run={run} close={part.close}>
      {(wrong) => (
        <>
          {form.shown((field) => t(field === "saida" ? "outWords" : "inWords"))}
          {(["saida", "volta"] as const).map((key) => (
            <Field key={key} label={t(key === "saida" ? "outWords" : "inWords")} hint={t("wordsHint")} wrong={wrong(key)}>
              {(props) => <textarea {...props} rows={3} value={form.mine[key]} onChange={(event) => form.put({ [key]: event.target.value })} />}
            </Field>
          ))}
        </>
      )}
    </Ask>
  );
}

const capOf = ({ journeySettings }: Data): Values => {
  const teto = journeySettings?.teto;
  return { mensagens: teto ? String(teto.mensagens) : "", dias: teto ? String(teto.dias) : "", aoTeto: teto?.aoTeto ?? "PULAR" };
};

function Cap(part: Part) {
  const t = useTexts(TEXTS);
  const form = useRuleForm(capOf, part);
  const { mensagens = "", dias = "", aoTeto = "PULAR" } = form.mine;
  const [write, busy] = useWrite(PUT_CAP);
  const run = () => form.save(() => write({ input: { teto: mensagens ? { mensagens: Number(mensagens), dias: Number(dias), aoTeto: aoTeto as "PULAR" } : null } }));
  const name = (field: string) => t(field === "mensagens" ? "capMessages" : field === "dias" ? "capDays" : "atCap");
  return (
    <Ask title={t("cap")} note={t("capNote")} confirm={t("save")} busy={busy} run={run} close={part.close}>
      {(wrong) => (
        <>
          {form.shown(name)}
          <div className="pair">
            <Field label={t("capMessages")} hint={t("capEmpty")} wrong={wrong("mensagens")}>{(props) => <input {...props} type="number" min={1} value={mensagens} onChange={(event) => form.put({ mensagens: event.target.value })} />}</Field>
            <Field label={t("capDays")} wrong={wrong("dias")}>{(props) => <input {...props} type="number" min={1} value={dias} onChange={(event) => form.put({ dias: event.target.value })} />}</Field>
          </div>
          <Field label={t("atCap")} wrong={wrong("aoTeto")}>
            {(props) => (
              <select {...props} value={aoTeto} onChange={(event) => form.put({ aoTeto: event.target.value })}>
                <option value="PULAR">{t("PULAR")}</option>
                <option value="ESPERAR">{t("ESPERAR")}</option>
              </select>
            )}
          </Field>
        </>
      )}
    </Ask>
  );
}

const factorOf = ({ me }: Data): Values => ({ demanded: me?.organization.settings?.demandsSecondFactor ? "1" : "" });

function Factor(part: Part) {
  const t = useTexts(TEXTS);
  const form = useRuleForm(factorOf, part);
  const [write, busy] = useWrite(SET_ORGANIZATION);
  const demanded = !!form.mine["demanded"];
  const count = part.data.me?.organization.settings?.withoutSecondFactor ?? 0;
  return (
    <Ask title={t("factor")} note={t("factorNote")} confirm={t("save")} busy={busy} run={() => form.save(() => write({ input: { demandsSecondFactor: demanded } }))} close={part.close}>
      {() => (
        <>
          {form.shown(() => t("factor"))}
          <label className="row">
            <input type="checkbox" checked={demanded} onChange={(event) => form.put({ demanded: event.target.checked ? "1" : "" })} /> {t("factorDemand")}
          </label>
          {demanded && count > 0 && <p className="notice">{t("withoutFactor", { count: number(count) })}</p>}
        </>
      )}
    </Ask>
  );
}
