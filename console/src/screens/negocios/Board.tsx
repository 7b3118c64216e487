import * as Menu from "@radix-ui/react-dropdown-menu";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { toast } from "../../ui/parts";
import { useSaid } from "../../ui/states";
import { joined, money, number, onDate } from "../../ui/format";
import { ConflictDialog, LoseDialog, RequiredDialog } from "./dialogs";
import { type BOARD, DEAL_NOW, MOVE, MOVED, STAGE_CARDS } from "./documents";
import { TEXTS } from "./texts";

export type Pipeline = NonNullable<ResultOf<typeof BOARD>["pipeline"]>;
export type Stage = Pipeline["etapas"][number];
export type Card = NonNullable<Stage["cards"]>["nodes"][number];
export type Filling = { valor?: number; dataPrevista?: string; contatoId?: string; responsavelId?: string };

/** Where a card is wanted: in front of another one of the stage, or behind all. */
export interface Wanted {
  card: Card;
  stage: Stage;
  before: string | null;
}
interface With {
  campos?: Filling;
  motivoPerdaId?: string;
  observacaoPerda?: string;
  force?: boolean;
}
type Asked =
  | { why: "required"; wanted: Wanted; fields: string[]; carried: With }
  | { why: "lose"; wanted: Wanted }
  | { why: "conflict"; wanted: Wanted; now: Card; carried: With };

const newer = (one: Card, other: Card | undefined): boolean => !other || one.versao > other.versao || (one.versao === other.versao && one.updatedAt >= other.updatedAt);

