// Empty, loading, failed and offline, the same on every screen.

import type { ReactNode } from "react";
import type { Read, Refusal } from "../gateway/read";
import { Icon, type IconName } from "./Icon";
import { texts, useTexts } from "./language";

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
          sentence: refusal.scope ? t("scope", { scope: refusal.scope }) : refusal.sentence,
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
      {of.missing.length > 0 && <p className="notice">{t("missing", { scopes: of.missing.join(", ") })}</p>}
      {children(of.data)}
    </>
  );
}

/** Why a form was not taken; what was typed stays. */
export function Refused({ refusal }: { refusal: Refusal | null }) {
  const t = useTexts(TEXTS);
  const said = useSaid();
  return (
    <div role="alert">
      {refusal && (
        <p className="notice bad">
          {said(refusal).sentence}
          {refusal.requestId && refusal.kind === "other" && <small>{t("number", { id: refusal.requestId })}</small>}
        </p>
      )}
    </div>
  );
}
