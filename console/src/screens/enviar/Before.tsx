import { useTexts } from "../../ui/language";
import { Badge } from "../../ui/parts";
import { Bones, Failed } from "../../ui/states";
import { atMoment, exactly, number, words } from "../../ui/format";
import type { Asked, Explanation, Segments } from "./asked";
import { TEXTS } from "./texts";

type Rule = Explanation["regras"][number];

const factsOf = (rules: readonly Rule[], name: string): Record<string, unknown> =>
  (rules.find((one) => one.regra === name)?.entradas ?? {}) as Record<string, unknown>;

/** What it costs, in coins; null: whoever asks may not see it, or it came to no price. */
export function coinsOf(rules: readonly Rule[]): number | null {
  const { coins } = factsOf(rules, "PRECO");
  return typeof coins === "number" ? coins : null;
}

/** The same of what was asked before the send; of an SMS its preview tells it too. */
export const priceOf = (told: Explanation, sms: Segments | null): number | null => coinsOf(told.regras) ?? sms?.billing?.coins ?? null;

/** Whether it can leave, when, what it costs, and why not. */
export function Before({ asked: { told, sms, refusal, again }, text }: { asked: Asked; text: string }) {
  if (refusal) return <Failed refusal={refusal} again={again} />;
  if (!told) return <Bones lines={3} />;
  return (
    <div className="send-before">
      <Verdict told={told} />
      <Figures {...{ told, sms, text }} />
      <Rules of={told.regras} />
    </div>
  );
}

const SOON = 60_000;

function Verdict({ told }: { told: Explanation }) {
  const t = useTexts(TEXTS);
  const stopped = told.regras.find((one) => one.regra === told.regra) ?? told.regras.find((one) => one.resultado === "PAROU" || one.resultado === "ADIOU");
  // A conversation's message always takes its turn behind the sender's others: that is no delay.
  const isSoon = told.veredito === "ADIADA" && !!told.podeEm && Date.parse(told.podeEm) - Date.parse(told.em) < SOON;
  const because = stopped?.porque ?? told.frase;
  return (
    <div aria-live="polite">
      {told.veredito === "RECUSADA" ? (
        <div className="notice bad">
          <b>{t("cannot")}</b>
          {stopped && <span>{words(stopped.regra)}</span>}
          <span>{because}</span>
          {told.oQueFazer && <span>{told.oQueFazer}</span>}
          {told.podeEm && <span>{t("canAt", { moment: atMoment(told.podeEm) })}</span>}
        </div>
      ) : told.veredito === "ADIADA" && !isSoon ? (
        <div className="notice">
          <b>{told.podeEm ? t("laterAt", { moment: atMoment(told.podeEm) }) : t("later")}</b>
          <span>{because}</span>
        </div>
      ) : (
        <p>
          <Badge of="PASSOU">{t("can")}</Badge>
        </p>
      )}
    </div>
  );
}

function Figures({ told, sms, text }: { told: Explanation; sms: Segments | null; text: string }) {
  const t = useTexts(TEXTS);
  const price = priceOf(told, sms);
  return (
    <dl className="facts">
      <dt>{t("price")}</dt>
      <dd>{price === null ? (told.veredito === "RECUSADA" ? "–" : t("unknownPrice")) : price === 0 ? t("free") : exactly(price)}</dd>
      {sms && (
        <>
          <dt>{t("segments")}</dt>
          <dd>
            {t("segmentsOf", { count: sms.segments, length: number(sms.length) })}
            {sms.encoding === "UCS_2" && <p className="quiet">{t("special")}</p>}
          </dd>
          {sms.body !== text.trim() && (
            <>
              <dt>{t("asItArrives")}</dt>
              <dd className="send-text">{sms.body}</dd>
            </>
          )}
        </>
      )}
    </dl>
  );
}

function Rules({ of }: { of: readonly Rule[] }) {
  const t = useTexts(TEXTS);
  return (
    <details>
      <summary>{t("rules")}</summary>
      <ul>
        {of.map((one) => (
          <li key={one.regra}>
            {words(one.regra)} <Badge of={one.resultado} /> {one.porque && <p className="quiet">{one.porque}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}
