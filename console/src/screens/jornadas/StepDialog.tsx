import { type FormEvent, useEffect, useState } from "react";
import { type Refusal, useRead } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Actions, Dialog, Field } from "../../ui/parts";
import { Refused, Shown } from "../../ui/states";
import { joined, phone, words } from "../../ui/format";
import { isSimple } from "../../ui/template";
import { TemplateFields } from "../../ui/TemplateFields";
import { ConditionRows, type Filterable, filterable, isWhole, NEW_ROW, type Row, valueOf } from "../contatos/Conditions";
import { FIELDS } from "../contatos/documents";
import { CARD_PLACES, NUMBERS, TEMPLATES } from "./documents";
import { partsOf, type Written } from "./graph";
import { named } from "./said";
import { TEXTS } from "./texts";

type Config = Record<string, unknown>;
export type Part = Omit<Written, "id" | "proximo">;

/** What a new step of each kind begins with. */
const BEGINNINGS: Record<string, Config> = {
  mensagem: { canal: "sms", texto: "" },
  espera: { duracaoHoras: 24 },
  condicao: { filterTree: { kind: "leaf", filter: { field: "tag", operator: "is", value: "" } } },
  divisao: { ramos: [{ percentual: 50 }, { percentual: 50 }] },
  aguardarEvento: { evento: "", prazoHoras: 24 },
  atualizarContato: { tags: [] },
  cardCriar: { pipelineId: "" },
  cardMover: { pipelineId: "" },
  webhook: { url: "" },
  saida: {},
};
const CHANNELS = ["sms", "whatsapp", "rcs", "email", "push"] as const;
/** What a message of WhatsApp has and no other, and the other way round. */
const OF_WHATSAPP = { numberId: "", templateId: "", variaveis: [], texto: undefined };
const OF_OTHERS = { numberId: undefined, templateId: undefined, variaveis: undefined };
const MOST_PARTS = 10;

const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

