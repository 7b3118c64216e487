import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { useTexts } from "../../ui/language";
import { Icon } from "../../ui/Icon";
import { number } from "../../ui/format";
import { ENTRY, HEIGHT, type Journey, layoutOf, type Step, WIDTH } from "./layout";
import { beginningOf, deedOf, named, titleOf, wayOf } from "./said";
import { TEXTS } from "./texts";

/** What somebody did, or would do, on the way: numbers of steps in their order, and what became of them. */
export interface Walk {
  steps: { step: string; result: string }[];
}

/** The steps and the ways between them. A step is a button; arrow keys follow the ways. */
export function Canvas({
  journey,
  chosen,
  choose,
  faults,
  walk,
}: {
  journey: Journey;
  chosen: string | undefined;
  choose: (step: string | undefined) => void;
  faults: ReadonlyMap<string, string[]>;
  walk: Walk | null;
}) {
  const t = useTexts(TEXTS);
  const frame = useRef<HTMLDivElement>(null);
  const shape = JSON.stringify(journey.passos.map(({ id, proximo, config }) => [id, proximo, config]));
  const drawn = useMemo(() => layoutOf(journey), [shape, journey.entradaPasso]);
  const walked = new Map(walk?.steps.map((one, at) => [one.step, { at: at + 1, result: one.result }]));
  const passed = new Set(walk?.steps.map((one, at) => `${at ? walk.steps[at - 1]!.step : ENTRY}>${one.step}`));

  const move = (event: KeyboardEvent) => {
    const here = (event.target as HTMLElement).closest<HTMLElement>("[data-step]")?.dataset["step"];
    if (!here) return;
    const place = drawn.places.get(here)!;
    const beside = drawn.layers[place.layer]!;
    const next = {
      ArrowDown: drawn.ways.find((one) => one.from === here)?.to,
      ArrowUp: drawn.ways.find((one) => one.to === here)?.from,
      ArrowRight: beside[beside.indexOf(here) + 1],
      ArrowLeft: beside[beside.indexOf(here) - 1],
    }[event.key];
    if (event.key === "Escape" && chosen) return choose(undefined);
    if (!next) return;
    event.preventDefault();
    frame.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(next)}"]`)?.focus();
  };
  const shown = chosen && drawn.places.has(chosen) ? chosen : ENTRY;
  useEffect(() => {
    const place = drawn.places.get(shown)!;
    const box = frame.current!;
    const seen = (low: number, size: number, from: number, room: number) => low >= from && low + size <= from + room;
    if (!seen(place.x - WIDTH / 2, WIDTH, box.scrollLeft, box.clientWidth)) box.scrollLeft = place.x - box.clientWidth / 2;
    if (!seen(place.y, HEIGHT, box.scrollTop, box.clientHeight)) box.scrollTop = place.y - box.clientHeight / 2;
  }, [shown, drawn]);
  const at = (id: string) => {
    const place = drawn.places.get(id)!;
    return { left: place.x - WIDTH / 2, top: place.y, width: WIDTH, height: HEIGHT };
  };
  return (
    <section className="card jn-canvas" aria-labelledby="jn-canvas">
      <header>
        <h2 id="jn-canvas">{t("canvas")}</h2>
        <span className="quiet jn-hint">{t("canvasHint")}</span>
      </header>
      <div className="jn-frame" ref={frame} onKeyDown={move} role="group" aria-labelledby="jn-canvas" tabIndex={0}>
        <div className="jn-plane" style={{ width: drawn.width, height: drawn.height }}>
          <svg width={drawn.width} height={drawn.height} aria-hidden="true" focusable="false">
            <defs>
              {["jn-tip", "jn-tip-walked"].map((id) => (
                <marker key={id} id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">
                  <path d="M0 0 8 4 0 8Z" />
                </marker>
              ))}
            </defs>
            {drawn.ways.map((one) => (
              <g key={`${one.from} ${one.name}`} className={passed.has(`${one.from}>${one.to}`) ? "jn-way walked" : "jn-way"}>
                <path d={one.path} markerEnd={passed.has(`${one.from}>${one.to}`) ? "url(#jn-tip-walked)" : "url(#jn-tip)"} />
                {wayOf(one.name, one.percent) && (
                  <text x={one.labelX} y={one.labelY} textAnchor="middle">
                    {wayOf(one.name, one.percent)}
                  </text>
                )}
              </g>
            ))}
          </svg>
          <button type="button" data-step={ENTRY} className="jn-step entry" style={at(ENTRY)} aria-pressed={!chosen} onClick={() => choose(undefined)}>
            <b>
              <Icon name="people" size={15} /> {t("entry")}
            </b>
            <span className="jn-deed">{beginningOf(journey)}</span>
            <span className="jn-count">
              {number(journey.execucoes.ativa)} {t("inside").toLowerCase()}
            </span>
          </button>
          {journey.passos.map((step) => (
            <StepBox
              key={step.id}
              step={step}
              style={at(step.id)}
              chosen={chosen === step.id}
              choose={() => choose(step.id)}
              faults={faults.get(step.id)?.length ?? 0}
              walked={walked.get(step.id)}
              dim={!!walk && !walked.has(step.id)}
            />
          ))}
        </div>
      </div>
      {journey.passos.length === 0 && <p className="quiet jn-none">{t("noSteps")}</p>}
    </section>
  );
}

function StepBox({
  step,
  style,
  chosen,
  choose,
  faults,
  walked,
  dim,
}: {
  step: Step;
  style: { left: number; top: number; width: number; height: number };
  chosen: boolean;
  choose: () => void;
  faults: number;
  walked: { at: number; result: string } | undefined;
  dim: boolean;
}) {
  const t = useTexts(TEXTS);
  const { metricas: figures } = step;
  const skipped = skippedOf(step);
  return (
    <button
      type="button"
      data-step={step.id}
      className={["jn-step", step.tipo, faults ? "faulty" : "", walked ? `walked ${walked.result}` : "", dim ? "dim" : ""].join(" ")}
      style={style}
      aria-pressed={chosen}
      onClick={choose}
    >
      <b>
        <span className="cut">{titleOf(step)}</span>
        {walked && <i className="jn-turn">{walked.at}</i>}
        {faults > 0 && (
          <i className="jn-fault">
            <Icon name="alert" size={15} />
            <span className="unseen">{t("faultsHere")}</span> {faults}
          </i>
        )}
      </b>
      <span className="jn-deed">{walked ? named(walked.result) : deedOf(step)}</span>
      <span className="jn-count">
        {t("nodeFacts", { entered: number(figures.entraram), waiting: number(figures.aguardando) })}
        {skipped > 0 && <em> · {number(skipped)} {t("skipped").toLowerCase()}</em>}
        {figures.erros > 0 && <em> · {number(figures.erros)} {t("errors").toLowerCase()}</em>}
      </span>
    </button>
  );
}

export const reasonsOf = (step: Step): [string, number][] =>
  Object.entries((step.metricas.pulados ?? {}) as Record<string, number>).sort((a, b) => b[1] - a[1]);

export const skippedOf = (step: Step): number => reasonsOf(step).reduce((sum, [, count]) => sum + count, 0);
