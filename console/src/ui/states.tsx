// Empty, loading, failed and offline, the same on every screen.

import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Read, Refusal } from "../gateway/read";
import { Icon, type IconName } from "./Icon";
import { texts, useTexts } from "./language";
import { scopeSaid } from "./scopes";

const TEXTS = texts({
  loading: ["Carregando…", "Loading…"],
  again: ["Tentar de novo", "Try again"],
  offline: ["Sem conexão", "No connection"],
  offlineSentence: [
    "O serviço não responde. O que você digitou continua aqui; assim que ele voltar, a tela se atualiza.",
    "The service does not answer. What you typed stays here; once it is back, the screen is brought up to date.",
  ],
  forbidden: ["Você não tem acesso a isto", "You have no access to this"],
  scope: [
    "Falta a permissão {scope}. Quem administra a equipe pode concedê-la.",
    "The permission {scope} is missing. Whoever administers the team can grant it.",
  ],
  wait: ["O serviço pediu uma pausa", "The service asked for a pause"],
  waitSentence: ["Foram muitos pedidos de uma vez. Espere um instante.", "There were many requests at once. Wait a moment."],
  failed: ["Não foi possível mostrar isto", "This could not be shown"],
  unknown: ["Algo inesperado aconteceu.", "Something unexpected happened."],
  marked: ["Corrija o que está marcado e envie de novo.", "Correct what is marked, and send it again."],
  number: ["Número do pedido: {id}", "Request number: {id}"],
  missing: ["Uma parte não aparece: falta a permissão {scopes}.", "A part is left out: the permission {scopes} is missing."],
});

export function State({ icon = "star", title, children }: { icon?: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <Icon name={icon} size={30} />
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

export const Empty = State;

/** Grey lines where text will be. */
export function Bones({ lines = 5 }: { lines?: number }) {
  const t = useTexts(TEXTS);
  return (
    <div className="bones" role="status" aria-label={t("loading")}>
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}

/** A refusal in two lines of text, for `<Failed>` and forms. */
export function useSaid(): (refusal: Refusal) => { icon: IconName; title: string; sentence: string } {
  const t = useTexts(TEXTS);
  return (refusal) => {
    switch (refusal.kind) {
      case "offline":
        return { icon: "offline", title: t("offline"), sentence: t("offlineSentence") };
      case "wait":
        return { icon: "clock", title: t("wait"), sentence: t("waitSentence") };
      case "forbidden":
        return {
          icon: "lock",
          title: t("forbidden"),
          sentence: refusal.scope ? t("scope", { scope: scopeSaid(refusal.scope) }) : refusal.sentence,
        };
      default:
        return { icon: "alert", title: t("failed"), sentence: refusal.sentence || t("unknown") };
    }
  };
}

export function Failed({ refusal, again }: { refusal: Refusal; again?: () => void }) {
  const t = useTexts(TEXTS);
  const { icon, title, sentence } = useSaid()(refusal);
  return (
    <div role="alert">
      <State icon={icon} title={title}>
        <p>{sentence}</p>
        {refusal.requestId && <p className="id">{t("number", { id: refusal.requestId })}</p>}
        {again && refusal.kind !== "forbidden" && (
          <button type="button" className="button" onClick={again}>
            {t("again")}
          </button>
        )}
      </State>
    </div>
  );
}

/** Shows what was read, or why it is not there yet. */
export function Shown<D>({ of, bones, children }: { of: Read<D>; bones?: ReactNode; children: (data: D) => ReactNode }) {
  const t = useTexts(TEXTS);
  if (of.state === "loading") return bones ?? <Bones />;
  if (of.state === "failed") return <Failed refusal={of.refusal} again={of.again} />;
  return (
    <>
      {of.missing.length > 0 && <p className="notice">{t("missing", { scopes: of.missing.map(scopeSaid).join(", ") })}</p>}
      {children(of.data)}
    </>
  );
}

/** Why a form was not taken; what was typed stays. Whoever sent it is led to the first field that is wrong, or to this. */
export function Refused({ refusal }: { refusal: Refusal | null }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  const own = useRef<HTMLDivElement>(null);
  const [elsewhere, setElsewhere] = useState<Refusal["fields"]>([]);
  useEffect(() => {
    const form = own.current?.closest("form");
    const shown = [...(form?.querySelectorAll(".wrong") ?? [])].map((one) => one.textContent);
    setElsewhere(refusal?.fields.filter((one) => !shown.includes(one.message)) ?? []);
    if (!refusal) return;
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else own.current?.scrollIntoView({ block: "nearest" });
  }, [refusal]);
  const isMarked = refusal !== null && refusal.fields.length > elsewhere.length;
  return (
    <div role="alert" ref={own}>
      {refusal && (
        <div className="notice bad">
          {isMarked ? t("marked") : said(refusal).sentence}
          {(isMarked || refusal.fields.length > 1) && elsewhere.map((one) => <small key={one.pointer}>{`${one.pointer}: ${one.message}`}</small>)}
          {refusal.requestId && refusal.kind === "other" && <small>{t("number", { id: refusal.requestId })}</small>}
        </div>
      )}
    </div>
  );
}
