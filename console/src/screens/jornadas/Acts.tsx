import * as Menu from "@radix-ui/react-dropdown-menu";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, toast } from "../../ui/parts";
import { Bones, Refused, Shown } from "../../ui/states";
import { atMoment, coins, number } from "../../ui/format";
import { ACTIVATE, ARCHIVE, CHANGE_STEPS, DUPLICATE, END_ENTRIES, FORECAST, PAUSE, RESUME } from "./documents";
import type { Journey } from "./layout";
import { TEXTS } from "./texts";

/** What may be done with a journey as it stands. `refused`: shown on the page, faults at their steps. */
export function Acts({ journey, refused, changed }: { journey: Journey; refused: (why: Refusal | null) => void; changed: () => void }) {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"activate" | "end" | "archive" | null>(null);
  const [pause, pausing] = useWrite(PAUSE);
  const [resume, resuming] = useWrite(RESUME);
  const [duplicate] = useWrite(DUPLICATE);
  const [change] = useWrite(CHANGE_STEPS);
  const { id, status } = journey;

  const tell = (why: Refusal | null, text: string) => {
    refused(why);
    if (why) return;
    toast(text);
    changed();
  };
  const copy = async () => {
    const { data, refusal } = await duplicate({ id });
    refused(refusal);
    const made = data?.duplicateJourney;
    if (!made) return;
    toast(t("duplicated"));
    void navigate({ to: `/jornadas/${made.id}` });
  };
  /** A draft of the next version, or the one that is there already. */
  const renew = async () => {
    const { data, refusal } = await change({ id, input: { name: journey.name } });
    const newer = refusal?.meta["code"] === "VERSAO_DESATUALIZADA" ? String(refusal.meta["journeyId"]) : data?.updateJourney?.id;
    refused(newer ? null : refusal);
    if (!newer) return;
    toast(t(refusal ? "newerThere" : "newVersionMade"));
    void navigate({ to: `/jornadas/${newer}` });
  };
  const running = status === "ATIVA" || status === "PAUSADA";
  return (
    <>
      {status === "RASCUNHO" && (
        <button type="button" className="button main" onClick={() => setAsked("activate")}>
          {t("activate")}
        </button>
      )}
      {status === "ATIVA" && (
        <button type="button" className="button" disabled={pausing} onClick={async () => tell((await pause({ id })).refusal, t("paused"))}>
          {t("pause")}
        </button>
      )}
      {status === "PAUSADA" && (
        <button type="button" className="button main" disabled={resuming} onClick={async () => tell((await resume({ id })).refusal, t("resumed"))}>
          {t("resume")}
        </button>
      )}
      <Menu.Root modal={false}>
        <Menu.Trigger className="button" aria-label={t("moreActions")}>
          <Icon name="more" size={18} />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content className="menu" align="end" sideOffset={6}>
            {running && <Menu.Item onSelect={() => void renew()}>{t("newVersion")}</Menu.Item>}
            <Menu.Item onSelect={() => void copy()}>{t("duplicate")}</Menu.Item>
            {running && !journey.entradasEncerradas && <Menu.Item onSelect={() => setAsked("end")}>{t("endEntries")}</Menu.Item>}
            {status !== "ARQUIVADA" && <Menu.Item onSelect={() => setAsked("archive")}>{t("archive")}</Menu.Item>}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
      {asked === "activate" && <ActivateDialog journey={journey} close={() => setAsked(null)} refused={refused} changed={changed} />}
      {asked === "end" && <EndDialog journey={journey} close={() => setAsked(null)} tell={tell} />}
      {asked === "archive" && <ArchiveDialog journey={journey} close={() => setAsked(null)} tell={tell} />}
    </>
  );
}

type Tell = (why: Refusal | null, text: string) => void;

