import { useState } from "react";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useWrite } from "../../gateway/read";
import { Ask } from "../../ui/asking";
import { Conflict, useConflict, useFresh, type Values } from "../../ui/conflict";
import { phone, words } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Field } from "../../ui/parts";
import { filled, variablesOf } from "../../ui/template";
import { CHANGE_TEMPLATE, CREATE_TEMPLATE, TEMPLATE_NOW } from "./documents";
import type { TeamNumber, Template } from "./Templates";
import { TEXTS } from "./texts";

type Input = VariablesOf<typeof CREATE_TEMPLATE>["input"];
type Component = Input["components"][number];
type Button = Record<string, unknown> & { type: string };

interface Form {
  numberId: string;
  name: string;
  language: string;
  category: string;
  format: string;
  header: string;
  headerExample: string;
  body: string;
  examples: string[];
  footer: string;
  buttons: Button[];
  /** What this form does not write: carousels and offers stay as they are. */
  others: Component[];
}

const CATEGORIES = ["UTILITY", "MARKETING", "AUTHENTICATION"];
const LANGUAGES = ["PT_BR", "EN_US", "ES_ES"];
const FORMATS = ["", "TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION"];
const BUTTONS = ["QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "OTP"] as const;
const FILES = new Set(["IMAGE", "VIDEO", "DOCUMENT"]);
const WRITTEN = new Set(["HEADER", "BODY", "FOOTER", "BUTTONS"]);
const TEXTS_OF_BUTTONS = { QUICK_REPLY: ["text"], URL: ["text", "url", "example"], PHONE_NUMBER: ["text", "phoneNumber"], COPY_CODE: ["example"], OTP: ["text"] } as const;

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : []);

function formOf(of: Template | undefined, numberId: string): Form {
  const part = (type: string) => (of?.components.find((one) => one.type === type)?.payload ?? {}) as Record<string, any>;
  const [header, body] = [part("HEADER"), part("BODY")];
  return {
    numberId: of?.numberId ?? numberId,
    name: of?.name ?? "",
    language: of?.language ?? "PT_BR",
    category: of?.category ?? "UTILITY",
    format: header["format"] ?? "",
    header: header["text"] ?? "",
    headerExample: textsIn(header["example"])[0] ?? "",
    body: body["text"] ?? "",
    examples: textsIn(body["example"]),
    footer: part("FOOTER")["text"] ?? "",
    buttons: part("BUTTONS")["buttons"] ?? [],
    others: (of?.components.filter((one) => !WRITTEN.has(one.type)) ?? []) as Component[],
  };
}

function componentsOf(form: Form): Component[] {
  const all: Component[] = [];
  if (form.format) {
    const variables = form.format === "TEXT" && variablesOf(form.header).length > 0;
    all.push({
      type: "HEADER",
      payload: {
        format: form.format,
        ...(form.format === "TEXT" && { text: form.header }),
        ...(variables && { example: [form.headerExample] }),
        ...(FILES.has(form.format) && form.headerExample && { example: form.headerExample }),
      },
    });
  }
  const count = variablesOf(form.body).length;
  all.push({ type: "BODY", payload: { text: form.body, ...(count && { example: Array.from({ length: count }, (_, at) => form.examples[at] ?? "") }) } });
  if (form.footer) all.push({ type: "FOOTER", payload: { text: form.footer } });
  if (form.buttons.length) {
    all.push({
      type: "BUTTONS",
      payload: { buttons: form.buttons.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== "").map(([name, value]) => (name === "example" && one.type === "URL" ? [name, textsIn(value)] : [name, value])))) },
    });
  }
  return [...all, ...form.others];
}

/** The parts as texts, by which two versions are compared. */
function valuesOf(of: Pick<Template, "name" | "language" | "category" | "components">): Values {
  const parts = Object.fromEntries(of.components.map((one) => [one.type, filled([one], []).map((part) => part.text).join("\n") || JSON.stringify(one.payload)]));
  return { name: of.name, language: of.language, category: of.category, ...parts };
}

