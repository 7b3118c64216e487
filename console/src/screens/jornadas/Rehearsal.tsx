import { useEffect, useState } from "react";
import { useRead, useSettled } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { Badge, Dialog, Field } from "../../ui/parts";
import { Bones, Empty, Shown } from "../../ui/states";
import { atMoment, coins, joined, phone } from "../../ui/format";
import type { Walk } from "./Canvas";
import { FIND_PEOPLE, REHEARSAL } from "./documents";
import type { Journey } from "./layout";
import { named, titleOf, wayOf } from "./said";
import { TEXTS } from "./texts";

export interface Somebody {
  id: string;
  name: string;
}

/** Whom to walk through the journey. */
export function ChoosePerson({ close, choose }: { close: () => void; choose: (one: Somebody) => void }) {
  const t = useTexts(TEXTS);
  const [typed, setTyped] = useState("");
  const q = useSettled(typed.trim());
  const read = useRead(FIND_PEOPLE, { q }, { pause: !q });
  return (
    <Dialog title={t("simulateTitle")} close={close}>
      <div className="form">
        <Field label={t("find")} hint={t("simulateHint")}>
          {(props) => <input {...props} type="search" value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />}
        </Field>
        {q && (
          <Shown of={read} bones={<Bones lines={3} />}>
            {({ contacts }) =>
              contacts?.nodes.length ? (
                <ul className="jn-people">
                  {contacts.nodes.map((one) => (
                    <li key={one.id}>
                      <button type="button" className="link" onClick={() => choose({ id: one.id, name: one.name ?? phone(one.phone) })}>
                        {one.name ?? phone(one.phone)}
                      </button>
                      <small className="quiet">{phone(one.phone)}</small>
                    </li>
                  ))}
                </ul>
              ) : (
                <Empty icon="people" title={t("nobody")} />
              )
            }
          </Shown>
        )}
      </div>
    </Dialog>
  );
}

const moment = () => new Date().toISOString();

/** What would become of somebody, step by step; drawn along the canvas too. */
export function Rehearsal({ journey, person, show, close }: { journey: Journey; person: Somebody; show: (walk: Walk | null) => void; close: () => void }) {
  const t = useTexts(TEXTS);
  const [em] = useState(moment);
  const read = useRead(REHEARSAL, { id: journey.id, input: { contactId: person.id, em } });
  const found = read.state === "there" ? read.data.journeyRehearsal : null;
  useEffect(() => {
    show(found ? { steps: found.passos.map((one) => ({ step: one.passo, result: one.resultado })) } : null);
    return () => show(null);
  }, [found?.passos.length]);
  const titles = new Map(journey.passos.map((one) => [one.id, titleOf(one)]));
  return (
    <section className="card" aria-labelledby="jn-walk">
      <header>
        <h2 id="jn-walk">{t("walkOf", { name: person.name })}</h2>
        <button type="button" className="button small" onClick={close}>
          {t("endWalk")}
        </button>
      </header>
      <div className="inside">
        <Shown of={read} bones={<Bones lines={4} />}>
          {({ journeyRehearsal: one }) =>
            one && (
              <>
                <ol className="jn-trail">
                  {one.passos.map((step, at) => (
                    <li key={at}>
                      <b>{titles.get(step.passo) ?? step.passo}</b>
                      <span>
                        {joined(named(step.resultado), wayOf(step.caminho), step.motivo && named(step.motivo), step.ate && t("until", { at: atMoment(step.ate) }))}
                      </span>
                      {step.decisao && (
                        <span>
                          <Badge of={step.decisao.veredito}>{named(step.decisao.veredito)}</Badge> {joined(step.decisao.frase, step.decisao.oQueFazer)}
                        </span>
                      )}
                      <time className="quiet" dateTime={step.em}>
                        {atMoment(step.em)}
                      </time>
                    </li>
                  ))}
                </ol>
                <p>
                  <b>{t("walkCost", { coins: coins(one.coins) })}</b>
                </p>
                <p className="quiet">{t("simulateHint")}</p>
              </>
            )
          }
        </Shown>
      </div>
    </section>
  );
}