export function Board({ pipeline, again }: { pipeline: Pipeline; again: () => void }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  const client = useClient();
  const { may } = useSession();
  const mayMove = may("crm:write") && !pipeline.arquivado;
  const [more, setMore] = useState<Record<string, { cards: Card[]; after: string | null; has: boolean }>>({});
  const [told, setTold] = useState<ReadonlyMap<string, Card>>(new Map());
  const [going, setGoing] = useState<ReadonlyMap<string, Wanted>>(new Map());
  const [asked, setAsked] = useState<Asked | null>(null);
  const [move] = useWrite(MOVE);
  const focus = useRef<string | null>(null);
  const written = useRef(new Map<string, { versao: number; last: Promise<unknown> }>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const hear = useCallback((one: Card) => setTold((before) => (newer(one, before.get(one.id)) ? new Map(before).set(one.id, one) : before)), []);
  useLive(MOVED, { pipelineId: pipeline.id }, ({ cardMoved: { card } }) => {
    if (card?.pipelineId === pipeline.id) hear(card);
    clearTimeout(timer.current);
    timer.current = setTimeout(again, 400); // sums of the columns
  });

  const columns = useMemo(() => {
    const all = new Map<string, Card>();
    const put = (one: Card) => newer(one, all.get(one.id)) && all.set(one.id, one);
    for (const stage of pipeline.etapas) stage.cards?.nodes.forEach(put);
    for (const one of Object.values(more)) one.cards.forEach(put);
    told.forEach(put);
    return pipeline.etapas.map((stage) => {
      const cards = [...all.values()].filter((one) => (going.get(one.id)?.stage.id ?? one.etapaId) === stage.id && !going.has(one.id));
      cards.sort((one, other) => (one.ordem < other.ordem ? -1 : 1));
      for (const { card, stage: to, before } of going.values()) {
        if (to.id !== stage.id) continue;
        const at = before ? cards.findIndex((one) => one.id === before) : -1;
        cards.splice(at < 0 ? cards.length : at, 0, card);
      }
      return { stage, cards };
    });
  }, [pipeline, more, told, going]);

  useLayoutEffect(() => {
    if (!focus.current) return;
    document.querySelector<HTMLElement>(`[data-card="${focus.current}"] button`)?.focus();
    focus.current = null;
  }, [columns]);

  async function go(wanted: Wanted, carried: With = {}) {
    const { card, stage, before } = wanted;
    if (stage.resultado === "PERDA" && card.etapaId !== stage.id && !("motivoPerdaId" in carried) && pipeline.motivos.some((one) => one.ativo)) {
      setAsked({ why: "lose", wanted });
      return;
    }
    const { force, ...rest } = carried;
    const last = columns.find((one) => one.stage.id === stage.id)?.cards.filter((one) => one.id !== card.id).at(-1);
    setAsked(null);
    setGoing((all) => new Map(all).set(card.id, wanted));
    // One after the other for each card: a move that follows quickly is no conflict with oneself.
    const earlier = written.current.get(card.id);
    const running = (earlier?.last ?? Promise.resolve()).then(() => {
      const versao = Math.max(card.versao, written.current.get(card.id)?.versao ?? 0);
      return move({
        id: card.id,
        input: { etapaId: stage.id, ...(before ? { antesDe: before } : last && { depoisDe: last.id }), ...(!force && { versao }), ...rest },
      });
    });
    written.current.set(card.id, { versao: earlier?.versao ?? 0, last: running });
    const { data, refusal } = await running;
    if (data?.moveCard) {
      written.current.set(card.id, { versao: data.moveCard.versao, last: written.current.get(card.id)!.last });
      hear(data.moveCard);
      toast(t("moved", { title: card.titulo, stage: stage.nome }));
    }
    setGoing((all) => {
      const left = new Map(all);
      if (all.get(card.id) === wanted) left.delete(card.id);
      return left;
    });
    if (!refusal) return;
    const missing = refusal.meta["campos"];
    if (Array.isArray(missing)) return setAsked({ why: "required", wanted, fields: missing.map(String), carried });
    if (refusal.meta["code"] === "VERSAO_DESATUALIZADA") {
      const { data: found } = await client.query(DEAL_NOW, { id: card.id }, { requestPolicy: "network-only" }).toPromise();
      if (found?.card) {
        hear(found.card);
        return setAsked({ why: "conflict", wanted, now: found.card, carried });
      }
    }
    toast(said(refusal).sentence);
    again();
  }

  async function readMore(stage: Stage) {
    const after = more[stage.id]?.after ?? stage.cards?.pageInfo.endCursor ?? null;
    const { data } = await client.query(STAGE_CARDS, { filter: { pipelineId: pipeline.id, etapaId: stage.id }, after }, { requestPolicy: "network-only" }).toPromise();
    const found = data?.cards;
    if (!found) return;
    setMore((all) => ({
      ...all,
      [stage.id]: { cards: [...(all[stage.id]?.cards ?? []), ...found.nodes], after: found.pageInfo.endCursor, has: found.pageInfo.hasNextPage },
    }));
  }

  /** To a neighbouring place: by one column, or by one card. */
  function nudge(card: Card, column: number, step: "left" | "right" | "up" | "down") {
    focus.current = card.id;
    if (step === "left" || step === "right") {
      const to = columns[column + (step === "left" ? -1 : 1)];
      if (to) void go({ card, stage: to.stage, before: null });
      return;
    }
    const { cards, stage } = columns[column]!;
    const at = cards.findIndex((one) => one.id === card.id);
    if (step === "up" && at > 0) void go({ card, stage, before: cards[at - 1]!.id });
    if (step === "down" && at < cards.length - 1) void go({ card, stage, before: cards[at + 2]?.id ?? null });
  }

  const { drag, start } = useDrag((card, stageId, before) => {
    const stage = pipeline.etapas.find((one) => one.id === stageId);
    if (stage) void go({ card, stage, before });
  });

  return (
    <>
      <div className={`board${drag ? " dragging" : ""}`} role="group" aria-label={pipeline.nome} tabIndex={0}>
        {columns.map(({ stage, cards }, column) => (
          <section key={stage.id} className="stage-column" data-stage={stage.id} aria-labelledby={`of-${stage.id}`}>
            <header>
              <h2 id={`of-${stage.id}`}>{stage.nome}</h2>
              <p className="quiet">{joined(t("count", { count: number(stage.quantidade) }), stage.valorTotal ? money(stage.valorTotal, pipeline.moeda) : null)}</p>
            </header>
            <ul tabIndex={0} aria-labelledby={`of-${stage.id}`}>
              {cards.map((card) => (
                <li
                  key={card.id}
                  data-card={card.id}
                  className={`deal${drag?.card.id === card.id ? " lifted" : ""}${going.has(card.id) ? " going" : ""}${drag?.stage === stage.id && drag.before === card.id ? " gap" : ""}`}
                  onPointerDown={mayMove ? (event) => start(event, card) : undefined}
                >
                  <DealFacts card={card} />
                  {mayMove && <DealMenu card={card} column={column} pipeline={pipeline} go={(stage) => ((focus.current = card.id), void go({ card, stage, before: null }))} nudge={nudge} />}
                </li>
              ))}
              {drag?.stage === stage.id && !drag.before && <li className="gap end" aria-hidden="true" />}
            </ul>
            {(more[stage.id]?.has ?? stage.cards?.pageInfo.hasNextPage) && (
              <button type="button" className="button small" onClick={() => void readMore(stage)}>
                {t("more")}
              </button>
            )}
          </section>
        ))}
      </div>
      {drag && (
        <div className="deal ghost" aria-hidden="true" style={{ left: drag.x, top: drag.y, width: drag.width }}>
          <DealFacts card={drag.card} />
        </div>
      )}
      {asked?.why === "required" && (
        <RequiredDialog
          wanted={asked.wanted}
          fields={asked.fields}
          close={() => setAsked(null)}
          fill={(campos) => void go(asked.wanted, { ...asked.carried, campos: { ...asked.carried.campos, ...campos } })}
        />
      )}
      {asked?.why === "lose" && (
        <LoseDialog wanted={asked.wanted} reasons={pipeline.motivos.filter((one) => one.ativo)} close={() => setAsked(null)} lose={(carried) => void go(asked.wanted, carried)} />
      )}
      {asked?.why === "conflict" && (
        <ConflictDialog wanted={asked.wanted} now={asked.now} pipeline={pipeline} close={() => setAsked(null)} anyway={() => void go({ ...asked.wanted, card: asked.now }, { ...asked.carried, force: true })} />
      )}
    </>
  );
}

function DealFacts({ card }: { card: Card }) {
  const t = useTexts(TEXTS);
  return (
    <div>
      <p className="deal-title">{card.titulo}</p>
      <p className="quiet">{joined(card.company?.nome, card.contato?.name)}</p>
      <p className="quiet">
        {joined(card.valor !== null && money(card.valor, card.moeda), card.dataPrevista && onDate(`${card.dataPrevista}T12:00`), card.responsavel?.name)}{" "}
        {card.atrasado && <span className="badge late">{t("late", { days: card.diasNaEtapa })}</span>}
      </p>
    </div>
  );
}

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" } as const;

function DealMenu({
  card,
  column,
  pipeline,
  go,
  nudge,
}: {
  card: Card;
  column: number;
  pipeline: Pipeline;
  go: (stage: Stage) => void;
  nudge: (card: Card, column: number, step: "left" | "right" | "up" | "down") => void;
}) {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const keys = (event: KeyboardEvent) => {
    const step = ARROWS[event.key as keyof typeof ARROWS];
    if (!event.altKey || !step) return;
    event.preventDefault();
    event.stopPropagation();
    nudge(card, column, step);
  };
  const others = pipeline.etapas.filter((one) => one.id !== card.etapaId);
  const ending = (outcome: string) => others.find((one) => one.resultado === outcome);
  const won = ending("GANHO");
  const lost = ending("PERDA");
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button bare small" aria-label={t("actions", { title: card.titulo })} title={t("keys")} onKeyDownCapture={keys}>
        <Icon name="more" size={18} />
      </Menu.Trigger>
      <Menu.Content className="menu" align="end" sideOffset={4}>
        <Menu.Label className="label">{t("moveTo")}</Menu.Label>
        {others
          .filter((one) => one.resultado === "ABERTA")
          .map((one) => (
            <Menu.Item key={one.id} onSelect={() => go(one)}>
              {one.nome}
            </Menu.Item>
          ))}
        <Menu.Item onSelect={() => nudge(card, column, "up")}>{t("up")}</Menu.Item>
        <Menu.Item onSelect={() => nudge(card, column, "down")}>{t("down")}</Menu.Item>
        <Menu.Separator />
        {won && <Menu.Item onSelect={() => go(won)}>{t("win")}</Menu.Item>}
        {lost && <Menu.Item onSelect={() => go(lost)}>{t("lose")}</Menu.Item>}
        {card.contato && <Menu.Item onSelect={() => void navigate({ to: `/contatos/${card.contato!.id}` })}>{t("open")}</Menu.Item>}
      </Menu.Content>
    </Menu.Root>
  );
}

