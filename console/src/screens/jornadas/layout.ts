// Where steps and ways are drawn: layers from the entry downwards, long ways around what is between.

import type { ResultOf } from "../../gateway/graphql";
import type { JOURNEY } from "./documents";

export type Journey = NonNullable<ResultOf<typeof JOURNEY>["journey"]>;
export type Step = Journey["passos"][number] & {
  /** What the template that it sends is called. */
  modelo?: string;
};

export const ENTRY = " entry";
export const WIDTH = 212;
export const HEIGHT = 96;
const GAP = 28;
const BETWEEN = 72;
const LANE = 26; // of a way that passes a layer
const MIDDLE = 40; // of a way that leads nowhere: where it ends

export interface Way {
  from: string;
  /** Empty: it leads nowhere yet, as a draft is shown to who may change it. */
  to: string;
  /** The field that names it, such as `seSim` or `ramos.0`. */
  name: string;
  percent?: number;
}

const NAMED = ["seSim", "seNao", "seOcorrer", "seExpirar", "seOk", "seFalhar"];

export const configOf = (step: Pick<Step, "config">): Record<string, unknown> => (step.config ?? {}) as Record<string, unknown>;

/** The ways out of a step that lead to another, in the order in which it has them. */
export function waysOf(step: Step): Way[] {
  const config = configOf(step);
  const ways: Way[] = [];
  const add = (name: string, to: unknown, percent?: number) => {
    if (typeof to === "string") ways.push({ from: step.id, to, name, ...(percent !== undefined && { percent }) });
  };
  for (const name of NAMED) add(name, config[name]);
  const parts = Array.isArray(config["ramos"]) ? (config["ramos"] as { percentual?: number; proximo?: string }[]) : [];
  parts.forEach((one, at) => add(`ramos.${at}`, one.proximo, one.percentual));
  add("proximo", step.proximo);
  return ways;
}

export interface Placed {
  id: string;
  x: number;
  y: number;
  layer: number;
}

export interface Drawn extends Way {
  path: string;
  labelX: number;
  labelY: number;
  /** Its middle, where a step may be put in. */
  middle: { x: number; y: number };
}

export interface Layout {
  width: number;
  height: number;
  places: Map<string, Placed>;
  layers: string[][];
  ways: Drawn[];
}

interface Item {
  key: string;
  width: number;
  x: number;
  up: Item[];
  down: Item[];
  step: string | null;
}

/** With `ends`, the ways that lead nowhere: they are drawn too. */
export function layoutOf(journey: Pick<Journey, "passos" | "entradaPasso">, ends: Way[] = []): Layout {
  const known = new Set(journey.passos.map((one) => one.id));
  const ways = journey.passos.flatMap(waysOf).filter((one) => known.has(one.to));
  const first = journey.entradaPasso ?? journey.passos[0]?.id;
  if (first && known.has(first)) ways.unshift({ from: ENTRY, to: first, name: "entry" });
  const all = [...ways, ...ends];

  const depth = depthsOf([ENTRY, ...known], ways);
  const rows: Item[][] = Array.from({ length: Math.max(...depth.values()) + 1 }, () => []);
  const items = new Map<string, Item>();
  const put = (key: string, layer: number, step: string | null): Item => {
    const item: Item = { key, width: step ? WIDTH : LANE, x: 0, up: [], down: [], step };
    rows[layer]!.push(item);
    items.set(key, item);
    return item;
  };
  for (const [id, layer] of depth) put(id, layer, id);
  const chains = ways.map((way, at) => {
    const chain = [items.get(way.from)!];
    for (let layer = depth.get(way.from)! + 1; layer < depth.get(way.to)!; layer += 1) chain.push(put(`${at} ${layer}`, layer, null));
    chain.push(items.get(way.to)!);
    chain.slice(1).forEach((item, i) => {
      item.up.push(chain[i]!);
      chain[i]!.down.push(item);
    });
    return chain;
  });
  order(rows);
  const width = spread(rows);

  const top = (layer: number) => 12 + layer * (HEIGHT + BETWEEN);
  const places = new Map<string, Placed>();
  for (const [id, layer] of depth) places.set(id, { id, layer, x: items.get(id)!.x, y: top(layer) });
  const drawnWays = all.map((way, at) => drawn(way, chains[at] ?? [items.get(way.from)!], depth.get(way.from)!, all, top));
  apart(drawnWays);
  return {
    width,
    height: top(rows.length - 1) + HEIGHT + (ends.length ? BETWEEN : 16),
    places,
    layers: rows.map((row) => row.flatMap((one) => one.step ?? [])),
    ways: drawnWays,
  };
}

/** The longest way from the entry; what nothing leads to stands below the entry too. */
function depthsOf(ids: string[], ways: Way[]): Map<string, number> {
  const depth = new Map(ids.map((id) => [id, id === ENTRY ? 0 : 1]));
  for (let round = 0; round < ids.length; round += 1) {
    let moved = false;
    for (const { from, to } of ways) {
      const least = Math.min(depth.get(from)! + 1, ids.length); // a draft may still have a cycle
      if (depth.get(to)! >= least) continue;
      depth.set(to, least);
      moved = true;
    }
    if (!moved) break;
  }
  return depth;
}