/** What it would cost and how many would enter, before it runs. */
function ActivateDialog({ journey, close, refused, changed }: { journey: Journey; close: () => void; refused: (why: Refusal | null) => void; changed: () => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(FORECAST, { id: journey.id });
  const [run, busy] = useWrite(ACTIVATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const asks = !!(journey.gatilho.segmentId && journey.gatilho.ao !== "SAIR") || !!journey.gatilho.listId;
  const [include, setInclude] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { data, refusal: why } = await run({ id: journey.id, input: asks ? { incluirAtuais: include } : null });
    if (why && !why.fields.length) return setRefusal(why);
    refused(why);
    const done = data?.activateJourney;
    if (done) {
      toast(t("activated", { count: number(done.entrarao), coins: coins(done.coinsEstimados) }));
      changed();
    }
    close();
  }
  return (
    <Dialog title={t("activateTitle")} close={close}>
      <form className="form" onSubmit={submit}>
        <Shown of={read} bones={<Bones lines={3} />}>
          {({ journeyForecast: one }) =>
            one && (
              <>
                <dl className="facts">
                  <dt>{t("audience")}</dt>
                  <dd>{one.publico === null ? t("unknown") : number(one.publico)}</dd>
                  <dt>{t("cost")}</dt>
                  <dd>
                    <b>{coins(one.coins)}</b>
                  </dd>
                  {one.termino && (
                    <>
                      <dt>{t("lastThrough")}</dt>
                      <dd>{atMoment(one.termino)}</dd>
                    </>
                  )}
                </dl>
                <p className="quiet">{t("sample", { count: number(one.amostra) })}</p>
              </>
            )
          }
        </Shown>
        {asks && (
          <fieldset className="form">
            <legend className="unseen">{t("audience")}</legend>
            {([false, true] as const).map((one) => (
              <label className="row" key={String(one)}>
                <input type="radio" name="include" checked={include === one} onChange={() => setInclude(one)} /> {t(one ? "include" : "onlyNew")}
              </label>
            ))}
          </fieldset>
        )}
        <Refused refusal={refusal} />
        <Actions close={close}>
          <button type="submit" className="button main" disabled={busy}>
            {t("activate")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

function EndDialog({ journey, close, tell }: { journey: Journey; close: () => void; tell: Tell }) {
  const t = useTexts(TEXTS);
  const [run, busy] = useWrite(END_ENTRIES);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { refusal } = await run({ id: journey.id });
    close();
    tell(refusal, t("endedEntries"));
  }
  return (
    <Dialog title={t("endEntries")} close={close}>
      <form className="form" onSubmit={submit}>
        <p>{t("endEntriesSentence")}</p>
        <Actions close={close}>
          <button type="submit" className="button bad" disabled={busy}>
            {t("endEntries")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

function ArchiveDialog({ journey, close, tell }: { journey: Journey; close: () => void; tell: Tell }) {
  const t = useTexts(TEXTS);
  const [run, busy] = useWrite(ARCHIVE);
  const inside = journey.execucoes.ativa;
  const [runs, setRuns] = useState<"CONCLUIR" | "CANCELAR">("CONCLUIR");
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { refusal } = await run({ id: journey.id, input: { execucoes: runs } });
    close();
    tell(refusal, t("archived"));
  }
  return (
    <Dialog title={t("archive")} close={close}>
      <form className="form" onSubmit={submit}>
        <p>{t("archiveSentence")}</p>
        {inside > 0 && (
          <fieldset className="form">
            <legend className="unseen">{t("inside")}</legend>
            {(["CONCLUIR", "CANCELAR"] as const).map((one) => (
              <label className="row" key={one}>
                <input type="radio" name="runs" checked={runs === one} onChange={() => setRuns(one)} />{" "}
                {t(one === "CONCLUIR" ? "finish" : "cancelRuns", { count: number(inside) })}
              </label>
            ))}
          </fieldset>
        )}
        <Actions close={close}>
          <button type="submit" className="button bad" disabled={busy}>
            {t("archive")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
