import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTexts } from "../../ui/language";
import { Icon } from "../../ui/Icon";
import { number } from "../../ui/format";
import type { Editing } from "./editing";
import { leadsTo, partsOf, type Place, placesOf, targetsOf } from "./graph";
import { type Drawn, ENTRY, HEIGHT, type Journey, layoutOf, type Step, type Way, WIDTH } from "./layout";
import { beginningOf, deedOf, named, titleOf, wayOf } from "./said";
import { TEXTS } from "./texts";

/** What somebody did, or would do, on the way: numbers of steps in their order, and what became of them. */
export interface Walk {
  steps: { step: string; result: string }[];
}

/** What is drawn of a journey. */
export type DrawnJourney = Pick<Journey, "passos" | "entradaPasso" | "execucoes" | "gatilho" | "segmento" | "lista">;

/** The steps and the ways between them. A step is a button; arrow keys follow the ways. */
export function Canvas({
  journey,
  chosen,
  choose,
  faults,
  walk,
  editing = null,
  insertAt,
  title,
  marks,
}: {
  journey: DrawnJourney;
  chosen: string | undefined;
  choose: (step: string | undefined) => void;
  faults: ReadonlyMap<string, string[]>;
  walk: Walk | null;
  /** Of a draft that may be changed. */
  editing?: Editing | null;
  insertAt?: (place: Place) => void;
  title?: string;
  /** A word about a step, such as how it differs from another version. */
  marks?: ReadonlyMap<string, string>;
}) {
  const t = useTexts(TEXTS);
  const name = useId();
  const frame = useRef<HTMLDivElement>(null);
  const shape = JSON.stringify(journey.passos.map(({ id, proximo, config }) => [id, proximo, config]));
  const mayChange = editing !== null;
  const drawn = useMemo(() => layoutOf(journey, mayChange ? endsOf(editing) : []), [shape, journey.entradaPasso, mayChange]);
  const { pull, start } = usePull(frame, editing);
  const focus = useRef<string | null>(null);
  const walked = new Map(walk?.steps.map((one, at) => [one.step, { at: at + 1, result: one.result }]));
  const passed = new Set(walk?.steps.map((one, at) => `${at ? walk.steps[at - 1]!.step : ENTRY}>${one.step}`));

  /** Keys of a step that change the draft: whether this was one. */
  const edit = (event: KeyboardEvent, here: string): boolean => {
    if (!editing) return false;
    const key = event.key.toLowerCase();
    const control = event.ctrlKey || event.metaKey;
    const isStep = here !== ENTRY;
    if (isStep && (key === "delete" || key === "backspace") && editing.removable(here)) {
      focus.current = drawn.ways.find((one) => one.to === here)?.from ?? ENTRY;
      editing.remove(here);
    } else if (control && isStep && (key === "c" || key === "x")) {
      editing.copy(here, event.shiftKey);
      if (key === "x" && editing.removable(here)) editing.remove(here);
    } else if (control && key === "v") editing.paste(here);
    else return false;
    return true;
  };
  const move = (event: KeyboardEvent) => {
    const here = (event.target as HTMLElement).closest<HTMLElement>("[data-step]")?.dataset["step"];
    if (!here) return;
    if (edit(event, here)) return event.preventDefault();
    const place = drawn.places.get(here)!;
    const beside = drawn.layers[place.layer]!;
    const next = {
      ArrowDown: drawn.ways.find((one) => one.from === here && one.to)?.to,
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
  const shownBefore = useRef(chosen);
  useEffect(() => {
    // From a step that was put in one goes on, and from what is left beside one that was taken out.
    const wanted = focus.current ?? (mayChange && chosen && chosen !== shownBefore.current ? chosen : null);
    shownBefore.current = chosen;
    focus.current = null;
    if (wanted) focusOn(() => frame.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(wanted)}"]`));
  }, [drawn, chosen]);
  const at = (id: string) => {
    const place = drawn.places.get(id)!;
    return { left: place.x - WIDTH / 2, top: place.y, width: WIDTH, height: HEIGHT };
  };
  return (
    <section className="card jn-canvas" aria-labelledby={name}>
      <header>
        <h2 id={name}>{title ?? t("canvas")}</h2>
        <span className="quiet jn-hint">{t(editing ? "editHint" : "canvasHint")}</span>
        {editing && (
          <span className="row">
            <button type="button" className="button small" disabled={!editing.canUndo || editing.busy} title="Ctrl+Z" onClick={editing.undo}>
              {t("undo")}
            </button>
            <button type="button" className="button small" disabled={!editing.canRedo || editing.busy} title="Ctrl+Shift+Z" onClick={editing.redo}>
              {t("redo")}
            </button>
          </span>
        )}
      </header>
      <div className="jn-frame" ref={frame} onKeyDown={move} role="group" aria-labelledby={name} tabIndex={0}>
        <div className="jn-plane" style={{ width: drawn.width, height: drawn.height }}>
          <svg width={drawn.width} height={drawn.height} aria-hidden="true" focusable="false">
            <defs>
              {["jn-tip", "jn-tip-walked"].map((id) => (
                <marker key={id} id={`${name}-${id}`} className={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">
                  <path d="M0 0 8 4 0 8Z" />
                </marker>
              ))}
            </defs>
            {pull && <path className="jn-pull" d={`M${pull.fromX} ${pull.fromY} L${pull.x} ${pull.y}`} />}
            {drawn.ways.map((one) => (
              <g key={`${one.from} ${one.name}`} className={passed.has(`${one.from}>${one.to}`) ? "jn-way walked" : "jn-way"}>
                <path d={one.path} {...(one.to && { markerEnd: `url(#${name}-${passed.has(`${one.from}>${one.to}`) ? "jn-tip-walked" : "jn-tip"})` })} />
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
              aim={pull?.over === step.id}
              mark={marks?.get(step.id)}
            />
          ))}
          {editing &&
            insertAt &&
            drawn.ways.map((one) => (
              <button
                type="button"
                key={`${one.from} ${one.name}`}
                className="jn-plus"
                data-way={`${one.from} ${one.name}`}
                style={{ left: one.middle.x - 12, top: one.middle.y - 12 }}
                aria-label={t("insertOn", { way: wayName(one, t("wayOn")), step: one.from === ENTRY ? t("entry") : titleOf(journey.passos.find((step) => step.id === one.from)!) })}
                title={t("plusHint")}
                onPointerDown={(event) => start(event, one)}
                onClick={() => insertAt({ from: one.from, way: one.name })}
              >
                <Icon name="plus" size={14} />
              </button>
            ))}
        </div>
      </div>
      {journey.passos.length === 0 && <p className="quiet jn-none">{t("noSteps")}</p>}
    </section>
  );
}

/** Once no dialog keeps the focus. */
function focusOn(find: () => HTMLElement | null | undefined, tries = 60): void {
  if (tries && document.querySelector("dialog[open]")) requestAnimationFrame(() => focusOn(find, tries - 1));
  else find()?.focus({ preventScroll: true });
}

const wayName = (way: Way, plain: string): string => wayOf(way.name, way.percent) || plain;

/** The ways of a draft that lead nowhere yet. */
function endsOf({ draft }: Editing): Way[] {
  const ends: Way[] = draft.passos.flatMap((step) =>
    placesOf(step)
      .filter((way) => !leadsTo(step, way))
      .map((way) => ({ from: step.id, to: "", name: way, ...(way.startsWith("ramos.") && { percent: partsOf(step)[Number(way.slice(6))]!.percentual ?? 0 }) })),
  );
  return draft.entradaPasso ? ends : [{ from: ENTRY, to: "", name: "entry" }, ...ends];
}

interface Pull extends Place {
  fromX: number;
  fromY: number;
  x: number;
  y: number;
  over: string | null;
}

const SLACK = 6;
const EDGE = 40;
const nudge = (at: number, low: number, high: number): number => (at < low + EDGE ? -14 : at > high - EDGE ? 14 : 0);

/** A way pulled from its button to the step that it shall lead to. */
function usePull(frame: { current: HTMLDivElement | null }, editing: Editing | null) {
  const [pull, setPull] = useState<Pull | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  function start(event: PointerEvent<HTMLElement>, way: Drawn) {
    if (event.button !== 0 || !editing) return;
    const button = event.currentTarget;
    const plane = frame.current!.firstElementChild!;
    const allowed = new Set(targetsOf(editing.draft, way.from).map((one) => one.id));
    const from = { x: event.clientX, y: event.clientY };
    let now: Pull | null = null;
    const moved = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (!now && Math.hypot(clientX - from.x, clientY - from.y) < SLACK) return;
      const edges = frame.current!.getBoundingClientRect();
      frame.current!.scrollBy(nudge(clientX, edges.left, edges.right), nudge(clientY, edges.top, edges.bottom));
      const box = plane.getBoundingClientRect();
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-step]")?.dataset["step"];
      now = {
        from: way.from,
        way: way.name,
        fromX: way.middle.x,
        fromY: way.middle.y,
        x: clientX - box.left,
        y: clientY - box.top,
        over: under && allowed.has(under) ? under : null,
      };
      setPull(now);
    };
    const end = (dropped: boolean) => {
      stop.current?.();
      if (!now) return;
      // The click that ends a pull puts nothing in.
      addEventListener("click", (click) => click.target === button && click.stopPropagation(), { capture: true, once: true });
      if (dropped && now.over) editing.connect(now, now.over);
    };
    const up = () => end(true);
    const key = (pressed: globalThis.KeyboardEvent) => pressed.key === "Escape" && end(false);
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    addEventListener("keydown", key);
    stop.current = () => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      removeEventListener("keydown", key);
      setPull(null);
      stop.current = null;
    };
  }
  return { pull, start };
}

