// Conditions about contacts, one a line: a field, how it is compared, and with what.

import type { ReactNode } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import type { FIELDS } from "./documents";
import { TEXTS } from "./texts";
import "./conditions.css";

export interface Row {
  field: string;
  operator: string;
  value: string;
}

export type Filterable = NonNullable<ResultOf<typeof FIELDS>["contactFields"]>["items"][number];

export const NEW_ROW: Row = { field: "tag", operator: "is", value: "" };
const WITHOUT_VALUE = new Set(["exists", "notExists"]);
const SEVERAL = new Set(["in", "notIn", "between"]);
const DAYS = new Set(["withinDays", "notWithinDays"]);

export const filterable = (data: ResultOf<typeof FIELDS>): Filterable[] => (data.contactFields?.items ?? []).filter((one) => one.filtravel && one.campo);

/** Whether there is something to compare with. */
export const isWhole = (row: Row): boolean => WITHOUT_VALUE.has(row.operator) || row.value.trim() !== "";

/** `1.234,5` and `1234.5`; what is no number is sent as it is, and refused. */
function numberOf(text: string): number | string {
  const plain = /^-?\d{1,3}(\.\d{3})*,\d+$|^-?\d+,\d+$/.test(text) ? text.replaceAll(".", "").replace(",", ".") : text;
  return plain === "" || Number.isNaN(Number(plain)) ? text : Number(plain);
}

/** What a line compares with, as the service takes it; undefined where nothing is compared. */
export function valueOf(row: Row, all: readonly Filterable[]): unknown {
  const kind = all.find((one) => one.campo === row.field)?.tipo;
  const single = (text: string) => {
    if (kind === "NUMERO" || DAYS.has(row.operator)) return numberOf(text);
    if (kind === "BOOLEANO") return text === "true";
    if (kind === "DATA" && /^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
    return text;
  };
  if (WITHOUT_VALUE.has(row.operator)) return undefined;
  if (SEVERAL.has(row.operator)) return row.value.split(",").map((one) => single(one.trim()));
  return single(row.value.trim());
}

/** Lines to fill in; `children` stand beside the button for one more. */
export function ConditionRows({ rows, all, change, children }: { rows: Row[]; all: readonly Filterable[]; change: (rows: Row[]) => void; children?: ReactNode }) {
  const t = useTexts(TEXTS);
  const put = (at: number, part: Partial<Row>) => change(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  return (
    <>
      <ul className="conditions">
        {rows.map((row, at) => {
          const field = all.find((one) => one.campo === row.field);
          const operators = field?.operadores ?? [row.operator];
          return (
            <li key={at}>
              <select
                aria-label={t("fieldName")}
                value={row.field}
                onChange={(event) => {
                  const next = all.find((one) => one.campo === event.target.value);
                  put(at, { field: event.target.value, operator: next?.operadores[0] ?? "is", value: "" });
                }}
              >
                {!field && <option value={row.field}>{row.field}</option>}
                {all.map((one) => (
                  <option key={one.campo} value={one.campo!}>
                    {one.origem === "PADRAO" ? standardName(one.campo!, one.label, t) : one.label}
                  </option>
                ))}
              </select>
              <select aria-label={t("operator")} value={row.operator} onChange={(event) => put(at, { operator: event.target.value })}>
                {operators.map((one) => (
                  <option key={one} value={one}>
                    {t(one as "is")}
                  </option>
                ))}
              </select>
              {WITHOUT_VALUE.has(row.operator) ? (
                <span />
              ) : (
                <ValueField row={row} kind={field?.tipo} change={(value) => put(at, { value })} />
              )}
              <button type="button" className="button bare small" aria-label={t("removeCondition")} onClick={() => change(rows.filter((_, place) => place !== at))}>
                <Icon name="close" size={16} />
              </button>
            </li>
          );
        })}
      </ul>
      <div className="row">
        <button type="button" className="button small" onClick={() => change([...rows, NEW_ROW])}>
          <Icon name="plus" size={15} /> {t("addCondition")}
        </button>
        {children}
      </div>
    </>
  );
}

function standardName(field: string, label: string, t: ReturnType<typeof useTexts<typeof TEXTS>>): string {
  switch (field) {
    case "tag":
      return t("tag");
    case "optIn":
      return t("consent");
    case "lastInteraction":
      return t("lastWrote");
    case "channel":
      return t("channels");
    default:
      return label;
  }
}

function ValueField({ row, kind, change }: { row: Row; kind: string | undefined; change: (value: string) => void }) {
  const t = useTexts(TEXTS);
  if (row.field === "optIn" && !SEVERAL.has(row.operator)) {
    return (
      <select aria-label={t("value")} value={row.value} onChange={(event) => change(event.target.value)}>
        <option value="" />
        <option value="granted">{t("granted")}</option>
        <option value="denied">{t("denied")}</option>
        <option value="unknown">{t("unknown")}</option>
      </select>
    );
  }
  if (kind === "BOOLEANO") {
    return (
      <select aria-label={t("value")} value={row.value} onChange={(event) => change(event.target.value)}>
        <option value="" />
        <option value="true">{t("yes")}</option>
        <option value="false">{t("no")}</option>
      </select>
    );
  }
  const type = kind === "DATA" && !DAYS.has(row.operator) ? "date" : "text";
  return (
    <input
      aria-label={t("value")}
      type={SEVERAL.has(row.operator) ? "text" : type}
      inputMode={kind === "NUMERO" || DAYS.has(row.operator) ? "decimal" : "text"}
      placeholder={SEVERAL.has(row.operator) ? t("severalHint") : DAYS.has(row.operator) ? t("days") : ""}
      value={row.value}
      onChange={(event) => change(event.target.value)}
    />
  );
}
