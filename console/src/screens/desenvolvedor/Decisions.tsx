import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { atMoment, words } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead } from "../../ui/parts";
import { Empty, Shown } from "../../ui/states";
import { DECISION, DECISIONS } from "./documents";
import { TEXTS } from "./texts";

type Decision = NonNullable<ResultOf<typeof DECISION>["decision"]>;

export function Decisions({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const navigate = useNavigate();
  const { q = "" } = useSearch({ strict: false }) as { q?: string };
  const [text, setText] = useState(q);
  const one = /^(dec|msg)_/.test(q);
  const single = useRead(DECISION, { id: q }, { pause: !one });
  const several = useRead(DECISIONS, { input: !q ? { limit: 20 } : q.startsWith("cnt_") ? { contactId: q, limit: 50 } : { requestId: q, limit: 50 } }, { pause: one });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/desenvolvedor", search: { aba: "decisoes", q: text.trim() } as never });
  };
  const list = (all: readonly Decision[]) =>
    all.length ? (
      <ol className="decisions">
        {all.map((decision) => (
          <li key={decision.id}>
            <Story of={decision} open={all.length === 1} />
          </li>
        ))}
      </ol>
    ) : (
      <div className="card">
        <Empty icon={q ? "search" : "check"} title={t(q ? "noDecision" : "noRefusals")}>
          <p>{t(q ? "noDecisionSentence" : "noRefusalsSentence")}</p>
        </Empty>
      </div>
    );
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <section className="card" aria-labelledby="find">
        <header>
          <h2 id="find">{t("find")}</h2>
        </header>
        <form className="inside finder" role="search" onSubmit={submit}>
          <Field label={t("findLabel")} hint={t("findHint")}>
            {(props) => <input {...props} type="search" value={text} autoComplete="off" spellCheck={false} onChange={(event) => setText(event.target.value)} />}
          </Field>
          <button type="submit" className="button main">
            <Icon name="search" size={17} /> {t("look")}
          </button>
        </form>
      </section>
      <h2>{t(q ? "found" : "latest")}</h2>
      {one ? (
        <Shown of={single}>{({ decision }) => list(decision ? [decision] : [])}</Shown>
      ) : (
        <Shown of={several}>{({ decisions }) => list(decisions?.items ?? [])}</Shown>
      )}
    </div>
  );
}

function Story({ of, open }: { of: Decision; open: boolean }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const counted = of.regras.filter((one) => one.resultado !== "NAO_SE_APLICA");
  return (
    <article className="card decision" aria-label={of.frase}>
      <header>
        <Badge of={of.veredito} />
        <h3>{words(of.canal)}</h3>
        <span className="quiet">{atMoment(of.em)}</span>
      </header>
      <div className="inside">
        <p>{of.frase}</p>
        {of.oQueFazer && (
          <p className="notice blue">
            <strong>{t("whatToDo")}</strong> {of.oQueFazer}
          </p>
        )}
        <dl className="facts">
          <dt>Id</dt>
          <dd className="code">{of.id}</dd>
          {of.requestId && (
            <>
              <dt>{t("requestNumber")}</dt>
              <dd className="code">{of.requestId}</dd>
            </>
          )}
          {of.contactId && (
            <>
              <dt>{t("contact")}</dt>
              <dd className="code">{may("contacts:read") ? <Link to={`/contatos/${of.contactId}`}>{of.contactId}</Link> : of.contactId}</dd>
            </>
          )}
        </dl>
        <details open={open}>
          <summary>{t("rules")}</summary>
          <ol className="rules">
            {counted.map((one) => (
              <li key={one.regra}>
                <span>{words(one.regra)}</span>
                <Badge of={one.resultado} />
                <span className="quiet">{one.porque}</span>
              </li>
            ))}
          </ol>
        </details>
        {of.linha.length > 0 && (
          <details open={open}>
            <summary>{t("since")}</summary>
            <ol className="rules">
              {of.linha.map((one) => (
                <li key={`${one.evento} ${one.em}`}>
                  <span>{words(one.evento)}</span>
                  <span className="quiet">{atMoment(one.em)}</span>
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </article>
  );
}
