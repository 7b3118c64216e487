// Small things that screens are made of.

import { type ReactNode, useEffect, useId, useRef } from "react";
import { Store, useStore } from "../gateway/store";
import { Icon } from "./Icon";
import { texts, useTexts } from "./language";
import { words } from "./format";

const TEXTS = texts({ close: ["Fechar", "Close"], cancel: ["Cancelar", "Cancel"] });

const GOOD = new Set(["DELIVERED", "READ", "GRANTED", "GANHO", "ACTIVE", "ATIVA", "GREEN", "APPROVED", "ENTREGUE", "ENVIADA", "PASSOU", "CREDITO", "CONNECTED", "VERIFIED"]);
const BAD = new Set(["FAILED", "UNDELIVERED", "DENIED", "PERDIDO", "FAILING", "REVOKED", "RED", "REJECTED", "BOUNCED", "COMPLAINED", "REVOGADA", "MORTA", "RECUSADA", "PAROU", "SUSPENDED", "DISCONNECTED", "DISABLED", "EXPIRED", "DEAD"]);
const LATE = new Set(["QUEUED", "SENDING", "PAUSED", "PAUSADA", "YELLOW", "PENDING", "PENDENTE", "FALHANDO", "RETIDA", "ADIADA", "ADIOU", "EXPIRADA", "INVITED", "SUBMITTED", "FLAGGED", "WAITING"]);

/** A value of a closed set in its colour. */
export function Badge({ of, children }: { of: string; children?: ReactNode }) {
  const tone = GOOD.has(of) ? "good" : BAD.has(of) ? "bad" : LATE.has(of) ? "late" : "";
  return <span className={`badge ${tone}`}>{children ?? words(of)}</span>;
}

/** A label, a field and what is wrong with it. The field gets `id` and the rest. */
export function Field({
  label,
  hint,
  wrong,
  children,
}: {
  label: string;
  hint?: string | undefined;
  wrong?: string | undefined;
  children: (props: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode;
}) {
  const id = useId();
  const about = hint || wrong ? { "aria-describedby": `${id}-about` } : {};
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...about, ...(wrong ? { "aria-invalid": true as const } : {}) })}
      {(hint || wrong) && (
        <span id={`${id}-about`} className={wrong ? "wrong" : "hint"}>
          {wrong ?? hint}
        </span>
      )}
    </div>
  );
}

/** The browser's own dialog: its first field has the focus, which it keeps and gives back; Escape closes it. */
export function Dialog({
  title,
  close,
  wide = false,
  stays = false,
  children,
}: {
  title: string;
  close: () => void;
  wide?: boolean;
  /** Whether Escape, and the gesture that goes back on a phone, leave it open. */
  stays?: boolean;
  children: ReactNode;
}) {
  const t = useTexts(TEXTS);
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>(".inside :is(input, select, textarea):not(:disabled)")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} aria-labelledby={id} className={wide ? "dialog wide" : "dialog"} onCancel={(event) => (event.preventDefault(), !stays && close())}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="button bare small" aria-label={t("close")} onClick={close}>
          <Icon name="close" size={18} />
        </button>
      </header>
      <div className="inside">{children}</div>
    </dialog>
  );
}

export function Actions({ close, children }: { close: () => void; children: ReactNode }) {
  const t = useTexts(TEXTS);
  return (
    <div className="row end">
      <button type="button" className="button" onClick={close}>
        {t("cancel")}
      </button>
      {children}
    </div>
  );
}

/** What a screen begins with. It names the tab too. */
export function ScreenHead({ title, unread, children }: { title: string; unread?: number; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${unread ? `(${unread}) ` : ""}${title} – SVC`;
  }, [title, unread]);
  return (
    <header>
      <h1>{title}</h1>
      {children && <div className="row">{children}</div>}
    </header>
  );
}

const toasts = new Store<{ id: number; text: string }[]>([]);
let counted = 0;

/** A sentence that goes by itself; also read out. */
export function toast(text: string): void {
  const id = (counted += 1);
  toasts.set([...toasts.get(), { id, text }]);
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), 5000);
}

export function Toasts() {
  const all = useStore(toasts);
  return (
    <div className="toasts" role="status">
      {all.map((one) => (
        <p key={one.id} className="toast">
          {one.text}
        </p>
      ))}
    </div>
  );
}
