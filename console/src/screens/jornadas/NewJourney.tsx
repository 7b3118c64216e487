import { type FormEvent, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { useDraft } from "../../ui/memory";
import { CREATE } from "./documents";
import { TEXTS } from "./texts";

const NOTHING = { name: "", event: "", text: "" };

/** A draft that begins with an event and one SMS; the rest is put in on its page. */
export function NewJourney({ close, made }: { close: () => void; made: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const [form, setForm, clear] = useDraft("journey.new", NOTHING);
  const [create, busy] = useWrite(CREATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const wrong = (field: string) => refusal?.fields.find((one) => one.field === field)?.message;
  async function submit(event: FormEvent) {
    event.preventDefault();
    const passos = [{ id: "p1", tipo: "mensagem", config: { canal: "sms", texto: form.text } }];
    const { data, refusal: why } = await create({ input: { name: form.name, gatilho: { nome: form.event }, passos, entradaPasso: "p1" } });
    setRefusal(why);
    const id = data?.createJourney?.id;
    if (!id) return;
    clear();
    made(id);
  }
  return (
    <Dialog title={t("create")} close={close}>
      <form className="form" onSubmit={submit}>
        <Field label={t("name")} wrong={wrong("name")}>
          {(props) => <input {...props} value={form.name} onChange={(event) => setForm({ ...form, name: event.target.value })} />}
        </Field>
        <Field label={t("event")} hint={t("eventHint")} wrong={wrong("nome") ?? wrong("gatilho")}>
          {(props) => <input {...props} value={form.event} onChange={(event) => setForm({ ...form, event: event.target.value })} />}
        </Field>
        <Field label={t("firstText")} wrong={wrong("texto")}>
          {(props) => <textarea {...props} rows={3} value={form.text} onChange={(event) => setForm({ ...form, text: event.target.value })} />}
        </Field>
        <Refused refusal={refusal} />
        <Actions close={close}>
          <button type="submit" className="button main" disabled={busy}>
            {t("save")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
