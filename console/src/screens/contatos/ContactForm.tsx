import { type FormEvent, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { CHANGE, CREATE } from "./documents";
import { TEXTS } from "./texts";

export interface ContactFields {
  phone: string;
  name: string;
  email: string;
  externalId: string;
  tags: string;
}

const EMPTY: ContactFields = { phone: "", name: "", email: "", externalId: "", tags: "" };

const tagsOf = (text: string): string[] => [...new Set(text.split(",").map((one) => one.trim()).filter(Boolean))];

export function NewContact({ close, made }: { close: () => void; made: (id: string) => void }) {
  const t = useTexts(TEXTS);
  const [fields, setFields, clear] = useDraft("contact.new", EMPTY);
  const [create, busy] = useWrite(CREATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function submit() {
    const { phone, name, email, externalId, tags } = fields;
    const { data, refusal: why } = await create({
      input: {
        phone,
        source: "MANUAL",
        ...(name && { name }),
        ...(email && { email }),
        ...(externalId && { externalId }),
        ...(tags && { tags: tagsOf(tags) }),
      },
    });
    if (why || !data.createContact) return setRefusal(why);
    clear();
    toast(t("made"));
    made(data.createContact.id);
  }
  return (
    <Dialog title={t("create")} close={close}>
      <Fields fields={fields} change={setFields} refusal={refusal} withPhone busy={busy} close={close} submit={submit} />
    </Dialog>
  );
}

export function EditContact({ id, before, close }: { id: string; before: ContactFields; close: () => void }) {
  const t = useTexts(TEXTS);
  const [fields, setFields, clear] = useDraft(`contact.${id}`, before);
  const [change, busy] = useWrite(CHANGE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function submit() {
    const input: Record<string, unknown> = {};
    for (const name of ["name", "email", "externalId"] as const) {
      if (fields[name] !== before[name]) input[name] = fields[name] || null;
    }
    // Of the tags only what changed: another person may have added one meanwhile.
    const [were, are] = [tagsOf(before.tags), tagsOf(fields.tags)];
    const added = are.filter((tag) => !were.includes(tag));
    const removed = were.filter((tag) => !are.includes(tag));
    if (added.length) input["tagsAdicionar"] = added;
    if (removed.length) input["tagsRemover"] = removed;
    if (Object.keys(input).length) {
      const { refusal: why } = await change({ id, input });
      if (why) return setRefusal(why);
      toast(t("saved"));
    }
    clear();
    close();
  }
  return (
    <Dialog title={t("edit")} close={() => (clear(), close())}>
      <Fields fields={fields} change={setFields} refusal={refusal} busy={busy} close={() => (clear(), close())} submit={submit} />
    </Dialog>
  );
}

function Fields({
  fields,
  change,
  refusal,
  withPhone = false,
  busy,
  close,
  submit,
}: {
  fields: ContactFields;
  change: (fields: ContactFields) => void;
  refusal: Refusal | null;
  withPhone?: boolean;
  busy: boolean;
  close: () => void;
  submit: () => Promise<void>;
}) {
  const t = useTexts(TEXTS);
  const wrong = (name: string) => refusal?.fields.find((one) => one.field === name)?.message;
  const field = (name: keyof ContactFields, label: string, { type = "text", hint }: { type?: string; hint?: string } = {}) => (
    <Field label={label} hint={hint} wrong={wrong(name)}>
      {(props) => (
        <input {...props} type={type} value={fields[name]} autoComplete="off" onChange={(event) => change({ ...fields, [name]: event.target.value })} />
      )}
    </Field>
  );
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <Refused refusal={refusal} />
      {withPhone && field("phone", t("phone"), { type: "tel", hint: t("phoneHint") })}
      {field("name", t("name"))}
      {field("email", t("email"), { type: "email" })}
      {field("externalId", t("externalId"))}
      {field("tags", t("tags"), { hint: t("tagsHint") })}
      <Actions close={close}>
        <button type="submit" className="button main" disabled={busy}>
          {t(busy ? "saving" : "save")}
        </button>
      </Actions>
    </form>
  );
}