/** Neighbours come to stand below each other: the mean place of those above, then of those below, some times. */
function order(rows: Item[][]): void {
  for (let round = 0; round < 6; round += 1) {
    const down = round % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) {
      const place = new Map<Item, number>();
      row.forEach((item, at) => {
        const near = down ? item.up : item.down;
        const sides = near.map((one) => (down ? sideOf(one, item) : 0) + rankOf(rows, one));
        place.set(item, sides.length ? sides.reduce((a, b) => a + b, 0) / sides.length : at);
      });
      row.sort((a, b) => place.get(a)! - place.get(b)!);
    }
  }
}

const rankOf = (rows: Item[][], item: Item): number => rows.find((row) => row.includes(item))!.indexOf(item);
const sideOf = (from: Item, to: Item): number => from.down.indexOf(to) / (from.down.length + 1);

/** Places from left to right, near the middle of their neighbours, with room between them. Answers the width. */
function spread(rows: Item[][]): number {
  const room = (a: Item, b: Item) => (a.width + b.width) / 2 + GAP;
  for (const row of rows) {
    row.forEach((item, at) => (item.x = at === 0 ? 0 : row[at - 1]!.x + room(row[at - 1]!, item)));
    const middle = ((row.at(-1)?.x ?? 0) + (row[0]?.x ?? 0)) / 2;
    for (const item of row) item.x -= middle;
  }
  for (let round = 0; round < 12; round += 1) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const wanted = row.map((item) => {
        const near = round % 2 ? item.down : item.up;
        return near.length ? near.reduce((sum, one) => sum + one.x, 0) / near.length : item.x;
      });
      row.forEach((item, at) => (item.x = at === 0 ? wanted[at]! : Math.max(wanted[at]!, row[at - 1]!.x + room(row[at - 1]!, item))));
      const shift = row.reduce((sum, item, at) => sum + wanted[at]! - item.x, 0) / (row.length || 1);
      for (const item of row) item.x += shift;
    }
  }
  const all = rows.flat();
  const left = Math.min(...all.map((one) => one.x - one.width / 2)) - 16;
  for (const one of all) one.x -= left;
  return Math.max(...all.map((one) => one.x + one.width / 2)) + 16;
}

const rank = (way: Way): number => (way.name.startsWith("ramos.") ? Number(way.name.slice(6)) : ["entry", ...NAMED, "proximo"].indexOf(way.name));

function drawn(way: Way, chain: Item[], layer: number, ways: Way[], top: (layer: number) => number): Drawn {
  const siblings = ways.filter((one) => one.from === way.from).sort((one, other) => rank(one) - rank(other));
  const at = siblings.indexOf(way);
  const share = (at - (siblings.length - 1) / 2) * Math.min(54, (WIDTH + 60) / siblings.length);
  const edge = WIDTH / 2 - 14;
  const startX = chain[0]!.x + Math.max(-edge, Math.min(edge, share));
  const below = top(layer) + HEIGHT;
  let [x, y] = [startX, below];
  let path = `M${x} ${y}`;
  if (chain.length === 1) path += ` L${chain[0]!.x + share} ${below + MIDDLE}`;
  chain.slice(1).forEach((item, i) => {
    const end = top(layer + i + 1);
    const half = (y + end) / 2;
    path += ` C${x} ${half} ${item.x} ${half} ${item.x} ${end}`;
    [x, y] = [item.x, end];
    if (i < chain.length - 2) {
      y += HEIGHT;
      path += ` L${x} ${y}`;
    }
  });
  const next = chain[1]?.x ?? startX;
  const together = way.to !== "" && siblings.filter((one) => one.to === way.to).length > 1;
  return {
    ...way,
    path,
    labelX: startX + (next - startX) * 0.25,
    labelY: below + 15 + (siblings.length > 3 ? (at % 2) * 11 : 0),
    middle: chain[1] ? along(startX, next, below, together ? 0.36 : 0.54) : { x: chain[0]!.x + share, y: below + MIDDLE },
  };
}

/** A place on the curve from one layer to the next: 0 is its beginning, 1 its end. */
function along(from: number, to: number, below: number, part: number): { x: number; y: number } {
  const rest = 1 - part;
  return {
    x: from + (to - from) * part * part * (3 - 2 * part),
    y: below + BETWEEN * (1.5 * part * rest * rest + 1.5 * part * part * rest + part ** 3),
  };
}

const ROOM = 26; // of a button in the middle of a way

/** Middles that would lie on each other are moved down and up along their ways. */
function apart(ways: Drawn[]): void {
  const placed: { x: number; y: number }[] = [];
  for (const { middle } of ways) {
    const free = [0, 20, -14].find((by) => placed.every((one) => Math.abs(one.x - middle.x) >= ROOM || Math.abs(one.y - middle.y - by) >= ROOM));
    middle.y += free ?? 0;
    placed.push(middle);
  }
}
