import { useState } from "react";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useRead, useSettled, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Refused, Shown, useSaid } from "../../ui/states";
import { number } from "../../ui/format";
import { ConditionRows, type Filterable, filterable, isWhole, NEW_ROW, type Row, valueOf } from "./Conditions";
import { CREATE_SEGMENT, FIELDS, PREVIEW } from "./documents";
import { TEXTS } from "./texts";

export type Condition = NonNullable<VariablesOf<typeof PREVIEW>["input"]["filters"]>[number];

/** `notExists` as GraphQL spells it: `NOT_EXISTS`. */
const spelled = (operator: string) => operator.replaceAll(/[A-Z]/g, (one) => `_${one}`).toUpperCase() as Condition["operator"];

function conditionOf(row: Row, all: readonly Filterable[]): Condition {
  const value = valueOf(row, all);
  return { field: row.field, operator: spelled(row.operator), ...(value !== undefined && { value }) } as Condition;
}

/** A filter with a name: it begins with what the table is filtered by. */
export function SegmentDialog({ from, close, made }: { from: Row[]; close: () => void; made: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const fields = useRead(FIELDS, {});
  const [draft, setDraft, clear] = useDraft(`segment.${JSON.stringify(from)}`, { name: "", rows: from.length ? from : [NEW_ROW] });
  const [create, busy] = useWrite(CREATE_SEGMENT);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const leave = () => {
    clear();
    close();
  };
  return (
    <Dialog title={t("segmentTitle")} wide close={leave}>
      <Shown of={fields}>
        {(data) => {
          const all = filterable(data);
          const conditions = draft.rows.filter(isWhole).map((row) => conditionOf(row, all));
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
              <ConditionRows rows={draft.rows} all={all} change={(rows) => setDraft({ ...draft, rows })}>
                <Count conditions={conditions} />
              </ConditionRows>
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
