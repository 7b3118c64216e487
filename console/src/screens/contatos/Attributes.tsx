import { useTexts } from "../../ui/language";
import { Field } from "../../ui/parts";
import { TEXTS } from "./texts";

/** An attribute as it is typed: what a person may have is a text, a number, yes or no, or a list of texts. */
export interface AttributeRow {
  key: string;
  kind: "text" | "number" | "boolean" | "list";
  value: string;
}

const KINDS = ["text", "number", "boolean", "list"] as const;

const kindOf = (value: unknown): AttributeRow["kind"] =>
  Array.isArray(value) ? "list" : typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "text";

export const rowsOf = (attributes: unknown): AttributeRow[] =>
  Object.entries((attributes ?? {}) as Record<string, unknown>).map(([key, value]) => ({
    key,
    kind: kindOf(value),
    value: Array.isArray(value) ? value.join(", ") : String(value),
  }));

function valueOf({ kind, value }: AttributeRow): unknown {
  if (kind === "number") return value.trim() && Number.isFinite(Number(value)) ? Number(value) : value;
  if (kind === "boolean") return value === "true";
  return kind === "list" ? value.split(",").map((one) => one.trim()).filter(Boolean) : value;
}

export const attributesOf = (rows: readonly AttributeRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter((one) => one.key.trim()).map((one) => [one.key.trim(), valueOf(one)]));

export function Attributes({ of, wrong, change }: { of: AttributeRow[]; wrong: string | undefined; change: (rows: AttributeRow[]) => void }) {
  const t = useTexts(TEXTS);
  const put = (at: number, part: Partial<AttributeRow>) => change(of.map((one, other) => (other === at ? { ...one, ...part } : one)));
  return (
    <fieldset>
      <legend>{t("attributes")}</legend>
      <ul className="attributes">
        {of.map((one, at) => (
          <li key={at}>
            <Field label={t("attributeName")}>{(props) => <input {...props} value={one.key} autoComplete="off" onChange={(event) => put(at, { key: event.target.value })} />}</Field>
            <Field label={t("attributeKind")}>
              {(props) => (
                <select {...props} value={one.kind} onChange={(event) => put(at, { kind: event.target.value as "text", ...(event.target.value === "boolean" && { value: "true" }) })}>
                  {KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {t(`kind_${kind}`)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("attributeValue")}>
              {(props) =>
                one.kind === "boolean" ? (
                  <select {...props} value={one.value} onChange={(event) => put(at, { value: event.target.value })}>
                    <option value="true">{t("yes")}</option>
                    <option value="false">{t("no")}</option>
                  </select>
                ) : (
                  <input {...props} inputMode={one.kind === "number" ? "decimal" : "text"} value={one.value} autoComplete="off" onChange={(event) => put(at, { value: event.target.value })} />
                )
              }
            </Field>
            <button type="button" className="button bare small" aria-label={t("dropAttribute", { name: one.key })} onClick={() => change(of.filter((_, other) => other !== at))}>
              {t("drop")}
            </button>
          </li>
        ))}
      </ul>
      {wrong && <span className="wrong">{wrong}</span>}
      <button type="button" className="button small" onClick={() => change([...of, { key: "", kind: "text", value: "" }])}>
        {t("addAttribute")}
      </button>
    </fieldset>
  );
}
