import { type FormEvent, useState } from "react";
import { type Refusal, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field, toast } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { words } from "../../ui/format";
import { CHANGE_STEPS } from "./documents";
import { configOf, type Journey, type Step, waysOf } from "./layout";
import { named } from "./said";
import { TEXTS } from "./texts";

interface Written {
  id: string;
  tipo: string;
  rotulo?: string;
  proximo?: string;
  config: Record<string, unknown>;
}

const written = (step: Step): Written => ({
  id: step.id,
  tipo: step.tipo,
  config: configOf(step),
  ...(step.rotulo && { rotulo: step.rotulo }),
  ...(step.proximo && { proximo: step.proximo }),
});

/** The config with every way to `gone` leading to `next` instead, or nowhere. */
const led = (config: Record<string, unknown>, gone: string, next: string | undefined): Record<string, unknown> =>
  JSON.parse(JSON.stringify(config), (name, value) => (/^(se[A-Z]|proximo$)/.test(name) && value === gone ? next : value));

/** Of a draft: the step changed, one put after it, or it taken out. The others stay as they are. */
export function Edits({ journey, step, done }: { journey: Journey; step: Step; done: (chosen: string | undefined) => void }) {
  const t = useTexts(TEXTS);
  const [asked, setAsked] = useState<"edit" | "insert" | null>(null);
  const [change, busy] = useWrite(CHANGE_STEPS);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const all = journey.passos.map(written);
  const single = waysOf(step).every((one) => one.name === "proximo");

  async function store(passos: Written[], chosen: string | undefined, entradaPasso?: string) {
    const { refusal: why } = await change({ id: journey.id, input: { passos, ...(entradaPasso && { entradaPasso }) } });
    setRefusal(why);
    if (why) return;
    toast(t("saved"));
    setAsked(null);
    done(chosen);
  }
  const remove = () => {
    const next = step.proximo ?? undefined;
    const others = all
      .filter((one) => one.id !== step.id)
      .map(({ proximo, ...one }) => {
        const to = proximo === step.id ? next : proximo;
        return { ...one, config: led(one.config, step.id, next), ...(to && { proximo: to }) };
      });
    void store(others, undefined, journey.entradaPasso === step.id ? next : undefined);
  };
  const edit = (part: Partial<Written>) => void store(all.map((one) => (one.id === step.id ? { ...one, ...part } : one)), step.id);
  const insert = (part: Omit<Written, "id">) => {
    let count = journey.passos.length + 1;
    while (journey.passos.some((one) => one.id === `p${count}`)) count += 1;
    const made: Written = { ...part, id: `p${count}`, ...(step.proximo && { proximo: step.proximo }) };
    void store(all.flatMap((one) => (one.id === step.id ? [{ ...one, proximo: made.id }, made] : [one])), made.id);
  };
  return (
    <>
      {!asked && <Refused refusal={refusal} />}
      <div className="row">
        <button type="button" className="button small" onClick={() => setAsked("edit")}>
          {t("editStep")}
        </button>
        {single && step.tipo !== "saida" && (
          <button type="button" className="button small" onClick={() => setAsked("insert")}>
            {t("insert")}
          </button>
        )}
        {single && journey.passos.length > 1 && (journey.entradaPasso !== step.id || step.proximo) && (
          <button type="button" className="button small bad" disabled={busy} onClick={remove}>
            {t("removeStep")}
          </button>
        )}
      </div>
      {asked === "edit" && <StepDialog title={t("editStep")} step={written(step)} refusal={refusal} busy={busy} close={() => setAsked(null)} save={edit} />}
      {asked === "insert" && <StepDialog title={t("insert")} step={null} refusal={refusal} busy={busy} close={() => setAsked(null)} save={insert} />}
    </>
  );
}

const KINDS = ["mensagem", "espera", "saida"] as const;
const CHANNELS = ["sms", "rcs", "email"] as const;

function StepDialog({
  title,
  step,
  refusal,
  busy,
  close,
  save,
}: {
  title: string;
  step: Written | null;
  refusal: Refusal | null;
  busy: boolean;
  close: () => void;
  save: (part: Omit<Written, "id">) => void;
}) {
  const t = useTexts(TEXTS);
  const [tipo, setTipo] = useState(step?.tipo ?? "mensagem");
  const [rotulo, setRotulo] = useState(step?.rotulo ?? "");
  const [config, setConfig] = useState<Record<string, unknown>>(step?.config ?? { canal: "sms", texto: "" });
  const wrong = (field: string) => refusal?.fields.find((one) => one.field === field)?.message;
  const put = (part: Record<string, unknown>) => setConfig({ ...config, ...part });
  const begin = (kind: string) => {
    setTipo(kind);
    setConfig(kind === "mensagem" ? { canal: "sms", texto: "" } : kind === "espera" ? { duracaoHoras: 24 } : {});
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    save({ tipo, config, ...(rotulo && { rotulo }) });
  }
  return (
    <Dialog title={title} close={close}>
      <form className="form" onSubmit={submit}>
        {!step && (
          <Field label={t("kind")}>
            {(props) => (
              <select {...props} value={tipo} onChange={(event) => begin(event.target.value)}>
                {KINDS.map((one) => (
                  <option key={one} value={one}>
                    {named(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label={t("stepName")} wrong={wrong("rotulo")}>
          {(props) => <input {...props} value={rotulo} onChange={(event) => setRotulo(event.target.value)} />}
        </Field>
        {!step && tipo === "mensagem" && (
          <Field label={t("channels")} wrong={wrong("canal")}>
            {(props) => (
              <select {...props} value={String(config["canal"])} onChange={(event) => put({ canal: event.target.value })}>
                {CHANNELS.map((one) => (
                  <option key={one} value={one}>
                    {words(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {config["canal"] === "email" && (
          <Field label={t("subject")} wrong={wrong("assunto")}>
            {(props) => <input {...props} value={String(config["assunto"] ?? "")} onChange={(event) => put({ assunto: event.target.value })} />}
          </Field>
        )}
        {typeof config["texto"] === "string" && (
          <Field label={t("message")} wrong={wrong("texto")}>
            {(props) => <textarea {...props} rows={4} value={String(config["texto"])} onChange={(event) => put({ texto: event.target.value })} />}
          </Field>
        )}
        {typeof config["duracaoHoras"] === "number" && (
          <Field label={t("waitHours")} wrong={wrong("duracaoHoras")}>
            {(props) => <input {...props} type="number" min={1} value={config["duracaoHoras"] as number} onChange={(event) => put({ duracaoHoras: event.target.valueAsNumber || 0 })} />}
          </Field>
        )}
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
