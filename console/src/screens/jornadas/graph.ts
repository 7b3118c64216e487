// The steps of a draft as somebody changes them: which ways a step has, and how steps are put in, led elsewhere and taken out.

import { configOf, ENTRY, type Journey, type Step } from "./layout";

export interface Written {
  id: string;
  tipo: string;
  rotulo?: string;
  proximo?: string;
  config: Record<string, unknown>;
}

export interface Draft {
  passos: Written[];
  entradaPasso: string | null;
}

/** A way out of a step, or out of the entry, by its name: `proximo`, `seSim`, `ramos.0`. */
export interface Place {
  from: string;
  way: string;
}

interface Part {
  percentual?: number;
  proximo?: string;
  controle?: boolean;
}

const writtenOf = (step: Step): Written => ({
  id: step.id,
  tipo: step.tipo,
  config: configOf(step),
  ...(step.rotulo && { rotulo: step.rotulo }),
  ...(step.proximo && { proximo: step.proximo }),
});

export const draftOf = (journey: Pick<Journey, "passos" | "entradaPasso">): Draft => ({
  passos: journey.passos.map(writtenOf),
  entradaPasso: journey.entradaPasso,
});

export const partsOf = ({ config }: Pick<Written, "config">): Part[] => (Array.isArray(config["ramos"]) ? (config["ramos"] as Part[]) : []);

/** The ways that a step may have, in their order. */
export function placesOf(step: Pick<Written, "tipo" | "config">): string[] {
  switch (step.tipo) {
    case "condicao":
      return ["seSim", "seNao"];
    case "aguardarEvento":
      return ["seOcorrer", "seExpirar"];
    case "divisao":
      return partsOf(step).map((_, at) => `ramos.${at}`);
    case "webhook":
      return step.config["seOk"] || step.config["seFalhar"] ? ["seOk", "seFalhar"] : ["proximo"];
    case "saida":
      return [];
    default:
      return ["proximo"];
  }
}

export function leadsTo(step: Pick<Written, "proximo" | "config">, way: string): string | undefined {
  if (way === "proximo") return step.proximo;
  if (way.startsWith("ramos.")) return partsOf(step)[Number(way.slice(6))]?.proximo;
  return (step.config[way] as string | null | undefined) ?? undefined;
}

function led(step: Written, way: string, to: string | undefined): Written {
  if (way === "proximo") {
    const { proximo: _, ...rest } = step;
    return to ? { ...rest, proximo: to } : rest;
  }
  if (way.startsWith("ramos.")) {
    const ramos = partsOf(step).map(({ proximo, ...one }, at) => {
      const next = at === Number(way.slice(6)) ? to : proximo;
      return next ? { ...one, proximo: next } : one;
    });
    return { ...step, config: { ...step.config, ramos } };
  }
  const { [way]: _, ...config } = step.config;
  return { ...step, config: to ? { ...config, [way]: to } : config };
}

const withStep = (draft: Draft, id: string, change: (step: Written) => Written): Draft => ({
  ...draft,
  passos: draft.passos.map((one) => (one.id === id ? change(one) : one)),
});

export const targetOf = (draft: Draft, { from, way }: Place): string | undefined => {
  if (from === ENTRY) return draft.entradaPasso ?? undefined;
  const step = draft.passos.find((one) => one.id === from);
  return step && leadsTo(step, way);
};

/** The way leads there, or nowhere. */
export const connected = (draft: Draft, { from, way }: Place, to: string | undefined): Draft =>
  from === ENTRY ? { ...draft, entradaPasso: to ?? null } : withStep(draft, from, (step) => led(step, way, to));

const nextOf = (step: Written): string[] => placesOf(step).flatMap((way) => leadsTo(step, way) ?? []);

function reachedFrom(passos: readonly Written[], first: string | null): Set<string> {
  const all = new Map(passos.map((one) => [one.id, one]));
  const reached = new Set<string>();
  const open = first && all.has(first) ? [first] : [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...nextOf(all.get(id)!).filter((one) => all.has(one)));
  }
  return reached;
}

/** Steps that nothing leads to: the service takes none. */
export function unreached(draft: Draft): Written[] {
  const reached = reachedFrom(draft.passos, draft.entradaPasso);
  return draft.passos.filter((one) => !reached.has(one.id));
}

export const reachedOnly = (draft: Draft): Draft => {
  const gone = new Set(unreached(draft).map((one) => one.id));
  return { ...draft, passos: draft.passos.filter((one) => !gone.has(one.id)) };
};

