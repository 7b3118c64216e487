import { type FormEvent, useState } from "react";
import { useRead, useSettled } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field } from "../../ui/parts";
import { joined, money, phone } from "../../ui/format";
import type { Card, Filling, Pipeline, Wanted } from "./Board";
import { CHOICES } from "./documents";
import { TEXTS } from "./texts";

/** What the stage demands and the deal lacks, as the service named it. */
export function RequiredDialog({ wanted, fields, close, fill }: { wanted: Wanted; fields: string[]; close: () => void; fill: (campos: Filling) => void }) {
  const t = useTexts(TEXTS);
  const { account } = useSession();
  const [value, setValue] = useState("");
  const [expected, setExpected] = useState("");
  const [contact, setContact] = useState("");
  const [owner, setOwner] = useState("");
  const [text, setText] = useState("");
  const q = useSettled(text.trim(), 300);
  const asks = (name: string) => fields.includes(name);
  const read = useRead(
    CHOICES,
    { contact: q ? { q } : {}, contacts: asks("contato"), accounts: asks("responsavel") },
    { pause: !asks("contato") && !asks("responsavel") },
  );
  const data = read.state === "there" ? read.data : null;
  const accounts = [account, ...(data?.accounts?.nodes ?? []).filter((one) => one.id !== account.id)];
  function submit(event: FormEvent) {
    event.preventDefault();
    fill({
      ...(asks("valor") && { valor: Number(value) }),
      ...(asks("dataPrevista") && { dataPrevista: expected }),
      ...(asks("contato") && { contatoId: contact }),
      ...(asks("responsavel") && { responsavelId: owner }),
    });
  }
  return (
    <Dialog title={t("requiredTitle", { stage: wanted.stage.nome })} close={close}>
      <form className="form" onSubmit={submit}>
        <p>{t("requiredNote", { title: wanted.card.titulo })}</p>
        {asks("valor") && (
          <Field label={t("value", { currency: wanted.card.moeda })}>
            {(props) => <input {...props} type="number" required min="0.01" step="0.01" value={value} onChange={(event) => setValue(event.target.value)} />}
          </Field>
        )}
        {asks("dataPrevista") && (
          <Field label={t("expected")}>{(props) => <input {...props} type="date" required value={expected} onChange={(event) => setExpected(event.target.value)} />}</Field>
        )}
        {asks("contato") && (
          <>
            <Field label={t("findContact")}>{(props) => <input {...props} type="search" value={text} onChange={(event) => setText(event.target.value)} />}</Field>
            <Field label={t("contact")}>
              {(props) => (
                <select {...props} required value={contact} onChange={(event) => setContact(event.target.value)}>
                  <option value="">{t("pick")}</option>
                  {(data?.contacts?.nodes ?? []).map((one) => (
                    <option key={one.id} value={one.id}>
                      {joined(one.name, phone(one.phone))}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </>
        )}
        {asks("responsavel") && (
          <Field label={t("owner")}>
            {(props) => (
              <select {...props} required value={owner} onChange={(event) => setOwner(event.target.value)}>
                <option value="">{t("pick")}</option>
                {accounts.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Actions close={close}>
          <button type="submit" className="button main">
            {t("move")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

export function LoseDialog({
  wanted,
  reasons,
  close,
  lose,
}: {
  wanted: Wanted;
  reasons: Pipeline["motivos"];
  close: () => void;
  lose: (carried: { motivoPerdaId: string; observacaoPerda?: string }) => void;
}) {
  const t = useTexts(TEXTS);
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const needsNote = reasons.find((one) => one.id === reason)?.exigeObservacao ?? false;
  return (
    <Dialog title={t("loseTitle", { title: wanted.card.titulo })} close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          lose({ motivoPerdaId: reason, ...(note.trim() && { observacaoPerda: note.trim() }) });
        }}
      >
        <Field label={t("reason")}>
          {(props) => (
            <select {...props} required value={reason} onChange={(event) => setReason(event.target.value)}>
              <option value="">{t("pick")}</option>
              {reasons.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.texto}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("note")} hint={needsNote ? t("noteNeeded") : undefined}>
          {(props) => <textarea {...props} rows={3} required={needsNote} maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />}
        </Field>
        <Actions close={close}>
          <button type="submit" className="button bad">
            {t("lose")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** Two people moved the same deal: both values, and a choice. */
export function ConflictDialog({ wanted, now, pipeline, close, anyway }: { wanted: Wanted; now: Card; pipeline: Pipeline; close: () => void; anyway: () => void }) {
  const t = useTexts(TEXTS);
  const stage = pipeline.etapas.find((one) => one.id === now.etapaId)?.nome;
  return (
    <Dialog title={t("conflictTitle")} close={close}>
      <div className="form">
        <dl className="facts">
          <dt>{t("now")}</dt>
          <dd>{joined(stage, now.titulo, now.valor !== null && money(now.valor, now.moeda))}</dd>
          <dt>{t("wanted")}</dt>
          <dd>{joined(wanted.stage.nome, wanted.card.titulo, wanted.card.valor !== null && money(wanted.card.valor, wanted.card.moeda))}</dd>
        </dl>
        <Actions close={close}>
          <button type="button" className="button main" onClick={anyway}>
            {t("anyway")}
          </button>
        </Actions>
      </div>
    </Dialog>
  );
}
