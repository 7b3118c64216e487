import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, usePages, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask } from "../../ui/asking";
import { atMoment, joined, number, phone, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty, Failed } from "../../ui/states";
import { filled } from "../../ui/template";
import { DELETE_TEMPLATE, SUBMIT_TEMPLATE, TEMPLATE_TOLD, TEMPLATES } from "./documents";
import { TemplateForm } from "./TemplateForm";
import { TEXTS } from "./texts";

type Data = ResultOf<typeof TEMPLATES>;
export type Template = NonNullable<Data["templates"]>["nodes"][number];
export type TeamNumber = NonNullable<Data["numbers"]>["nodes"][number];
type Doing = { what: "new" } | { what: "edit" | "submit" | "remove"; template: Template };

const STATES = ["DRAFT", "SUBMITTED", "PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"] as const;
const CHANGEABLE = new Set(["DRAFT", "APPROVED", "REJECTED", "PAUSED"]);
const BEING_LOOKED_AT = new Set(["SUBMITTED", "PENDING"]);

export function Templates({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const search = useSearch({ strict: false }) as { estado?: (typeof STATES)[number] };
  const navigate = useNavigate();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [numbers, setNumbers] = useState<readonly TeamNumber[]>([]);
  const pages = usePages(
    TEMPLATES,
    { filter: search.estado ? { status: search.estado } : {}, entry: true },
    (data: Data) => {
      if (data.numbers && JSON.stringify(data.numbers.nodes) !== JSON.stringify(numbers)) setNumbers(data.numbers.nodes);
      return data.templates;
    },
    { entry: false },
  );
  useLive(TEMPLATE_TOLD, {}, pages.again, { pause: !may("webhooks:read") });
  const close = () => setDoing(null);
  const mayWrite = may("templates:write");
  const done = (text: string) => {
    toast(text);
    pages.again();
    close();
  };
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {mayWrite && numbers.length > 0 && (
          <button type="button" className="button main" onClick={() => setDoing({ what: "new" })}>
            <Icon name="plus" size={17} /> {t("newTemplate")}
          </button>
        )}
      </ScreenHead>
      {tabs}
      <section className="card" aria-labelledby="templates">
        <header>
          <h2 id="templates">{t("templates")}</h2>
          <select
            className="kinds"
            aria-label={t("state")}
            value={search.estado ?? ""}
            onChange={(event) => void navigate({ to: "/equipe", search: { aba: "templates", estado: event.target.value } as never, replace: true })}
          >
            <option value="">{t("anyState")}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        </header>
        <div className="inside">
          {pages.state === "failed" && !pages.rows.length && pages.refusal && <Failed refusal={pages.refusal} again={pages.again} />}
          {pages.state === "loading" && !pages.rows.length && <Bones />}
          {pages.state === "there" && !pages.rows.length && (
            <Empty icon="chat" title={t("noTemplates")}>
              <p>{t("noTemplatesSentence")}</p>
            </Empty>
          )}
          <ul className="items templates">
            {pages.rows.map((one) => (
              <li key={one.id} data-template={one.name}>
                <Line of={one} />
                {mayWrite && (
                  <div className="acts">
                    {one.status === "DRAFT" && (
                      <button type="button" className="button small" aria-label={t("submitOf", { name: one.name })} onClick={() => setDoing({ what: "submit", template: one })}>
                        {t("submit")}
                      </button>
                    )}
                    {CHANGEABLE.has(one.status) && (
                      <button type="button" className="button bare small" aria-label={t("changeOf", { name: one.name })} onClick={() => setDoing({ what: "edit", template: one })}>
                        {t("change")}
                      </button>
                    )}
                    {!BEING_LOOKED_AT.has(one.status) && (
                      <button type="button" className="button bare small" aria-label={t("removeOf", { name: one.name })} onClick={() => setDoing({ what: "remove", template: one })}>
                        {t("remove")}
                      </button>
                    )}
                  </div>
                )}
              </li>
            ))}
          </ul>
          {pages.more && (
            <button type="button" className="button" onClick={pages.next}>
              {t("more")}
            </button>
          )}
        </div>
      </section>
      {doing?.what === "new" && <TemplateForm numbers={numbers} close={close} done={() => done(t("templateSaved"))} />}
      {doing?.what === "edit" && <TemplateForm numbers={numbers} of={doing.template} close={close} done={() => done(t("templateSaved"))} />}
      {doing?.what === "submit" && <Submit of={doing.template} close={close} done={() => done(t("submitted"))} />}
      {doing?.what === "remove" && <Remove of={doing.template} close={close} done={() => done(t("templateRemoved"))} />}
    </div>
  );
}

function Line({ of }: { of: Template }) {
  const t = useTexts(TEXTS);
  const parts = filled(of.components, of.variaveis.map((one) => one.exemplo));
  return (
    <div className="template-line">
      <span>
        <b>{of.name}</b> <Badge of={of.status} />
        <small>{joined(of.language.replace("_", "-").toLowerCase().replace(/-(\w+)$/, (_, land: string) => `-${land.toUpperCase()}`), words(of.category), of.number && phone(of.number.displayPhone), t("version", { number: number(of.version) }))}</small>
        <small>{t("changedOn", { date: atMoment(of.updatedAt) })}</small>
        {of.rejectionReason && <small className="bad-text">{t("rejectedBecause", { reason: words(of.rejectionReason) })}</small>}
      </span>
      <figure className="bubble" aria-label={t("previewOf", { name: of.name })}>
        {parts.map((one, at) => (
          <p key={at} className={`part-${one.type.toLowerCase()}`}>
            {one.text}
          </p>
        ))}
      </figure>
    </div>
  );
}

function Submit({ of, close, done }: { of: Template; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [submit, busy] = useWrite(SUBMIT_TEMPLATE);
  async function run() {
    const { refusal } = await submit({ id: of.id });
    if (!refusal) done();
    return refusal;
  }
  return <Ask title={t("submitOf", { name: of.name })} note={t("submitNote")} confirm={t("submit")} busy={busy} run={run} close={close} />;
}

function Remove({ of, close, done }: { of: Template; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [remove, busy] = useWrite(DELETE_TEMPLATE);
  async function run() {
    const { refusal } = await remove({ id: of.id });
    if (!refusal) done();
    return refusal;
  }
  return <Ask title={t("removeOf", { name: of.name })} note={t("removeTemplateNote")} confirm={t("remove")} bad busy={busy} run={run} close={close} />;
}