interface Drag {
  card: Card;
  x: number;
  y: number;
  width: number;
  stage: string | null;
  before: string | null;
}

const SLACK = 6;
const EDGE = 70;

/** Dragging with a mouse or a pen; fingers scroll, and have the menu. */
function useDrag(dropped: (card: Card, stage: string, before: string | null) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  function start(event: PointerEvent<HTMLElement>, card: Card) {
    if (event.button !== 0 || event.pointerType === "touch" || (event.target as Element).closest("button, a, [role=menu]")) return;
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    const board = event.currentTarget.closest<HTMLElement>(".board")!;
    const from = { x: event.clientX, y: event.clientY };
    let now: Drag | null = null;
    const over = (x: number, y: number) => {
      const column = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset["stage"]) as HTMLElement | undefined;
      if (!column) return { stage: null, before: null };
      const below = [...column.querySelectorAll<HTMLElement>("[data-card]")].find((one) => {
        const place = one.getBoundingClientRect();
        return one.dataset["card"] !== card.id && y < place.top + place.height / 2;
      });
      return { stage: column.dataset["stage"]!, before: below?.dataset["card"] ?? null };
    };
    const moved = (next: globalThis.PointerEvent) => {
      const { clientX: x, clientY: y } = next;
      if (!now && Math.hypot(x - from.x, y - from.y) < SLACK) return;
      const edges = board.getBoundingClientRect();
      if (x > edges.right - EDGE) board.scrollLeft += 14;
      if (x < edges.left + EDGE) board.scrollLeft -= 14;
      now = { card, x: box.left + x - from.x, y: box.top + y - from.y, width: box.width, ...over(x, y) };
      setDrag(now);
    };
    const end = () => {
      for (const [name, does] of listeners) window.removeEventListener(name, does as EventListener, true);
      stop.current = null;
      setDrag(null);
    };
    const up = () => {
      end();
      if (now?.stage) dropped(card, now.stage, now.before);
    };
    const key = (next: globalThis.KeyboardEvent) => next.key === "Escape" && end();
    const listeners = [
      ["pointermove", moved],
      ["pointerup", up],
      ["pointercancel", end],
      ["keydown", key],
    ] as const;
    for (const [name, does] of listeners) window.addEventListener(name, does as EventListener, true);
    stop.current = end;
  }
  return { drag, start };
}
