import { type FormEvent, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { Conflict, useConflict, useFresh, type Values } from "../../ui/conflict";
import { type AttributeRow, Attributes, attributesOf, rowsOf } from "./Attributes";
import { CHANGE, CONTACT_NOW, CREATE } from "./documents";
import { TEXTS } from "./texts";

export interface ContactFields {
  phone: string;
  name: string;
  email: string;
  externalId: string;
  tags: string;
  attributes: AttributeRow[];
}

const EMPTY: ContactFields = { phone: "", name: "", email: "", externalId: "", tags: "", attributes: [] };
const PLAIN = ["name", "email", "externalId"] as const;

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
        ...(fields.attributes.length && { attributes: attributesOf(fields.attributes) }),
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

/** What both may have changed, each as a text. Of the tags only what changed is sent. */
const valuesOf = (of: { name: string | null; email: string | null; externalId: string | null; attributes: unknown }): Values => ({
  ...Object.fromEntries(PLAIN.map((name) => [name, of[name] ?? ""])),
  ...Object.fromEntries(rowsOf(of.attributes).map((one) => [`a.${one.key}`, one.value])),
});

export function EditContact({ id, before: given, close }: { id: string; before: ContactFields; close: () => void }) {
  const t = useTexts(TEXTS);
  // What it was when the form was opened is kept with it: by that, what others changed since is told apart.
  const [draft, setDraft, clear] = useDraft(`contact.${id}`, { fields: given, before: given });
  const { fields, before } = draft;
  const setFields = (next: ContactFields) => setDraft({ fields: next, before });
  const [change, busy] = useWrite(CHANGE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const conflict = useConflict();
  const fresh = useFresh(CONTACT_NOW);
  const flat = (of: ContactFields) => valuesOf({ ...of, attributes: attributesOf(of.attributes) });
  const end = () => (clear(), close());
  async function submit() {
    const input: Record<string, unknown> = {};
    for (const name of PLAIN) if (fields[name] !== before[name]) input[name] = fields[name] || null;
    // Of the tags only what changed: another person may have added one meanwhile.
    const [were, are] = [tagsOf(before.tags), tagsOf(fields.tags)];
    const added = are.filter((tag) => !were.includes(tag));
    const removed = were.filter((tag) => !are.includes(tag));
    if (added.length) input["tagsAdicionar"] = added;
    if (removed.length) input["tagsRemover"] = removed;
    const attributes = attributesOf(fields.attributes);
    const known = attributesOf(before.attributes);
    const changed = Object.fromEntries(Object.entries(attributes).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key])));
    const dropped = Object.keys(known).filter((key) => !(key in attributes));
    if (Object.keys(input).length + Object.keys(changed).length + dropped.length) {
      const now = (await fresh({ id }))?.contact;
      const mine = { ...flat(fields), ...Object.fromEntries(dropped.map((key) => [`a.${key}`, ""])) };
      if (!conflict.check(flat(before), now ? valuesOf(now) : null, mine)) return;
      if (dropped.length) {
        // One key goes only with the whole: what others added meanwhile stays.
        const stored = Object.entries((now?.attributes ?? known) as Record<string, unknown>);
        input["attributes"] = { ...Object.fromEntries(stored.filter(([key]) => !dropped.includes(key))), ...changed };
      } else if (Object.keys(changed).length) input["attributesMesclar"] = changed;
      const { refusal: why } = await change({ id, input });
      if (why) return setRefusal(why);
      toast(t("saved"));
    }
    end();
  }
  return (
    <Dialog title={t("edit")} close={end}>
      <Conflict
        found={conflict.found}
        name={(field) => (field.startsWith("a.") ? field.slice(2) : t(field as "name"))}
        take={(theirs) => {
          const rows = fields.attributes.map((one) => ({ ...one, value: theirs[`a.${one.key}`] ?? one.value }));
          setFields({ ...fields, ...Object.fromEntries(PLAIN.flatMap((name) => (name in theirs ? [[name, theirs[name]]] : []))), attributes: rows });
          conflict.forget();
        }}
      />
      <Fields fields={fields} change={setFields} refusal={refusal} busy={busy} close={end} submit={submit} />
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
  const field = (name: Exclude<keyof ContactFields, "attributes">, label: string, { type = "text", hint }: { type?: string; hint?: string } = {}) => (
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
      <Attributes of={fields.attributes} wrong={refusal?.fields.find((one) => one.pointer.includes("attributes"))?.message} change={(attributes) => change({ ...fields, attributes })} />
      <Actions close={close}>
        <button type="submit" className="button main" disabled={busy}>
          {t(busy ? "saving" : "save")}
        </button>
      </Actions>
    </form>
  );
}
