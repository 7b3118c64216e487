import { type FormEvent, useState } from "react";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { useDraft } from "../../ui/memory";
import { CREATE, SOURCES } from "./documents";
import { TEXTS } from "./texts";

const BEGINNINGS = ["event", "segmentIn", "segmentOut", "list"] as const;
type Beginning = (typeof BEGINNINGS)[number];
type Trigger = VariablesOf<typeof CREATE>["input"]["gatilho"];

interface Fields {
  name: string;
  by: Beginning;
  event: string;
  segment: string;
  list: string;
  text: string;
}
const NOTHING: Fields = { name: "", by: "event", event: "", segment: "", list: "", text: "" };

function triggerOf({ by, event, segment, list }: Fields): Trigger {
  if (by === "event") return { nome: event };
  if (by === "list") return { listId: list };
  return { segmentId: segment, ao: by === "segmentIn" ? "ENTRAR" : "SAIR" };
}

/** A draft with who enters and one SMS; the rest is put in on its page. */
export function NewJourney({ close, made }: { close: () => void; made: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [form, setForm, clear] = useDraft("journey.new", NOTHING);
  const [create, busy] = useWrite(CREATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const put = (part: Partial<Fields>) => setForm({ ...form, ...part });
  const wrong = (...fields: string[]) => refusal?.fields.find((one) => fields.includes(one.field))?.message;
  const sources = useRead(SOURCES, {}, { pause: form.by === "event" || !may("contacts:read") });
  const found = sources.state === "there" ? sources.data : null;
  async function submit(event: FormEvent) {
    event.preventDefault();
    const passos = [{ id: "p1", tipo: "mensagem", config: { canal: "sms", texto: form.text } }];
    const { data, refusal: why } = await create({ input: { name: form.name, gatilho: triggerOf(form), passos, entradaPasso: "p1" } });
    setRefusal(why);
    const id = data?.createJourney?.id;
    if (!id) return;
    clear();
    made(id);
  }
  const source = (name: "segment" | "list", label: string, all: readonly { id: string; name: string }[] | undefined) => (
    <Field label={label} wrong={wrong("segmentId", "listId", "gatilho")} hint={all?.length === 0 ? t("noSources") : undefined}>
      {(props) => (
        <select {...props} required value={form[name]} onChange={(event) => put({ [name]: event.target.value })}>
          <option value="">{t("pick")}</option>
          {all?.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  return (
    <Dialog title={t("create")} close={close}>
      <form className="form" onSubmit={submit}>
        <Field label={t("name")} wrong={wrong("name")}>
          {(props) => <input {...props} value={form.name} onChange={(event) => put({ name: event.target.value })} />}
        </Field>
        <Field label={t("whoEnters")}>
          {(props) => (
            <select {...props} value={form.by} onChange={(event) => put({ by: event.target.value as Beginning })}>
              {BEGINNINGS.filter((one) => one === "event" || may("contacts:read")).map((one) => (
                <option key={one} value={one}>
                  {t(`by_${one}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {form.by === "event" && (
          <Field label={t("event")} hint={t("eventHint")} wrong={wrong("nome", "gatilho")}>
            {(props) => <input {...props} value={form.event} onChange={(event) => put({ event: event.target.value })} />}
          </Field>
        )}
        {form.by === "list" && source("list", t("list"), found?.lists?.nodes)}
        {(form.by === "segmentIn" || form.by === "segmentOut") && source("segment", t("segment"), found?.segments?.nodes)}
        <Field label={t("firstText")} wrong={wrong("texto")}>
          {(props) => <textarea {...props} rows={3} value={form.text} onChange={(event) => put({ text: event.target.value })} />}
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
