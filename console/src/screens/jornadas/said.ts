// Journeys in words.

import { say } from "../../ui/language";
import { atMoment, words } from "../../ui/format";
import { configOf, type Step } from "./layout";
import { NAMES, TEXTS } from "./texts";

export const named = (name: string | null | undefined): string =>
  name && name in NAMES ? say(NAMES, name as keyof typeof NAMES) : words(name);

interface Beginning {
  gatilho: { nome: string | null; ao: string | null };
  segmento: { nome: string } | null;
  lista: { nome: string } | null;
}

export function beginningOf({ gatilho, segmento, lista }: Beginning): string {
  if (segmento) return say(TEXTS, gatilho.ao === "SAIR" ? "segmentOut" : "segmentIn", { name: segmento.nome });
  if (lista) return say(TEXTS, "listIn", { name: lista.nome });
  return gatilho.nome ? say(TEXTS, "eventIn", { name: gatilho.nome }) : say(TEXTS, "byHand");
}

export const titleOf = (step: Step): string => step.rotulo || named(step.tipo);

const WAYS = { seSim: "yes", seNao: "no", seOcorrer: "occurred", seExpirar: "expired", seOk: "ok", seFalhar: "notOk" } as const;

export function wayOf(name: string | null, percent?: number): string {
  if (percent !== undefined) return `${percent}%`;
  return name && name in WAYS ? say(TEXTS, WAYS[name as keyof typeof WAYS]) : "";
}

const conditionsIn = (tree: unknown): number => {
  const one = (tree ?? {}) as { kind?: string; filter?: { field?: string }; children?: unknown[] };
  return one.filter ? 1 : (one.children ?? []).reduce<number>((sum, child) => sum + conditionsIn(child), 0);
};

/** What a step does, in a few words. */
export function deedOf(step: Pick<Step, "tipo" | "config" | "modelo">): string {
  const config = configOf(step);
  const text = (name: string) => (config[name] === undefined || config[name] === null ? "" : String(config[name]));
  switch (step.tipo) {
    case "mensagem": {
      const what = text("texto") || say(TEXTS, "template", { name: step.modelo ?? text("templateId") });
      return `${words(text("canal"))}: ${what}`;
    }
    case "espera":
      return waitOf(config);
    case "aguardarEvento":
      return say(TEXTS, "waitEvent", { event: text("evento"), hours: text("prazoHoras") });
    case "condicao": {
      const leaf = config["filterTree"] as { filter?: { field?: string; operator?: string; value?: unknown } } | undefined;
      if (leaf?.filter) return `${leaf.filter.field ?? ""} ${leaf.filter.operator ?? ""} ${String(leaf.filter.value ?? "")}`.trim();
      return say(TEXTS, "conditions", { count: conditionsIn(leaf) });
    }
    case "divisao":
      return say(TEXTS, "parts", { count: Array.isArray(config["ramos"]) ? config["ramos"].length : 0 });
    case "atualizarContato":
      return [...((config["tags"] as string[] | undefined) ?? []), ...Object.keys((config["attributes"] as object | undefined) ?? {})].join(", ");
    case "webhook":
      return text("url");
    case "saida":
      return text("motivo");
    default:
      return text("etapaId");
  }
}

function waitOf(config: Record<string, unknown>): string {
  if (typeof config["duracaoHoras"] === "number") return say(TEXTS, "hours", { hours: config["duracaoHoras"] });
  const clock = config["ate"] as { hora?: string } | undefined;
  if (clock) return say(TEXTS, "atClock", { hour: clock.hora ?? "" });
  const field = config["campo"] as { key?: string } | undefined;
  return say(TEXTS, "field", { name: field?.key ?? "" });
}

/** Facts of a trail in one line; ids of records are left out. */
export function factsOf(facts: unknown): string {
  const all = Object.entries((facts ?? {}) as Record<string, unknown>);
  return all
    .flatMap(([name, value]) => {
      if (typeof value !== "string" || /Id$/.test(name) || /^[a-z]+_[0-9a-zA-Z]{12,}$/.test(value)) return [];
      return /^\d{4}-\d\d-\d\dT/.test(value) ? [atMoment(value)] : [wayOf(value) || named(value)];
    })
    .join(" · ");
}