/** Where a way may lead: to no step that leads back to its own. */
export const targetsOf = (draft: Draft, from: string): Written[] =>
  from === ENTRY ? draft.passos : draft.passos.filter((one) => !reachedFrom(draft.passos, one.id).has(from));

/** A step to copy, alone or with all that follows it; no way leads out of it. */
export function pieceOf(draft: Draft, id: string, whole: boolean): Written[] {
  const kept = whole ? reachedFrom(draft.passos, id) : new Set([id]);
  const piece = draft.passos.filter((one) => kept.has(one.id)).sort((one, other) => Number(other.id === id) - Number(one.id === id));
  return piece.map((step) => placesOf(step).reduce((now, way) => (kept.has(leadsTo(step, way) ?? "") ? now : led(now, way, undefined)), step));
}

/** The piece with ids that no step has. */
function renamed(piece: readonly Written[], passos: readonly Written[]): Written[] {
  const taken = new Set(passos.map((one) => one.id));
  const ids = new Map<string, string>();
  let count = passos.length;
  for (const { id } of piece) {
    do count += 1;
    while (taken.has(`p${count}`));
    ids.set(id, `p${count}`);
  }
  return piece.map((step) => {
    const ways = placesOf(step).map((way) => [way, leadsTo(step, way)] as const);
    return { ...ways.reduce((now, [way, to]) => led(now, way, to && ids.get(to)), step), id: ids.get(step.id)! };
  });
}

/** The piece stands on the way; all of its ends lead on to what stood there. Answers the id of its first step, too. */
export function inserted(draft: Draft, place: Place, piece: readonly Written[]): { draft: Draft; first: string } {
  const before = targetOf(draft, place);
  const made = renamed(piece, draft.passos).map((step) =>
    placesOf(step).reduce((now, way) => (leadsTo(now, way) ? now : led(now, way, before)), step),
  );
  const first = made[0]!.id;
  const { passos, entradaPasso } = connected(draft, place, first);
  const at = passos.findIndex((one) => one.id === place.from) + 1;
  return { draft: { passos: [...passos.slice(0, at), ...made, ...passos.slice(at)], entradaPasso }, first };
}

/** Without the step: what led to it leads on along its first way. */
export function without(draft: Draft, id: string): Draft {
  const gone = draft.passos.find((one) => one.id === id);
  const next = gone && nextOf(gone)[0];
  const passos = draft.passos
    .filter((one) => one.id !== id)
    .map((step) => placesOf(step).reduce((now, way) => (leadsTo(now, way) === id ? led(now, way, next) : now), step));
  return { passos, entradaPasso: draft.entradaPasso === id ? (next ?? null) : draft.entradaPasso };
}

/** What is done to a draft. */
export type Make = (draft: Draft) => Draft;

/** Each fact of a draft by its name: what a step does (`p1`), and where a way leads (`p1 proximo`). */
function factsIn(draft: Draft): Map<string, string> {
  const facts = new Map([[`${ENTRY} entry`, draft.entradaPasso ?? ""]]);
  for (const step of draft.passos) {
    const plain = placesOf(step).reduce((now, way) => led(now, way, undefined), step);
    facts.set(step.id, JSON.stringify([plain.tipo, plain.rotulo, plain.config]));
    for (const way of placesOf(step)) facts.set(`${step.id} ${way}`, leadsTo(step, way) ?? "");
  }
  return facts;
}

/** A change that was made of `before`, done to what others made of it meanwhile: `lost` names the facts of theirs that it
 * replaces. Where it needs a step that is gone, the whole draft is as it would have been. */
export function rebased(before: Draft, theirs: Draft, make: Make): { next: Draft; lost: string[] } {
  const [was, now] = [factsIn(before), factsIn(theirs)];
  const whole = make(before);
  const wanted = factsIn(whole);
  const isGone = (fact: string) => was.has(fact) && !now.has(fact) && wanted.has(fact) && wanted.get(fact) !== was.get(fact);
  const next = [...wanted.keys()].some(isGone) ? whole : make(theirs);
  const then = factsIn(next);
  const lost = [...new Set([...now.keys(), ...was.keys()])].filter((fact) => now.get(fact) !== was.get(fact) && then.get(fact) !== now.get(fact));
  return { next, lost };
}

/** Where a step is put that follows this one: its first way that leads nowhere, else its first. */
export function placeAfter(draft: Draft, id: string): Place | null {
  if (id === ENTRY) return { from: ENTRY, way: "entry" };
  const step = draft.passos.find((one) => one.id === id);
  const ways = step ? placesOf(step) : [];
  const way = ways.find((one) => !leadsTo(step!, one)) ?? ways[0];
  return way ? { from: id, way } : null;
}
