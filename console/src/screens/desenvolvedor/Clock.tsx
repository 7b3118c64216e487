import { type FormEvent, type ReactNode, useState } from "react";
import type { ResultOf, VariablesOf } from "../../gateway/graphql";
import { type Refusal, useLive, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { atMoment, number } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead } from "../../ui/parts";
import { Refused, Shown } from "../../ui/states";
import { ADVANCE_CLOCK, CLOCK, CLOCK_TOLD, SET_CLOCK } from "./documents";
import { TEXTS } from "./texts";

type Clock = NonNullable<ResultOf<typeof CLOCK>["sandboxClock"]>;
type Move = VariablesOf<typeof ADVANCE_CLOCK>["input"];

const STEPS = ["PT1H", "P1D", "P7D", "P30D"] as const;

/** The sandbox's clock: what will have happened in thirty days is seen now. */
export function SandboxClock({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [told, setTold] = useState<Clock | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [until, setUntil] = useState("");
  const read = useRead(CLOCK, {});
  useLive(CLOCK_TOLD, {}, ({ sandboxClockChanged }) => setTold(sandboxClockChanged));
  const [advance, advancing] = useWrite(ADVANCE_CLOCK);
  const [set, setting] = useWrite(SET_CLOCK);
  const busy = advancing || setting;
  async function move(input: Move) {
    const { data, refusal: why } = await advance({ input });
    setRefusal(why);
    if (data?.advanceSandboxClock) setTold(data.advanceSandboxClock);
  }
  async function freeze(congelado: boolean) {
    const { data, refusal: why } = await set({ input: { congelado } });
    setRefusal(why);
    if (data?.setSandboxClock) setTold(data.setSandboxClock);
  }
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <section className="card" aria-labelledby="clock">
        <header>
          <h2 id="clock">{t("clockTitle")}</h2>
        </header>
        <div className="inside form">
          <p className="quiet">{t("clockNote")}</p>
          <Shown of={read}>
            {(data) => {
              const clock = told ?? data.sandboxClock;
              if (!clock) return null;
              const moving = clock.status === "AVANCANDO";
              return (
                <>
                  <p className="clock-face" role="status">
                    <b>{atMoment(clock.agora)}</b> <Badge of={moving || clock.status === "INTERROMPIDO" ? "PENDING" : "ACTIVE"}>{t(clock.status)}</Badge> {clock.congelado && <Badge of="PAUSED">{t("frozen")}</Badge>}
                  </p>
                  <dl className="facts">
                    {clock.para && (
                      <>
                        <dt>{t("goesTo")}</dt>
                        <dd>{atMoment(clock.para)}</dd>
                      </>
                    )}
                    <dt>{t("applied")}</dt>
                    <dd>{number(clock.aplicados)}</dd>
                    <dt>{t("nextDue")}</dt>
                    <dd>{clock.proximo ? atMoment(clock.proximo) : t("nothingDue")}</dd>
                    {clock.limite && (
                      <>
                        <dt>{t("stoppedBy")}</dt>
                        <dd>{t(clock.limite)}</dd>
                      </>
                    )}
                  </dl>
                  {may("messages:send") && (
                    <>
                      <Refused refusal={refusal} />
                      <div className="row">
                        {STEPS.map((por) => (
                          <button key={por} type="button" className="button" disabled={busy || moving} onClick={() => void move({ por })}>
                            {t(por)}
                          </button>
                        ))}
                        <button type="button" className="button" disabled={busy || moving || !clock.proximo} onClick={() => void move({ passo: "PROXIMO" })}>
                          {t("toNext")}
                        </button>
                        <button type="button" className="button" disabled={busy || moving} onClick={() => void freeze(!clock.congelado)}>
                          {t(clock.congelado ? "unfreeze" : "freeze")}
                        </button>
                      </div>
                      <form
                        className="finder"
                        onSubmit={(event: FormEvent) => {
                          event.preventDefault();
                          if (until) void move({ ate: new Date(until).toISOString() });
                        }}
                      >
                        <Field label={t("advanceTo")} wrong={refusal?.fields.find((one) => one.field === "ate")?.message}>
                          {(props) => <input {...props} type="datetime-local" value={until} onChange={(event) => setUntil(event.target.value)} />}
                        </Field>
                        <button type="submit" className="button" disabled={busy || moving || !until}>{t("advance")}</button>
                      </form>
                    </>
                  )}
                </>
              );
            }}
          </Shown>
        </div>
      </section>
    </div>
  );
}
