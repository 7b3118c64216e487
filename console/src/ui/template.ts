// Templates of conversations as people see them.

export interface TemplatePart {
  type: string;
  payload: unknown;
}

const ORDER = ["HEADER", "BODY", "FOOTER", "BUTTONS"];
const said = (value: unknown): string => (typeof value === "string" ? value : "");

/** Numbers of the variables of a text, each once. */
export const variablesOf = (text: string): string[] => [...new Set([...text.matchAll(/\{\{(\d+)\}\}/g)].map((one) => one[1]!))].sort((one, other) => Number(one) - Number(other));

/** The parts of a template in order, with what `values` fill in; what is not filled yet stays as it is. */
export function filled(components: readonly TemplatePart[], values: readonly string[]): { type: string; text: string }[] {
  let at = 0;
  const fill = (text: string) => {
    const mine = values.slice(at, (at += variablesOf(text).length));
    return text.replace(/\{\{(\d+)\}\}/g, (whole, index: string) => mine[Number(index) - 1] || whole);
  };
  return [...components]
    .sort((one, other) => ORDER.indexOf(one.type) - ORDER.indexOf(other.type))
    .flatMap((one) => {
      const payload = (one.payload ?? {}) as Record<string, unknown>;
      if (one.type === "BUTTONS") {
        const buttons = (payload["buttons"] ?? []) as { text?: string }[];
        return buttons.map((button) => ({ type: one.type, text: said(button.text) }));
      }
      const text = fill(said(payload["text"]));
      return text ? [{ type: one.type, text }] : [];
    });
}

/** Templates that ask for what no field here asks for are left out; one with a file in its header is sent with its own. */
export const isSimple = (components: readonly TemplatePart[]): boolean =>
  components.every((one) => {
    const { format = "TEXT", example } = (one.payload ?? {}) as { format?: string; example?: unknown };
    return ["HEADER", "BODY", "FOOTER", "BUTTONS"].includes(one.type) && (format === "TEXT" || (format !== "LOCATION" && !!example));
  });