/** A step to put in (`step` null) or to change. What is typed is kept until it was taken. */
export function StepDialog({
  title,
  name,
  step,
  busy,
  close,
  save,
}: {
  title: string;
  name: string;
  step: Part | null;
  busy: boolean;
  close: () => void;
  save: (part: Part) => Promise<Refusal | null>;
}) {
  const t = useTexts(TEXTS);
  const [{ tipo, rotulo, config }, setForm, clear] = useDraft<Part>(`journey.step.${name}`, step ?? { tipo: "mensagem", config: BEGINNINGS["mensagem"]! });
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const wrong = (...fields: string[]) => refusal?.fields.find((one) => fields.some((field) => one.field === field || one.pointer.includes(`/${field}`)))?.message;
  const put = (part: Config) => setForm({ tipo, ...(rotulo && { rotulo }), config: { ...config, ...part } });
  const leave = () => {
    clear();
    close();
  };
  async function submit(event: FormEvent) {
    event.preventDefault();
    const why = await save({ tipo, config, ...(rotulo && { rotulo }) });
    setRefusal(why);
    if (!why) leave();
  }
  return (
    <Dialog title={title} close={leave} wide={tipo === "condicao"}>
      <form className="form" noValidate onSubmit={(event) => void submit(event)}>
        {!step && (
          <Field label={t("kind")}>
            {(props) => (
              <select {...props} value={tipo} onChange={(event) => setForm({ tipo: event.target.value, ...(rotulo && { rotulo }), config: BEGINNINGS[event.target.value]! })}>
                {Object.keys(BEGINNINGS).map((one) => (
                  <option key={one} value={one}>
                    {named(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label={t("stepName")} wrong={wrong("rotulo")}>
          {(props) => <input {...props} value={rotulo ?? ""} onChange={(event) => setForm({ tipo, config, ...(event.target.value && { rotulo: event.target.value }) })} />}
        </Field>
        <Settings tipo={tipo} config={config} put={put} wrong={wrong} fresh={!step} />
        <Refused refusal={refusal} />
        <Actions close={leave}>
          <button type="submit" className="button main" disabled={busy}>
            {t("save")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}

interface Given {
  config: Config;
  put: (part: Config) => void;
  wrong: (...fields: string[]) => string | undefined;
}

function Settings({ tipo, fresh, ...given }: Given & { tipo: string; fresh: boolean }) {
  const t = useTexts(TEXTS);
  const { config, put, wrong } = given;
  const text = (name: string, label: string, { hint, type = "text" }: { hint?: string; type?: string } = {}) => (
    <Field label={label} hint={hint} wrong={wrong(name)}>
      {(props) => <input {...props} type={type} value={textOf(config[name])} onChange={(event) => put({ [name]: event.target.value })} />}
    </Field>
  );
  const hours = (name: string, label: string) => (
    <Field label={label} wrong={wrong(name)}>
      {(props) => <input {...props} type="number" min={1} value={textOf(config[name])} onChange={(event) => put({ [name]: event.target.valueAsNumber || 0 })} />}
    </Field>
  );
  switch (tipo) {
    case "mensagem":
      return <MessageSettings {...given} fresh={fresh} />;
    case "espera":
      return typeof config["duracaoHoras"] === "number" ? hours("duracaoHoras", t("waitHours")) : <p className="quiet">{t("waitOther")}</p>;
    case "aguardarEvento":
      return (
        <>
          {text("evento", t("awaited"))}
          {hours("prazoHoras", t("deadline"))}
        </>
      );
    case "condicao":
      return <ConditionSettings {...given} />;
    case "divisao":
      return <SplitSettings {...given} />;
    case "atualizarContato":
      return (
        <Field label={t("tagsToAdd")} hint={t("tagsHint")} wrong={wrong("tags", "config")}>
          {(props) => <TagsField {...props} tags={(config["tags"] as string[] | undefined) ?? []} change={(tags) => put({ tags })} />}
        </Field>
      );
    case "cardCriar":
    case "cardMover":
      return <CardSettings {...given} />;
    case "webhook":
      return text("url", t("url"), { type: "url" });
    default:
      return text("motivo", t("reason"));
  }
}

/** As it is typed; tags between the commas. */
function TagsField({ tags, change, ...props }: { tags: string[]; change: (tags: string[]) => void; id: string }) {
  const [typed, setTyped] = useState(tags.join(", "));
  return (
    <input
      {...props}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        change(event.target.value.split(",").map((one) => one.trim()).filter(Boolean));
      }}
    />
  );
}

function MessageSettings({ config, put, wrong, fresh }: Given & { fresh: boolean }) {
  const t = useTexts(TEXTS);
  const titled = config["canal"] === "email" || config["canal"] === "push";
  const moveTo = (canal: string) => {
    const others = { ...OF_OTHERS, texto: textOf(config["texto"]) };
    put({ canal, assunto: undefined, ...(canal === "whatsapp" ? OF_WHATSAPP : others) });
  };
  return (
    <>
      {fresh && (
        <Field label={t("channels")} wrong={wrong("canal")}>
          {(props) => (
            <select {...props} value={textOf(config["canal"])} onChange={(event) => moveTo(event.target.value)}>
              {CHANNELS.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {titled && (
        <Field label={t("subject")} wrong={wrong("assunto")}>
          {(props) => <input {...props} value={textOf(config["assunto"])} onChange={(event) => put({ assunto: event.target.value || undefined })} />}
        </Field>
      )}
      {config["canal"] === "whatsapp" && <WhatsAppSettings config={config} put={put} wrong={wrong} />}
      {typeof config["texto"] === "string" && (
        <Field label={t("message")} wrong={wrong("texto")}>
          {(props) => <textarea {...props} rows={4} value={textOf(config["texto"])} onChange={(event) => put({ texto: event.target.value })} />}
        </Field>
      )}
    </>
  );
}

/** From which number, and what: a template at any time, or a text to whoever wrote within 24 hours. */
function WhatsAppSettings({ config, put, wrong }: Given) {
  const t = useTexts(TEXTS);
  const numbers = useRead(NUMBERS, {});
  const numberId = textOf(config["numberId"]);
  const templates = useRead(TEMPLATES, { numberId }, { pause: !numberId });
  const isText = typeof config["texto"] === "string";
  const first = numbers.state === "there" ? numbers.data.numbers?.nodes[0]?.id : undefined;
  useEffect(() => {
    if (first && !numberId) put({ numberId: first });
  }, [first]);
  return (
    <Shown of={numbers}>
      {(data) => (
        <>
          <Field label={t("number")} wrong={wrong("numberId")}>
            {(props) => (
              <select {...props} value={numberId} onChange={(event) => put({ numberId: event.target.value, ...(!isText && { templateId: "", variaveis: [] }) })}>
                {(data.numbers?.nodes ?? []).map((one) => (
                  <option key={one.id} value={one.id}>
                    {phone(one.displayPhone)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t("content")} hint={isText ? t("windowHint") : undefined}>
            {(props) => (
              <select
                {...props}
                value={isText ? "text" : "template"}
                onChange={(event) => put(event.target.value === "text" ? { texto: "", templateId: undefined, variaveis: undefined } : { ...OF_WHATSAPP, numberId })}
              >
                <option value="template">{words("TEMPLATE")}</option>
                <option value="text">{t("message")}</option>
              </select>
            )}
          </Field>
          {!isText && numberId && (
            <Shown of={templates}>
              {(found) => {
                const usable = (found.templates?.nodes ?? []).filter((one) => isSimple(one.components));
                const chosen = usable.find((one) => one.id === config["templateId"]);
                return (
                  <>
                    <Field label={words("TEMPLATE")} hint={usable.length ? undefined : t("noTemplates")} wrong={wrong("templateId")}>
                      {(props) => (
                        <select
                          {...props}
                          value={textOf(config["templateId"])}
                          onChange={(event) => put({ templateId: event.target.value, variaveis: usable.find((one) => one.id === event.target.value)?.variaveis.map(() => "") ?? [] })}
                        >
                          <option value="">{t("pick")}</option>
                          {usable.map((one) => (
                            <option key={one.id} value={one.id}>
                              {joined(one.name, one.language.replace("_", "-"))}
                            </option>
                          ))}
                        </select>
                      )}
                    </Field>
                    {chosen && (
                      <TemplateFields
                        template={chosen}
                        values={(config["variaveis"] as string[] | undefined) ?? []}
                        change={(variaveis) => put({ variaveis })}
                        wrong={(at) => wrong(`variaveis/${at}`)}
                      />
                    )}
                  </>
                );
              }}
            </Shown>
          )}
        </>
      )}
    </Shown>
  );
}

interface Leaf {
  field: string;
  operator: string;
  value?: unknown;
}
interface Tree {
  kind: string;
  filter?: Leaf;
  children?: Tree[];
}

const rowOf = ({ field, operator, value }: Leaf): Row => ({
  field,
  operator,
  value: Array.isArray(value) ? value.join(", ") : textOf(value).replace(/T00:00:00Z$/, ""),
});

/** The lines of a tree; null for one that lines cannot say. */
function linesOf(tree: Tree | undefined): { join: "and" | "or"; rows: Row[] } | null {
  if (tree?.filter) return { join: "and", rows: [rowOf(tree.filter)] };
  if (!tree || (tree.kind !== "and" && tree.kind !== "or") || !tree.children?.every((one) => one.filter)) return null;
  return { join: tree.kind, rows: tree.children.map((one) => rowOf(one.filter!)) };
}

function treeOf(join: "and" | "or", rows: Row[], all: readonly Filterable[]): Tree {
  const leaves = rows.map((row): Tree => {
    const value = isWhole(row) ? valueOf(row, all) : "";
    return { kind: "leaf", filter: { field: row.field, operator: row.operator, ...(value !== undefined && { value }) } };
  });
  return leaves.length === 1 ? leaves[0]! : { kind: join, children: leaves };
}

function ConditionSettings({ config, put, wrong }: Given) {
  const t = useTexts(TEXTS);
  const fields = useRead(FIELDS, {});
  const [lines, setLines] = useState(() => linesOf(config["filterTree"] as Tree | undefined)); // as they are typed
  if (!lines) return <p className="quiet">{t("treeOther")}</p>;
  const { join, rows } = lines;
  return (
    <Shown of={fields}>
      {(data) => {
        const all = filterable(data);
        const change = (to: Row[], by = join) => {
          const kept = to.length ? to : [NEW_ROW];
          setLines({ join: by, rows: kept });
          put({ filterTree: treeOf(by, kept, all) });
        };
        return (
          <>
            {rows.length > 1 && (
              <Field label={t("holds")}>
                {(props) => (
                  <select {...props} value={join} onChange={(event) => change(rows, event.target.value as "and")}>
                    <option value="and">{t("allOfThem")}</option>
                    <option value="or">{t("oneOfThem")}</option>
                  </select>
                )}
              </Field>
            )}
            <ConditionRows rows={rows} all={all} change={change} />
            {wrong("filterTree") && <p className="wrong">{wrong("filterTree")}</p>}
          </>
        );
      }}
    </Shown>
  );
}

function SplitSettings({ config, put, wrong }: Given) {
  const t = useTexts(TEXTS);
  const parts = partsOf({ config });
  const sum = parts.reduce((all, one) => all + (one.percentual ?? 0), 0);
  const change = (ramos: typeof parts) => put({ ramos });
  return (
    <>
      {parts.map((one, at) => (
        <div className="row" key={at}>
          <Field label={t("share", { number: at + 1 })} wrong={at === 0 ? wrong("ramos") : undefined}>
            {(props) => (
              <input
                {...props}
                type="number"
                min={1}
                max={100}
                value={textOf(one.percentual)}
                onChange={(event) => change(parts.map((part, place) => (place === at ? { ...part, percentual: event.target.valueAsNumber || 0 } : part)))}
              />
            )}
          </Field>
          {parts.length > 2 && (
            <button type="button" className="button small" onClick={() => change(parts.filter((_, place) => place !== at))}>
              {t("removeShare", { number: at + 1 })}
            </button>
          )}
        </div>
      ))}
      <p className="row">
        {parts.length < MOST_PARTS && (
          <button type="button" className="button small" onClick={() => change([...parts, { percentual: Math.max(1, 100 - sum) }])}>
            {t("addShare")}
          </button>
        )}
        <span className={sum === 100 ? "quiet" : "wrong"} role="status">
          {t("sum", { sum })}
        </span>
      </p>
    </>
  );
}

function CardSettings({ config, put, wrong }: Given) {
  const t = useTexts(TEXTS);
  const read = useRead(CARD_PLACES, {});
  return (
    <Shown of={read}>
      {({ pipelines }) => {
        const all = pipelines?.nodes ?? [];
        const stages = all.find((one) => one.id === config["pipelineId"])?.etapas ?? [];
        return (
          <>
            <Field label={t("pipeline")} wrong={wrong("pipelineId")}>
              {(props) => (
                <select {...props} value={textOf(config["pipelineId"])} onChange={(event) => put({ pipelineId: event.target.value, etapaId: undefined })}>
                  <option value="">{t("pick")}</option>
                  {all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.nome}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("stage")} wrong={wrong("etapaId")}>
              {(props) => (
                <select {...props} value={textOf(config["etapaId"])} onChange={(event) => put({ etapaId: event.target.value || undefined })}>
                  <option value="">{t("firstStage")}</option>
                  {stages.map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.nome}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </>
        );
      }}
    </Shown>
  );
}
