import { type ReactNode, useState } from "react";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { joined } from "../../ui/format";
import { Conflict } from "../../ui/conflict";
import type { Clash, Editing } from "./editing";
import { type Draft, leadsTo, partsOf, type Place, placeAfter, placesOf, targetOf, targetsOf, type Written } from "./graph";
import { ENTRY, type Step } from "./layout";
import { deedOf, named, wayOf } from "./said";
import { StepDialog } from "./StepDialog";
import { TEXTS } from "./texts";

export const nameOf = (step: Pick<Written, "rotulo" | "tipo">): string => step.rotulo || named(step.tipo);

/** Of a draft: the step changed, copied or taken out, and where its ways lead. */
export function Edits({ editing, step, insertAt }: { editing: Editing; step: Step; insertAt: (place: Place) => void }) {
  const t = useTexts(TEXTS);
  const [asked, setAsked] = useState(false);
  const written = editing.draft.passos.find((one) => one.id === step.id);
  if (!written) return null;
  const after = placeAfter(editing.draft, step.id);
  return (
    <>
      {!asked && <Refused refusal={editing.refusal} />}
      <div className="row">
        <button type="button" className="button small" onClick={() => setAsked(true)}>
          {t("editStep")}
        </button>
        {after && (
          <button type="button" className="button small" onClick={() => insertAt(after)}>
            {t("insert")}
          </button>
        )}
        <button type="button" className="button small" onClick={() => editing.copy(step.id, false)}>
          {t("copy")}
        </button>
        {placesOf(written).some((way) => leadsTo(written, way)) && (
          <button type="button" className="button small" onClick={() => editing.copy(step.id, true)}>
            {t("copyAll")}
          </button>
        )}
        {after && editing.copied > 0 && (
          <button type="button" className="button small" disabled={editing.busy} onClick={() => editing.paste(step.id)}>
            {t("paste")}
          </button>
        )}
        {editing.removable(step.id) && (
          <button type="button" className="button small bad" disabled={editing.busy} onClick={() => editing.remove(step.id)}>
            {t("removeStep")}
          </button>
        )}
      </div>
      <Ways editing={editing} step={written} />
      {asked && (
        <StepDialog
          title={t("editStep")}
          name={step.id}
          step={written}
          busy={editing.busy}
          close={() => setAsked(false)}
          save={(part) => editing.change(step.id, part)}
        />
      )}
    </>
  );
}

/** Where each way of a step leads: to another step, or to the end. */
export function Ways({ editing, step }: { editing: Editing; step: Written | null }) {
  const t = useTexts(TEXTS);
  const from = step?.id ?? ENTRY;
  const ways = step ? placesOf(step) : ["entry"];
  const targets = targetsOf(editing.draft, from);
  return (
    <>
      {ways.map((way) => {
        const now = step ? leadsTo(step, way) : editing.draft.entradaPasso;
        const percent = step && way.startsWith("ramos.") ? partsOf(step)[Number(way.slice(6))]?.percentual : undefined;
        return (
          <Field key={way} label={t("leadsTo", { way: wayOf(way, percent) || t("wayOn") })}>
            {(props) => (
              <select {...props} disabled={editing.busy} value={now ?? ""} onChange={(event) => editing.connect({ from, way }, event.target.value || undefined)}>
                {(step || !now) && <option value="">{t("theEnd")}</option>}
                {targets.map((one) => (
                  <option key={one.id} value={one.id}>
                    {nameOf(one)} ({one.id})
                  </option>
                ))}
              </select>
            )}
          </Field>
        );
      })}
    </>
  );
}

/** What is asked while a draft is changed: the new step, whether others may go with a way, and whose change stays. */
export function EditDialogs(props: { editing: Editing; place: Place | null; close: () => void }): ReactNode {
  return (
    <>
      <Questions {...props} />
      {props.editing.clash && <ClashDialog clash={props.editing.clash} />}
    </>
  );
}

/** A step, or where a way leads, as two drafts have it. */
function ClashDialog({ clash }: { clash: Clash }) {
  const t = useTexts(TEXTS);
  const { theirs, mine } = clash;
  const find = (draft: Draft, id: string | undefined) => draft.passos.find((one) => one.id === id);
  const placeOf = (fact: string): Place | null => {
    const at = fact.lastIndexOf(" ");
    return at < 0 ? null : { from: fact.slice(0, at), way: fact.slice(at + 1) };
  };
  const name = (fact: string): string => {
    const place = placeOf(fact);
    const id = place ? place.from : fact;
    const step = find(theirs, id) ?? find(mine, id);
    const whose = step ? `${nameOf(step)} (${id})` : t("entry");
    return place ? t("wayOf", { step: whose, way: wayOf(place.way) || t("wayOn") }) : whose;
  };
  const value = (draft: Draft, fact: string, plain: boolean): string => {
    const place = placeOf(fact);
    const step = find(draft, place ? targetOf(draft, place) : fact);
    if (!step) return place ? t("theEnd") : "";
    if (place) return `${nameOf(step)} (${step.id})`;
    return plain ? joined(nameOf(step), deedOf(step)) : JSON.stringify(step.config);
  };
  const found = clash.lost.map((field) => {
    const [one, other] = [value(theirs, field, true), value(mine, field, true)];
    return one === other
      ? { field, theirs: value(theirs, field, false), mine: value(mine, field, false) } // in what a line does not tell
      : { field, theirs: one, mine: other };
  });
  return (
    <Dialog title={t("clash")} close={() => clash.choose(false)} wide>
      <div className="form">
        <Conflict found={found} name={name} take={() => clash.choose(false)} note={t("clashNote")} />
        <div className="row end">
          <button type="button" className="button main" onClick={() => clash.choose(true)}>
            {t("useMine")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Questions({ editing, place, close }: { editing: Editing; place: Place | null; close: () => void }): ReactNode {
  const t = useTexts(TEXTS);
  const { doubt } = editing;
  if (doubt) {
    return (
      <Dialog title={t("wouldGo")} close={doubt.stay}>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            doubt.go();
          }}
        >
          <p>{t("wouldGoSentence", { steps: doubt.gone.map(nameOf).join(", ") })}</p>
          <Actions close={doubt.stay}>
            <button type="submit" className="button bad">
              {t("letGo")}
            </button>
          </Actions>
        </form>
      </Dialog>
    );
  }
  if (!place) return null;
  return (
    <StepDialog
      key={`${place.from} ${place.way}`}
      title={t("newStep")}
      name={`new.${place.from}.${place.way}`}
      step={null}
      busy={editing.busy}
      close={close}
      save={(part) => editing.insert(place, [{ id: "new", ...part }])}
    />
  );
}
