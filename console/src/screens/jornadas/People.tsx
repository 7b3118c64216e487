import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, usePages, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { Badge, toast } from "../../ui/parts";
import { Bones, Empty, Failed, Refused, Shown } from "../../ui/states";
import { atMoment, joined, phone } from "../../ui/format";
import type { Walk } from "./Canvas";
import { PEOPLE, RUN, TAKE_OUT } from "./documents";
import type { Journey } from "./layout";
import { factsOf, named, titleOf } from "./said";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof PEOPLE>;

type Row = NonNullable<Data["journey"]>["runs"]["nodes"][number];

/** Those who stand on a step; read anew when `told` changes. */
export function PeopleAt({ journey, step, told, open }: { journey: Journey; step: string; told: number; open: (run: string) => void }) {
  const t = useTexts(TEXTS);
  const pages = usePages(PEOPLE, { id: journey.id, filter: { passo: step, estado: "ATIVA" as const } }, (data: Data) => data.journey?.runs);
  const { again } = pages;
  useEffect(() => {
    if (told) again();
  }, [told, again]);
  return (
    <People title={t("peopleHere")} rows={pages.state === "there" || pages.rows.length ? pages.rows : null} place={() => null} open={open} failed={pages.state === "failed"}>
      {pages.state === "failed" && pages.refusal && <Failed refusal={pages.refusal} again={again} />}
      {pages.more && pages.state === "there" && (
        <button type="button" className="button small" onClick={pages.next}>
          {t("more")}
        </button>
      )}
    </People>
  );
}

/** People of the journey with how they stand; null: not there yet. */
export function People({
  title,
  rows,
  place,
  open,
  failed = false,
  children,
}: {
  title: string;
  rows: readonly Row[] | null;
  place: (step: string) => string | null;
  open: (run: string) => void;
  failed?: boolean;
  children?: ReactNode;
}) {
  const t = useTexts(TEXTS);
  return (
    <section className="card" aria-labelledby="jn-people">
      <header>
        <h2 id="jn-people">{title}</h2>
      </header>
      <div className="inside">
        {!rows && !failed && <Bones lines={3} />}
        {rows?.length === 0 && (
          <Empty icon="people" title={t("nobody")}>
            <p>{t("nobodySentence")}</p>
          </Empty>
        )}
        {rows && rows.length > 0 && (
          <ul className="jn-people">
            {rows.map((one) => (
              <li key={one.id}>
                <button type="button" className="link" onClick={() => open(one.id)}>
                  {one.contact?.name ?? (phone(one.contact?.phone) || t("somebody"))}
                </button>
                <Badge of={one.estado}>{named(one.estado)}</Badge>
                <small className="quiet">
                  {joined(
                    one.passo && place(one.passo),
                    one.motivo && named(one.motivo),
                    one.segueEm ? t("goesOn", { at: atMoment(one.segueEm) }) : atMoment(one.noPassoDesde),
                  )}
                </small>
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </section>
  );
}

type Run = NonNullable<ResultOf<typeof RUN>["journeyRun"]>;

/** Where one person went, and where it stands. */
export function Trail({ journey, run, told, show, close }: { journey: Journey; run: string; told: number; show: (walk: Walk | null) => void; close: () => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(RUN, { id: run });
  const again = read.state === "loading" ? null : read.again;
  useEffect(() => {
    if (told) again?.();
  }, [told]);
  const found = read.state === "there" ? read.data.journeyRun : null;
  const key = found ? `${found.id} ${found.trilha.length} ${found.estado} ${found.passo}` : "";
  useEffect(() => {
    show(found ? walkOf(found) : null);
    return () => show(null);
  }, [key]);
  const titles = new Map(journey.passos.map((one) => [one.id, titleOf(one)]));
  return (
    <Shown of={read} bones={<Bones lines={5} />}>
      {({ journeyRun: one }) =>
        one && (
          <section className="card" aria-labelledby="jn-trail">
            <header>
              <h2 id="jn-trail">{t("trail", { name: one.contact?.name ?? (phone(one.contact?.phone) || t("somebody")) })}</h2>
              <button type="button" className="button small" onClick={close}>
                {t("closeTrail")}
              </button>
            </header>
            <div className="inside form">
              <p className="row">
                <Badge of={one.estado}>{named(one.estado)}</Badge>
                <span className="quiet">{joined(one.motivo && named(one.motivo), one.aguardaEvento && t("waitsFor", { event: one.aguardaEvento }))}</span>
              </p>
              <ol className="jn-trail">
                {one.trilha.map((entry, at) => (
                  <li key={at}>
                    <b>{entry.passo ? (titles.get(entry.passo) ?? entry.passo) : t("entry")}</b>
                    <span>{joined(named(entry.resultado), factsOf(entry.fatos))}</span>
                    <time className="quiet" dateTime={entry.em}>
                      {atMoment(entry.em)}
                    </time>
                  </li>
                ))}
                {one.estado === "ATIVA" && one.passo && (
                  <li className="here">
                    <b>{titles.get(one.passo) ?? one.passo}</b>
                    <span>{joined(t("stands"), one.segueEm && t("goesOn", { at: atMoment(one.segueEm) }))}</span>
                    <time className="quiet" dateTime={one.noPassoDesde}>
                      {atMoment(one.noPassoDesde)}
                    </time>
                  </li>
                )}
              </ol>
              <TrailActions run={one} journey={journey} done={() => again?.()} />
            </div>
          </section>
        )
      }
    </Shown>
  );
}

function TrailActions({ run, journey, done }: { run: Run; journey: Journey; done: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [takeOut, busy] = useWrite(TAKE_OUT);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <>
      <Refused refusal={refusal} />
      <div className="row">
        {run.contact && may("contacts:read") && (
          <Link to={`/contatos/${run.contact.id}`} className="button small">
            {t("openContact")}
          </Link>
        )}
        {run.estado === "ATIVA" && may("campaigns:write") && (
          <button
            type="button"
            className="button small bad"
            disabled={busy}
            onClick={async () => {
              const { refusal: why } = await takeOut({ journeyId: journey.id, id: run.id });
              setRefusal(why);
              if (why) return;
              toast(t("takenOut"));
              done();
            }}
          >
            {t("takeOut")}
          </button>
        )}
      </div>
    </>
  );
}

function walkOf(run: Run): Walk {
  const results = new Map<string, string>();
  for (const one of run.trilha) if (one.passo) results.set(one.passo, one.resultado);
  if (run.passo && run.estado === "ATIVA") results.set(run.passo, "AGUARDA");
  return { steps: [...results].map(([step, result]) => ({ step, result })) };
}
