import { useState } from "react";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useRead, useSettled, useWrite } from "../../gateway/read";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Refused, Shown, useSaid } from "../../ui/states";
import { number } from "../../ui/format";
import { CREATE_SEGMENT, FIELDS, PREVIEW } from "./documents";
import { TEXTS } from "./texts";

export type Condition = NonNullable<VariablesOf<typeof PREVIEW>["input"]["filters"]>[number];

interface Row {
  field: string;
  operator: string;
  value: string;
}

const WITHOUT_VALUE = new Set(["exists", "notExists"]);
const SEVERAL = new Set(["in", "notIn", "between"]);
const DAYS = new Set(["withinDays", "notWithinDays"]);

/** `notExists` as GraphQL spells it: `NOT_EXISTS`. */
const spelled = (operator: string) => operator.replaceAll(/[A-Z]/g, (one) => `_${one}`).toUpperCase() as Condition["operator"];

function conditionOf(row: Row, kind: string | undefined): Condition {
  const single = (text: string) => {
    if (kind === "NUMERO" || DAYS.has(row.operator)) return Number(text);
    if (kind === "BOOLEANO") return text === "true";
    if (kind === "DATA" && /^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
    return text;
  };
  const base = { field: row.field, operator: spelled(row.operator) };
  if (WITHOUT_VALUE.has(row.operator)) return base;
  if (SEVERAL.has(row.operator)) return { ...base, value: row.value.split(",").map((one) => single(one.trim())) };
  return { ...base, value: single(row.value.trim()) };
}

/** A filter with a name: it begins with what the table is filtered by. */
export function SegmentDialog({ from, close, made }: { from: Row[]; close: () => void; made: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const fields = useRead(FIELDS, {});
  const [draft, setDraft, clear] = useDraft(`segment.${JSON.stringify(from)}`, { name: "", rows: from.length ? from : [{ field: "tag", operator: "is", value: "" }] });
  const [create, busy] = useWrite(CREATE_SEGMENT);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const leave = () => {
    clear();
    close();
  };
  return (
    <Dialog title={t("segmentTitle")} wide close={leave}>
      <Shown of={fields}>
        {({ contactFields }) => {
          const all = (contactFields?.items ?? []).filter((one) => one.filtravel && one.campo);
          const kindOf = (field: string) => all.find((one) => one.campo === field)?.tipo;
          const put = (at: number, part: Partial<Row>) =>
            setDraft({ ...draft, rows: draft.rows.map((row, place) => (place === at ? { ...row, ...part } : row)) });
          const whole = draft.rows.filter((row) => WITHOUT_VALUE.has(row.operator) || row.value.trim());
          const conditions = whole.map((row) => conditionOf(row, kindOf(row.field)));
          return (
            <form
              className="form"
              noValidate
              onSubmit={async (event) => {
                event.preventDefault();
                const { data, refusal: why } = await create({ input: { name: draft.name, filters: conditions } });
                if (why || !data.createSegment) return setRefusal(why);
                clear();
                toast(t("segmentMade"));
                made(data.createSegment.id);
              }}
            >
              <Refused refusal={refusal} />
              <Field label={t("segmentName")} wrong={refusal?.fields.find((one) => one.field === "name")?.message}>
                {(props) => <input {...props} value={draft.name} maxLength={100} onChange={(event) => setDraft({ ...draft, name: event.target.value })} />}
              </Field>
              <ul className="conditions">
                {draft.rows.map((row, at) => {
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
                      <button type="button" className="button bare small" aria-label={t("removeCondition")} onClick={() => setDraft({ ...draft, rows: draft.rows.filter((_, place) => place !== at) })}>
                        <Icon name="close" size={16} />
                      </button>
                    </li>
                  );
                })}
              </ul>
              <div className="row">
                <button type="button" className="button small" onClick={() => setDraft({ ...draft, rows: [...draft.rows, { field: "tag", operator: "is", value: "" }] })}>
                  <Icon name="plus" size={15} /> {t("addCondition")}
                </button>
                <Count conditions={conditions} />
              </div>
              <Actions close={leave}>
                <button type="submit" className="button main" disabled={busy || !draft.name.trim() || !conditions.length}>
                  {t(busy ? "saving" : "save")}
                </button>
              </Actions>
            </form>
          );
        }}
      </Shown>
    </Dialog>
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

/** How many it finds, once the typing has rested. */
function Count({ conditions }: { conditions: Condition[] }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  const asked = useSettled(JSON.stringify(conditions), 400);
  const filters = JSON.parse(asked) as Condition[];
  const read = useRead(PREVIEW, { input: { filters } }, { pause: !filters.length });
  if (!filters.length) return null;
  return (
    <span role="status" className="quiet">
      {read.state === "there" && read.data.segmentPreview && t(read.data.segmentPreview.partial ? "findsAbout" : "finds", { count: number(read.data.segmentPreview.count) })}
      {read.state === "failed" && (read.refusal.fields[0]?.message ?? said(read.refusal).sentence)}
    </span>
  );
}