/** Writes a draft; of a template in use a next version is made. */
export function TemplateForm({ numbers, of, close, done }: { numbers: readonly TeamNumber[]; of?: Template; close: () => void; done: () => void }) {
  const t = useTexts(TEXTS);
  const [form, setForm, clear] = useDraft<Form>(`team.template.${of?.id ?? "new"}`, formOf(of, numbers[0]?.id ?? ""));
  const [create, creating] = useWrite(CREATE_TEMPLATE);
  const [change, changing] = useWrite(CHANGE_TEMPLATE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const conflict = useConflict();
  const fresh = useFresh(TEMPLATE_NOW);
  const put = (part: Partial<Form>) => setForm({ ...form, ...part });
  const components = componentsOf(form);

  /** What is wrong at a place of a part. */
  const at = (type: string, place: string): string | undefined => {
    const index = components.findIndex((one) => one.type === type);
    return refusal?.fields.find((one) => one.pointer.includes(`components/${index}/payload/${place}`))?.message;
  };
  async function run() {
    const facts = { name: form.name, language: form.language, category: form.category, components };
    let why: Refusal | null;
    if (of) {
      const now = (await fresh({ id: of.id }))?.template;
      if (!conflict.check(valuesOf(of), now ? valuesOf(now) : null, valuesOf(facts as never))) return null;
      const input = Object.fromEntries(Object.entries(facts).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(of[name as "name"])));
      ({ refusal: why } = await change({ id: of.id, input }));
    } else ({ refusal: why } = await create({ input: { numberId: form.numberId, ...facts } as Input }));
    setRefusal(why);
    if (why) return why;
    clear();
    done();
    return null;
  }
  const fixed = of && of.status !== "DRAFT"; // name and language stay once the platform knows it
  const choice = (key: "numberId" | "language" | "category" | "format", label: string, all: { value: string; label: string }[], off = false, wrong?: string) => (
    <Field label={label} wrong={wrong}>
      {(props) => (
        <select {...props} value={form[key]} disabled={off} onChange={(event) => put({ [key]: event.target.value })}>
          {all.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const variables = variablesOf(form.body);
  return (
    <Ask title={of ? t("changeOf", { name: of.name }) : t("newTemplate")} note={t(of?.status === "APPROVED" ? "nextVersion" : "templateNote")} confirm={t("saveDraft")} busy={creating || changing} run={run} close={() => (clear(), close())} wide>
      {(wrong) => (
        <div className="template-form">
          <div className="form">
            <Conflict
              found={conflict.found}
              name={(field) => (field in TEXTS ? t(field as "HEADER") : field)}
              take={() => {
                clear();
                done();
              }}
            />
            {!of && choice("numberId", t("number"), numbers.map((one) => ({ value: one.id, label: phone(one.displayPhone) })), false, wrong("numberId"))}
            <Field label={t("templateName")} hint={t("templateNameHint")} wrong={wrong("name")}>
              {(props) => <input {...props} value={form.name} disabled={fixed} autoComplete="off" spellCheck={false} onChange={(event) => put({ name: event.target.value })} />}
            </Field>
            <div className="pair">
              {choice("language", t("templateLanguage"), LANGUAGES.map((value) => ({ value, label: t(value as "PT_BR") })), fixed, wrong("language"))}
              {choice("category", t("category"), CATEGORIES.map((value) => ({ value, label: words(value) })), fixed, wrong("category"))}
            </div>
            <div className="pair">
              {choice("format", t("HEADER"), FORMATS.map((value) => ({ value, label: t(value ? (`header${value}` as "headerTEXT") : "none") })))}
              {form.format === "TEXT" && (
                <Field label={t("headerText")} wrong={at("HEADER", "text")}>{(props) => <input {...props} value={form.header} onChange={(event) => put({ header: event.target.value })} />}</Field>
              )}
              {(FILES.has(form.format) || (form.format === "TEXT" && variablesOf(form.header).length > 0)) && (
                <Field label={t(form.format === "TEXT" ? "example" : "exampleFile")} wrong={at("HEADER", "example")}>
                  {(props) => <input {...props} value={form.headerExample} onChange={(event) => put({ headerExample: event.target.value })} />}
                </Field>
              )}
            </div>
            <Field label={t("BODY")} hint={t("bodyHint")} wrong={at("BODY", "text") ?? wrong("components")}>
              {(props) => <textarea {...props} rows={4} value={form.body} onChange={(event) => put({ body: event.target.value })} />}
            </Field>
            {variables.length > 0 && (
              <div className="pair">
                {variables.map((name, index) => (
                  <Field key={name} label={t("exampleOf", { number: name })} wrong={at("BODY", `example/${index}`)}>
                    {(props) => <input {...props} value={form.examples[index] ?? ""} onChange={(event) => put({ examples: Object.assign([...form.examples], { [index]: event.target.value }) })} />}
                  </Field>
                ))}
              </div>
            )}
            <Field label={t("FOOTER")} wrong={at("FOOTER", "text")}>{(props) => <input {...props} value={form.footer} onChange={(event) => put({ footer: event.target.value })} />}</Field>
            <Buttons of={form.buttons} wrong={(place) => at("BUTTONS", `buttons/${place}`) ?? (place === "" ? at("BUTTONS", "buttons") : undefined)} change={(buttons) => put({ buttons })} />
          </div>
          <figure className="bubble" aria-label={t("preview")}>
            {filled(components as never, form.format === "TEXT" && variablesOf(form.header).length ? [form.headerExample, ...form.examples] : form.examples).map((one, index) => (
              <p key={index} className={`part-${one.type.toLowerCase()}`}>
                {one.text}
              </p>
            ))}
          </figure>
        </div>
      )}
    </Ask>
  );
}

function Buttons({ of, wrong, change }: { of: Button[]; wrong: (place: string) => string | undefined; change: (buttons: Button[]) => void }) {
  const t = useTexts(TEXTS);
  const put = (at: number, part: Partial<Button>) => change(of.map((one, other) => (other === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="form">
      <legend>{t("BUTTONS")}</legend>
      {of.map((one, at) => (
        <div key={at} className="template-button">
          <Field label={t("buttonOf", { number: at + 1 })} wrong={wrong(`${at}/type`)}>
            {(props) => (
              <select {...props} value={one.type} onChange={(event) => change(of.map((other, place) => (place === at ? { type: event.target.value, text: String(other["text"] ?? "") } : other)))}>
                {(BUTTONS.includes(one.type as "URL") ? BUTTONS : [...BUTTONS, one.type]).map((type) => (
                  <option key={type} value={type}>
                    {type in TEXTS ? t(type as "URL") : words(type)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {(TEXTS_OF_BUTTONS[one.type as "URL"] ?? (["text"] as const))
            .filter((name) => name !== "example" || one.type !== "URL" || variablesOf(String(one["url"] ?? "")).length > 0)
            .map((name) => (
              <Field key={name} label={t(`button_${name}`)} wrong={wrong(`${at}/${name}`)}>
                {(props) => <input {...props} value={textsIn(one[name])[0] ?? ""} onChange={(event) => put(at, { [name]: event.target.value })} />}
              </Field>
            ))}
          <button type="button" className="button bare small" aria-label={t("dropButton", { number: at + 1 })} onClick={() => change(of.filter((_, other) => other !== at))}>
            {t("remove")}
          </button>
        </div>
      ))}
      {wrong("") && <span className="wrong">{wrong("")}</span>}
      <div className="row">
        <button type="button" className="button small" onClick={() => change([...of, { type: "QUICK_REPLY", text: "" }])}>
          {t("addButton")}
        </button>
      </div>
    </fieldset>
  );
}
