import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Refusal, useLive, useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, ScreenHead } from "../../ui/parts";
import { Bones, Empty, Refused, Shown } from "../../ui/states";
import { joined, number, onDate } from "../../ui/format";
import { Acts } from "./Acts";
import { Canvas, reasonsOf, skippedOf, type Walk } from "./Canvas";
import { JOURNEY, PROGRESS } from "./documents";
import { EditDialogs, Edits, Ways } from "./Edit";
import { type Editing, useEditing } from "./editing";
import type { Place } from "./graph";
import { configOf, type Journey, type Step } from "./layout";
import { People, PeopleAt, Trail } from "./People";
import { ChoosePerson, Rehearsal, type Somebody } from "./Rehearsal";
import { beginningOf, deedOf, named, titleOf } from "./said";
import { TEXTS } from "./texts";
import { Versions } from "./Versions";
import "./journeys.css";

export function JourneyPage() {
  const t = useTexts(TEXTS);
  const { id } = useParams({ strict: false }) as { id: string };
  const { may } = useSession();
  const read = useRead(JOURNEY, { id, templates: may("templates:read") });
  const again = read.state === "there" ? read.again : () => {};
  return (
    <div className="screen jn" key={id}>
      <p>
        <Link to="/jornadas" className="jn-back">
          <Icon name="back" size={17} /> {t("all")}
        </Link>
      </p>
      <Shown of={read} bones={<Bones lines={10} />}>
        {({ journey, templates }) =>
          journey ? (
            <Whole journey={withNames(journey, templates?.nodes ?? [])} again={again} />
          ) : (
            <div className="card">
              <Empty icon="journey" title={t("gone")}>
                <p>{t("goneSentence")}</p>
              </Empty>
            </div>
          )
        }
      </Shown>
    </div>
  );
}

/** With what the templates of its messages are called. */
function withNames(journey: Journey, templates: readonly { id: string; name: string }[]): Journey {
  const names = new Map(templates.map((one) => [one.id, one.name]));
  const named = (step: Step): Step => {
    const modelo = names.get(String(configOf(step)["templateId"]));
    return modelo ? { ...step, modelo } : step;
  };
  return { ...journey, passos: journey.passos.map(named) };
}

/** What is shown is in the address: a step, one person's run, or two versions. */
interface Search {
  passo?: string;
  run?: string;
  /** Beside the version before. */
  versoes?: string;
}

const FRESH_EVERY = 2000;

/** How often contacts moved, told at most once in two seconds: lists follow it. */
function useTold(id: string, pause: boolean): number {
  const [told, setTold] = useState(0);
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive(
    PROGRESS,
    { id },
    () => {
      due.current ??= setTimeout(() => {
        due.current = undefined;
        setTold((before) => before + 1);
      }, FRESH_EVERY);
    },
    { pause },
  );
  useEffect(() => () => clearTimeout(due.current), []);
  return told;
}

