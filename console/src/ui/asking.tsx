// Dialogs that ask for something and do it, what is shown once, and tabs that stand in the address.

import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Refusal } from "../gateway/read";
import { Actions, Dialog, toast } from "./parts";
import { texts, useTexts } from "./language";
import { Refused } from "./states";
import "./asking.css";

const TEXTS = texts({
  copy: ["Copiar", "Copy"],
  copied: ["Copiado.", "Copied."],
  done: ["Já guardei", "I have kept it"],
  once: [
    "Guarde agora: não será mostrado de novo.",
    "Keep it now: it is not shown again.",
  ],
});

export type Wrong = (field: string) => string | undefined;

/** A form in a dialog: `run` answers why not, or null once it is done; then the caller closes it. */
export function Ask({
  title,
  note,
  confirm,
  bad = false,
  wide = false,
  busy,
  run,
  close,
  children,
}: {
  title: string;
  note?: string;
  confirm: string;
  bad?: boolean;
  wide?: boolean;
  busy: boolean;
  run: () => Promise<Refusal | null>;
  close: () => void;
  children?: (wrong: Wrong) => ReactNode;
}) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy) setRefusal(await run());
  }
  return (
    <Dialog title={title} close={close} wide={wide}>
      <form className="form" noValidate onSubmit={(event) => void submit(event)}>
        {note && <p className="quiet">{note}</p>}
        <Refused refusal={refusal} />
        {children?.((field) => refusal?.fields.find((one) => one.field === field)?.message)}
        <Actions close={close}>
          <button type="submit" className={bad ? "button bad" : "button main"} disabled={busy}>
            {confirm}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** A secret or a link that the service tells only now. */
export function ShownOnce({ title, value, note, close }: { title: string; value: string; note?: string; close: () => void }) {
  const t = useTexts(TEXTS);
  return (
    <Dialog title={title} close={close} stays>
      <div className="form">
        <p className="notice">{note ?? t("once")}</p>
        <output className="secret" aria-label={title}>
          {value}
        </output>
        <div className="row end">
          <button type="button" className="button" onClick={() => void navigator.clipboard.writeText(value).then(() => toast(t("copied")))}>
            {t("copy")}
          </button>
          <button type="button" className="button main" onClick={close}>
            {t("done")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** Parts of a screen; which one is open is told by `aba` of the address. */
export function Tabs({ label, to, open, all }: { label: string; to: string; open: string; all: { key: string; label: string }[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {all.map((one) => (
        <Link key={one.key} to={to} search={{ aba: one.key } as never} className="tab" {...(one.key === open && { "aria-current": "page" as const })}>
          {one.label}
        </Link>
      ))}
    </nav>
  );
}
