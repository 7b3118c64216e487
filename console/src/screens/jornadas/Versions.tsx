import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Bones, Refused, Shown } from "../../ui/states";
import { number } from "../../ui/format";
import { Canvas } from "./Canvas";
import { MIGRATE, VERSIONS } from "./documents";
import type { Journey, Step } from "./layout";
import { named, titleOf } from "./said";
import { TEXTS } from "./texts";

type Version = NonNullable<ResultOf<typeof VERSIONS>["before"]>;

/** With its keys in order: two of them are equal as they are written. */
const spelled = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
const contentOf = ({ tipo, rotulo, proximo, config }: Step): string => spelled([tipo, rotulo, proximo, config]);

/** The version before this one, and this one, with what is different; and those inside moved from that to this. */
export function Versions({ journey, moved }: { journey: Journey; moved: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [moving, setMoving] = useState(false);
  const read = useRead(VERSIONS, { before: journey.versaoDe ?? "", after: journey.id });
  const again = read.state === "there" ? read.again : () => {};
  return (
    <Shown of={read} bones={<Bones lines={10} />}>
      {({ before, after }) =>
        before &&
        after && (
          <>
            <div className="row">
              <Differences before={before} after={after} />
              {after.status === "ATIVA" && may("campaigns:write") && (
                <button type="button" className="button" onClick={() => setMoving(true)}>
                  {t("moveInside", { count: number(before.execucoes.ativa) })}
                </button>
              )}
            </div>
            <div className="jn-beside">
              <Side version={before} other={after} title={t("versionBefore", { number: before.versao })} />
              <Side version={after} other={before} title={t("versionNow", { number: after.versao })} />
            </div>
            {moving && (
              <MoveDialog
                before={before}
                after={after}
                close={() => setMoving(false)}
                moved={() => {
                  again();
                  moved();
                }}
              />
            )}
          </>
        )
      }
    </Shown>
  );
}

/** How each step differs from the other version: it is not there, or not the same. */
function differing(version: Version, other: Version): Map<string, "only" | "changed"> {
  const others = new Map(other.passos.map((one) => [one.id, contentOf(one)]));
  return new Map(
    version.passos.flatMap((one): [string, "only" | "changed"][] => {
      const there = others.get(one.id);
      return there === undefined ? [[one.id, "only"]] : there === contentOf(one) ? [] : [[one.id, "changed"]];
    }),
  );
}

function Side({ version, other, title }: { version: Version; other: Version; title: string }) {
  const t = useTexts(TEXTS);
  const isBefore = version.versao < other.versao;
  const marks = new Map([...differing(version, other)].map(([id, how]) => [id, t(how === "changed" ? "stepChanged" : isBefore ? "stepGone" : "stepNew")]));
  return <Canvas journey={version} chosen={undefined} choose={() => {}} faults={new Map()} walk={null} title={title} marks={marks} />;
}

function Differences({ before, after }: { before: Version; after: Version }) {
  const t = useTexts(TEXTS);
  const now = [...differing(after, before).values()];
  const gone = [...differing(before, after).values()].filter((one) => one === "only").length;
  const count = (how: string) => now.filter((one) => one === how).length;
  return (
    <p className="quiet" role="status">
      {t("differences", { added: count("only"), changed: count("changed"), gone })}{" "}
      <Link to={`/jornadas/${before.id}`}>{t("openBefore")}</Link>
    </p>
  );
}

type Others = "MANTER" | "ENCERRAR";

/** Where those inside go on: a step of this version for each of the version before. It is tried before anybody moves. */
function MoveDialog({ before, after, close, moved }: { before: Version; after: Version; close: () => void; moved: () => void }) {
  const t = useTexts(TEXTS);
  const same = (step: Step) => (after.passos.some((one) => one.id === step.id && one.tipo === step.tipo) ? step.id : "");
  const [map, setMap] = useState<Record<string, string>>(() => Object.fromEntries(before.passos.map((one) => [one.id, same(one)])));
  const [others, setOthers] = useState<Others>("MANTER");
  const [tried, setTried] = useState<{ movidas: number; encerradas: number; mantidas: number } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [run, busy] = useWrite(MIGRATE);
  const wrong = (step: string) => refusal?.fields.find((one) => one.pointer.endsWith(`/mapa/${step}`))?.message;
  async function submit(event: FormEvent) {
    event.preventDefault();
    const mapa = Object.fromEntries(Object.entries(map).filter(([, to]) => to));
    const { data, refusal: why } = await run({ id: after.id, input: { mapa, passosSemMapa: others, simular: !tried } });
    setRefusal(why);
    const told = data?.migrateJourneyRuns;
    if (!told) return;
    if (!tried) return setTried(told);
    toast(t("movedInside", { count: number(told.movidas) }));
    moved();
    close();
  }
  const change = (part: Record<string, string>) => {
    setTried(null);
    setMap({ ...map, ...part });
  };
  return (
    <Dialog title={t("moveTitle", { from: before.versao, to: after.versao })} close={close}>
      <form className="form" onSubmit={(event) => void submit(event)}>
        <p className="quiet">{t("moveSentence")}</p>
        <div className="jn-map">
          {before.passos.map((step) => (
            <Field key={step.id} label={t("standing", { step: titleOf(step), count: number(step.metricas.aguardando) })} wrong={wrong(step.id)}>
              {(props) => (
                <select {...props} value={map[step.id]} onChange={(event) => change({ [step.id]: event.target.value })}>
                  <option value="">{t("notMapped")}</option>
                  {after.passos.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.rotulo || named(one.tipo)} ({one.id})
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ))}
        </div>
        <Field label={t("others")}>
          {(props) => (
            <select
              {...props}
              value={others}
              onChange={(event) => {
                setTried(null);
                setOthers(event.target.value as Others);
              }}
            >
              <option value="MANTER">{t("othersStay")}</option>
              <option value="ENCERRAR">{t("othersLeave")}</option>
            </select>
          )}
        </Field>
        <div role="status">
          {tried && <p className="notice">{t("wouldMove", { moved: number(tried.movidas), kept: number(tried.mantidas), out: number(tried.encerradas) })}</p>}
        </div>
        <Refused refusal={refusal} />
        <Actions close={close}>
          <button type="submit" className="button main" disabled={busy}>
            {t(tried ? "move" : "tryMove")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