function Whole({ journey, again }: { journey: Journey; again: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const told = useTold(journey.id, journey.status === "ARQUIVADA");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [finding, setFinding] = useState(false);
  const [person, setPerson] = useState<Somebody | null>(null);
  const [walk, setWalk] = useState<Walk | null>(null);
  const step = journey.passos.find((one) => one.id === search.passo);
  const put = (part: Search) => void navigate({ to: `/jornadas/${journey.id}`, search: part as never, replace: true });
  const choose = (passo: string | undefined) => {
    setPerson(null);
    put(passo ? { passo } : {});
  };
  const titles = new Map(journey.passos.map((one) => [one.id, titleOf(one)]));
  useEffect(() => {
    if (told && !step) again();
  }, [told]);
  const faults = faultsOf(journey, refusal);
  const stored = useEditing(journey, (chosen) => {
    setRefusal(null);
    choose(chosen);
  });
  const editing: Editing | null = journey.status === "RASCUNHO" && may("campaigns:write") ? stored : null;
  const [place, setPlace] = useState<Place | null>(null);
  const elsewhere = refusal?.fields.filter((one) => !stepAt(journey, one.pointer)) ?? [];
  const stopped = journey.pausadaPor;
  return (
    <>
      <div className="jn-head">
        <div>
          <ScreenHead title={journey.name} />
          <p className="quiet">
            {joined(
              t("version", { number: journey.versao }),
              beginningOf(journey),
              journey.entradasEncerradas && t("closed"),
            )}
          </p>
          {(journey.versaoDe || journey.substituidaPor) && (
            <p className="row quiet">
              {journey.versaoDe && (
                <Link to={`/jornadas/${journey.id}`} search={(search.versoes ? {} : { versoes: "1" }) as never} replace>
                  {t(search.versoes ? "onlyThis" : "compare")}
                </Link>
              )}
              {journey.substituidaPor && <Link to={`/jornadas/${journey.substituidaPor}`}>{t("openNewer")}</Link>}
            </p>
          )}
        </div>
        <Badge of={journey.status}>{named(journey.status)}</Badge>
        <div className="row">
          {journey.passos.length > 0 && (
            <button type="button" className="button" onClick={() => setFinding(true)}>
              {t("simulate")}
            </button>
          )}
          {may("campaigns:write") && <Acts journey={journey} refused={setRefusal} changed={again} />}
        </div>
      </div>
      {stopped && (
        <p className="notice bad" role="status">
          <span>{t("pausedBy", { reason: named(stopped.motivo) })}</span>
          {journey.passos.some((one) => one.id === stopped.passo) && (
            <button type="button" className="link" onClick={() => choose(stopped.passo)}>
              {t("showStep")}
            </button>
          )}
        </p>
      )}
      {refusal && !refusal.fields.length && <Refused refusal={refusal} />}
      {refusal && refusal.fields.length > 0 && (
        <div className="notice bad" role="alert">
          <b>{refusal.fields.length === 1 ? t("oneFault") : t("faulty", { count: number(refusal.fields.length) })}</b>
          {[...faults.keys()].map((id) => (
            <button type="button" className="link" key={id} onClick={() => choose(id)}>
              {titleOf(journey.passos.find((one) => one.id === id)!)}
            </button>
          ))}
          {elsewhere.map((one, at) => (
            <span key={at}>{one.message}</span>
          ))}
        </div>
      )}
      <Figures journey={journey} />
      {search.versoes && journey.versaoDe ? (
        <Versions journey={journey} moved={again} />
      ) : (
      <div className="jn-two">
        <Canvas journey={journey} chosen={step?.id} choose={choose} faults={faults} walk={walk} editing={editing} insertAt={setPlace} />
        <div className="jn-side">
          {person ? (
            <Rehearsal key={person.id} journey={journey} person={person} show={setWalk} close={() => setPerson(null)} />
          ) : search.run ? (
            <Trail key={search.run} journey={journey} run={search.run} told={told} show={setWalk} close={() => put(step ? { passo: step.id } : {})} />
          ) : (
            <>
              {step ? (
                <StepFacts step={step} faults={faults.get(step.id) ?? []} stopped={stopped?.passo === step.id ? stopped.motivo : null} all={() => choose(undefined)}>
                  {editing && <Edits key={step.id} editing={editing} step={step} insertAt={setPlace} />}
                </StepFacts>
              ) : (
                <Rules journey={journey}>{editing && <Ways editing={editing} step={null} />}</Rules>
              )}
              {step ? (
                <PeopleAt key={step.id} journey={journey} step={step.id} told={told} open={(run) => put({ passo: step.id, run })} />
              ) : (
                <People title={t("people")} rows={journey.runs.nodes} place={(id) => titles.get(id) ?? id} open={(run) => put({ run })} />
              )}
            </>
          )}
        </div>
      </div>
      )}
      {editing && <EditDialogs editing={editing} place={place} close={() => setPlace(null)} />}
      {finding && (
        <ChoosePerson
          close={() => setFinding(false)}
          choose={(one) => {
            setFinding(false);
            setPerson(one);
          }}
        />
      )}
    </>
  );
}

/** The step that a place such as `/passos/2/config/texto` is in. */
function stepAt(journey: Journey, pointer: string): Step | undefined {
  const found = /passos[/.[](\d+)/.exec(pointer);
  return found ? journey.passos[Number(found[1])] : undefined;
}

function faultsOf(journey: Journey, refusal: Refusal | null): Map<string, string[]> {
  const faults = new Map<string, string[]>();
  const add = (id: string, text: string) => faults.set(id, [...(faults.get(id) ?? []), text]);
  for (const one of refusal?.fields ?? []) {
    const step = stepAt(journey, one.pointer);
    if (step) add(step.id, one.message);
  }
  return faults;
}

function Figures({ journey }: { journey: Journey }) {
  const t = useTexts(TEXTS);
  const { ativa, concluida, cancelada, erro } = journey.execucoes;
  const all: [string, string][] = [
    [t("inside"), number(ativa)],
    [t("ended"), number(concluida)],
    [t("canceled"), number(cancelada)],
    [t("failed"), number(erro)],
    [t("goal"), journey.meta?.evento ?? "–"],
  ];
  return (
    <dl className="card jn-figures">
      {all.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ of: facts }: { of: [string, string | null | false | undefined][] }) {
  return (
    <dl className="facts">
      {facts.flatMap(([name, value]) => (value ? [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>] : []))}
    </dl>
  );
}

function Rules({ journey, children }: { journey: Journey; children?: ReactNode }) {
  const t = useTexts(TEXTS);
  const { silencio, tetoDeFrequencia: cap } = journey;
  return (
    <section className="card" aria-labelledby="jn-rules">
      <header>
        <h2 id="jn-rules">{t("rules")}</h2>
      </header>
      <div className="inside">
        <Facts
          of={[
            [t("begins"), beginningOf(journey)],
            [t("reentry"), journey.reentrada === "NUNCA" ? t("never") : t("after", { hours: journey.intervaloReentradaHoras ?? 0 })],
            [t("quietHours"), silencio && `${silencio.inicio} – ${silencio.fim}`],
            [t("cap"), cap && t("capFact", { count: cap.mensagens, days: cap.dias })],
            [t("goal"), journey.meta?.evento],
            [t("since"), journey.ativadaEm && onDate(journey.ativadaEm)],
          ]}
        />
        {children}
      </div>
    </section>
  );
}

function StepFacts({ step, faults, stopped, all, children }: { step: Step; faults: string[]; stopped: string | null; all: () => void; children?: ReactNode }) {
  const t = useTexts(TEXTS);
  const { metricas: figures } = step;
  const messages = figures.mensagens;
  const reasons = reasonsOf(step);
  return (
    <section className="card" aria-labelledby="jn-step">
      <header>
        <h2 id="jn-step">{titleOf(step)}</h2>
        <button type="button" className="button small" onClick={all}>
          {t("allSteps")}
        </button>
      </header>
      <div className="inside form">
        {stopped && <p className="notice bad">{t("pausedHere", { reason: named(stopped) })}</p>}
        {faults.length > 0 && (
          <div className="notice bad">
            <h3>{t("faultsHere")}</h3>
            <ul className="jn-faults">
              {faults.map((one, at) => (
                <li key={at}>{one}</li>
              ))}
            </ul>
          </div>
        )}
        <p className="jn-text">{joined(step.rotulo && named(step.tipo), deedOf(step))}</p>
        {children}
        <Facts
          of={[
            [t("entered"), number(figures.entraram)],
            [t("waiting"), number(figures.aguardando)],
            [t("left"), number(figures.concluiram)],
            [t("errors"), figures.erros > 0 && number(figures.erros)],
            [t("skipped"), skippedOf(step) > 0 && number(skippedOf(step))],
            [t("sent"), messages && number(messages.enviadas)],
            [t("delivered"), messages && number(messages.entregues)],
            [t("read"), messages && number(messages.lidas)],
            [t("clicks"), messages && number(messages.cliques)],
            [t("conversions"), figures.conversoes !== null && number(figures.conversoes)],
            [t("median"), figures.tempoMedianoSegundos !== null && lasting(figures.tempoMedianoSegundos)],
          ]}
        />
        {reasons.length > 0 && (
          <div>
            <h3>{t("why")}</h3>
            <Facts of={reasons.map(([reason, count]) => [named(reason), number(count)])} />
          </div>
        )}
      </div>
    </section>
  );
}

/** Seconds as people say them: `3 h 20 min`. */
function lasting(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