function StepBox({
  step,
  style,
  chosen,
  choose,
  faults,
  walked,
  dim,
  aim,
  mark,
}: {
  step: Step;
  style: { left: number; top: number; width: number; height: number };
  chosen: boolean;
  choose: () => void;
  faults: number;
  walked: { at: number; result: string } | undefined;
  dim: boolean;
  aim: boolean;
  mark: string | undefined;
}) {
  const t = useTexts(TEXTS);
  const { metricas: figures } = step;
  const skipped = skippedOf(step);
  return (
    <button
      type="button"
      data-step={step.id}
      className={["jn-step", step.tipo, faults ? "faulty" : "", walked ? `walked ${walked.result}` : "", dim ? "dim" : "", aim ? "aim" : "", mark ? "marked" : ""].join(" ")}
      style={style}
      aria-pressed={chosen}
      onClick={choose}
    >
      <b>
        <span className="cut">{titleOf(step)}</span>
        {mark && <i className="jn-mark">{mark}</i>}
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
  step.metricas.puladosPorMotivo
    .map(({ motivo, quantidade }): [string, number] => [motivo, quantidade])
    .sort((a, b) => b[1] - a[1]);

export const skippedOf = (step: Step): number => reasonsOf(step).reduce((sum, [, count]) => sum + count, 0);
