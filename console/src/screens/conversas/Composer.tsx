import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useRead } from "../../gateway/read";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Field } from "../../ui/parts";
import { Shown } from "../../ui/states";
import { joined } from "../../ui/format";
import { filled } from "../../ui/template";
import { type Conversation, isSimple } from "./content";
import { TEMPLATES } from "./documents";
import type { Outgoing } from "./sending";
import { TEXTS } from "./texts";

type Send = (text: string, input: Outgoing["input"]) => void;
type Template = NonNullable<ResultOf<typeof TEMPLATES>["templates"]>["nodes"][number];

const LONGEST = 4096;

/** Free text while the window is open, a template always. */
export function Composer({ head, open, to, send }: { head: Conversation; open: boolean; to: string | null; send: Send }) {
  const t = useTexts(TEXTS);
  const [byTemplate, setByTemplate] = useState(false);
  const recipient = head.instagramAccountId
    ? { instagramAccountId: head.instagramAccountId, ...(to && { to }) }
    : { ...(head.numberId && { numberId: head.numberId }), contactId: head.contactId };
  if (!open && !head.numberId) return <p className="quiet">{t("instagramClosed")}</p>;
  return (
    <>
      {open && !byTemplate && <FreeText head={head} send={(text) => send(text, { ...recipient, type: "TEXT", payload: { text } })} />}
      {head.numberId && (open ? byTemplate : true) && (
        <ByTemplate
          numberId={head.numberId}
          open={open}
          send={(text, templateId, templateVars) => {
            send(text, { ...recipient, type: "TEMPLATE", templateId, templateVars });
            setByTemplate(false);
          }}
        />
      )}
      {open && head.numberId && (
        <button type="button" className="link" aria-expanded={byTemplate} onClick={() => setByTemplate(!byTemplate)}>
          {t(byTemplate ? "answer" : "template")}
        </button>
      )}
    </>
  );
}

function FreeText({ head, send }: { head: Conversation; send: (text: string) => void }) {
  const t = useTexts(TEXTS);
  const [text, setText, clear] = useDraft(`conversas.${head.contactId}.${head.numberId ?? head.instagramAccountId}`, "");
  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (!text.trim()) return;
    send(text.trim());
    clear();
  }
  return (
    <form className="answer" onSubmit={submit}>
      <textarea
        aria-label={t("answer")}
        aria-description={t("keys")}
        placeholder={t("placeholder")}
        rows={2}
        maxLength={LONGEST}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <button type="submit" className="button main" disabled={!text.trim()}>
        <Icon name="next" size={16} /> {t("send")}
      </button>
    </form>
  );
}

function ByTemplate({ numberId, open, send }: { numberId: string; open: boolean; send: (text: string, id: string, values: string[]) => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(TEMPLATES, { numberId });
  const [id, setId] = useState("");
  return (
    <Shown of={read}>
      {(data) => {
        const usable = (data.templates?.nodes ?? []).filter((one) => isSimple(one.components));
        const chosen = usable.find((one) => one.id === id);
        if (!usable.length) return <p className="quiet">{t("noTemplates")}</p>;
        return (
          <div className="form">
            <Field label={t("chooseTemplate")} hint={open ? undefined : t("cost")}>
              {(props) => (
                <select {...props} value={id} onChange={(event) => setId(event.target.value)}>
                  <option value="">{t("pick")}</option>
                  {usable.map((one) => (
                    <option key={one.id} value={one.id}>
                      {joined(one.name, one.language.replace("_", "-"))}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            {chosen && <Filling key={chosen.id} template={chosen} send={(text, values) => (send(text, chosen.id, values), setId(""))} />}
          </div>
        );
      }}
    </Shown>
  );
}

function Filling({ template, send }: { template: Template; send: (text: string, values: string[]) => void }) {
  const t = useTexts(TEXTS);
  const [values, setValues] = useState<string[]>(() => template.variaveis.map(() => ""));
  const parts = filled(template.components, values);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        send(parts.map((one) => one.text).join("\n"), values);
      }}
    >
      {template.variaveis.length > 0 && (
        <div className="options">
          {template.variaveis.map((one, at) => (
            <Field
              key={at}
              label={t(one.componente === "BUTTONS" ? "variableOf" : one.componente === "HEADER" ? "variableHead" : "variable", { number: one.indice })}
            >
              {(props) => (
                <input
                  {...props}
                  required
                  placeholder={one.exemplo}
                  value={values[at]}
                  onChange={(event) => setValues(values.map((value, other) => (other === at ? event.target.value : value)))}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      <figure className="line ours template-preview" aria-label={t("preview")}>
        {parts.map((one, at) => (
          <p key={at} className={`line-text part-${one.type.toLowerCase()}`}>
            {one.text}
          </p>
        ))}
      </figure>
      <div className="row end">
        <button type="submit" className="button main">
          {t("send")}
        </button>
      </div>
    </form>
  );
}
