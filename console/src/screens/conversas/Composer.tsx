import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { type Refusal, useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Field } from "../../ui/parts";
import { Refused, Shown } from "../../ui/states";
import { joined } from "../../ui/format";
import { filled, isSimple } from "../../ui/template";
import { TemplateFields } from "../../ui/TemplateFields";
import { type Conversation, size } from "./content";
import { TEMPLATES } from "./documents";
import type { Outgoing } from "./sending";
import { TEXTS } from "./texts";
import { type Uploaded, useUpload } from "./upload";

type Send = (text: string, input: Outgoing["input"]) => void;
type Template = NonNullable<ResultOf<typeof TEMPLATES>["templates"]>["nodes"][number];

const LONGEST = 4096;
const CAPTIONED = new Set(["image", "video", "document"]);

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
      {open && !byTemplate && (
        <FreeText
          head={head}
          send={(text) => send(text, { ...recipient, type: "TEXT", payload: { text } })}
          sendFile={({ mediaId, kind, filename }, caption) =>
            send(caption || filename, {
              ...recipient,
              type: "MEDIA",
              payload: { kind, media: { id: mediaId, ...(caption && CAPTIONED.has(kind) && { caption }), ...(kind === "document" && { filename }) } },
            })
          }
        />
      )}
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

function FreeText({ head, send, sendFile }: { head: Conversation; send: (text: string) => void; sendFile: (file: Uploaded, caption: string) => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [text, setText, clear] = useDraft(`conversas.${head.contactId}.${head.numberId ?? head.instagramAccountId}`, "");
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [upload, uploading] = useUpload((most) => t("fileTooLong", { most: size(most) }));
  const picker = useRef<HTMLInputElement>(null);
  const { numberId } = head;
  const mayAttach = numberId && may("media:write");
  function attach(chosen: File | null) {
    setRefusal(null);
    setFile(chosen);
    if (picker.current) picker.current.value = "";
  }
  async function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    const said = text.trim();
    if (file && numberId) {
      if (uploading) return;
      const { done, refusal: why } = await upload(numberId, file);
      setRefusal(why);
      if (!done) return;
      sendFile(done, said);
      if (said && !CAPTIONED.has(done.kind)) send(said); // sound and stickers have no caption
      setFile(null);
    } else {
      if (!said) return;
      send(said);
    }
    clear();
  }
  return (
    <form
      className="answer-form"
      onSubmit={(event) => void submit(event)}
      onDragOver={(event) => mayAttach && event.preventDefault()}
      onDrop={(event) => {
        if (!mayAttach || !event.dataTransfer.files[0]) return;
        event.preventDefault();
        attach(event.dataTransfer.files[0]);
      }}
    >
      <Refused refusal={refusal} />
      {file && (
        <p className="line-file attached">
          <Icon name="file" size={20} />
          <span>
            <b>{file.name}</b>
            <small>{joined(size(file.size), uploading && t("uploading"))}</small>
          </span>
          <button type="button" className="button bare small" disabled={uploading} aria-label={t("dropFile", { name: file.name })} onClick={() => attach(null)}>
            <Icon name="close" size={16} />
          </button>
        </p>
      )}
      <div className="answer">
        <textarea
          aria-label={t(file ? "caption" : "answer")}
          aria-description={t("keys")}
          placeholder={t(file ? "caption" : "placeholder")}
          rows={2}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.files[0];
            if (mayAttach && pasted) attach(pasted);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) void submit(event);
          }}
        />
        {mayAttach && (
          <>
            <input ref={picker} type="file" hidden onChange={(event) => attach(event.target.files?.[0] ?? null)} />
            <button type="button" className="button" aria-label={t("attach")} title={t("attach")} disabled={uploading} onClick={() => picker.current?.click()}>
              <Icon name="upload" size={16} />
            </button>
          </>
        )}
        <button type="submit" className="button main" disabled={uploading || (!file && !text.trim())}>
          <Icon name="next" size={16} /> {t("send")}
        </button>
      </div>
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
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        send(filled(template.components, values).map((one) => one.text).join("\n"), values);
      }}
    >
      <TemplateFields template={template} values={values} change={setValues} />
      <div className="row end">
        <button type="submit" className="button main">
          {t("send")}
        </button>
      </div>
    </form>
  );
}
