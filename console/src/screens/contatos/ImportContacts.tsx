import { Link } from "@tanstack/react-router";
import { type ChangeEvent, useMemo, useState } from "react";
import type { VariablesOf } from "../../gateway/graphql";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { Icon } from "../../ui/Icon";
import { saveFile } from "../../ui/file";
import { useTexts } from "../../ui/language";
import { Field, ScreenHead } from "../../ui/parts";
import { Empty, Refused } from "../../ui/states";
import { number } from "../../ui/format";
import { isWorkbook, MAX_BYTES, MAX_COLUMNS, parseSheet, readSheet, type Sheet, writeSheet } from "./csv";
import { IMPORT, LISTS } from "./documents";
import { TEXTS } from "./texts";

const AT_ONCE = 500;
const SHOWN_FAULTS = 200;

const FIELDS = ["phone", "name", "email", "externalId", "tags", "cpf", "cnpj", "birthDate", "consent"] as const;
/** A field of ours, an attribute (`attribute:city`), or nothing. */
type Target = (typeof FIELDS)[number] | `attribute:${string}` | "";

type Line = VariablesOf<typeof IMPORT>["input"]["contatos"][number];

const KNOWN: [RegExp, Target][] = [
  [/^(phone|telefone|celular|telefone celular|fone|whatsapp|mobile|numero)$/, "phone"],
  [/^(name|nome|nome completo|full name|contato)$/, "name"],
  [/^(e-?mail)$/, "email"],
  [/^(externalid|external id|id|codigo|id externo)$/, "externalId"],
  [/^(tags?|etiquetas?)$/, "tags"],
  [/^cpf$/, "cpf"],
  [/^cnpj$/, "cnpj"],
  [/^(birthdate|nascimento|data de nascimento|birth date)$/, "birthDate"],
  [/^(consent|consentimento|optin|opt-in)$/, "consent"],
];

const plain = (name: string) => name.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").trim();
const attributeOf = (name: string): Target => (name.trim() ? `attribute:${name.trim()}` : "");

/** Each field once. Of «Telefone» and «Celular» the mobile is the phone; the other stays as an attribute. */
function guesses(header: string[]): Target[] {
  const found = header.map((name) => KNOWN.find(([like]) => like.test(plain(name)))?.[1]);
  const best = (field: Target) => {
    const places = found.flatMap((one, at) => (one === field ? [at] : []));
    return LIKELIEST.map((like) => places.find((at) => like.test(plain(header[at]!)))).find((at) => at !== undefined) ?? places[0];
  };
  return found.map((field, at) => (field && best(field) === at ? field : attributeOf(header[at]!)));
}

/** Which of several columns is the phone: in a sheet with addresses «Número» is the number of the house. */
const LIKELIEST = [/^(celular|telefone celular|whatsapp|mobile)$/, /^(phone|telefone|fone)$/];
/** A long number as Excel writes it where the column is none of text: its last digits are gone. */
const SHORTENED = /^\d[.,]\d+E\+\d+$/i;
const YES = /^(sim|s|yes|y|true|1|granted|consentiu|aceito)$/i;

/** `5/3/1990`, as dates are written in Brazil, as `1990-03-05`. */
const isoDay = (text: string) =>
  text.replace(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);

/** One row in the format of the gateway; cells that are empty say nothing. */
function lineOf(row: string[], targets: Target[]): Line {
  const line: Record<string, unknown> = {};
  const attributes: Record<string, string> = {};
  targets.forEach((target, at) => {
    const value = row[at]?.trim();
    if (!target || !value) return;
    if (target.startsWith("attribute:")) attributes[target.slice(10)] = value;
    else if (target === "tags") line["tags"] = value.split(/[,|]/).map((one) => one.trim()).filter(Boolean);
    else if (target === "consent") {
      if (YES.test(value)) line["optIn"] = { status: "GRANTED", source: "import" };
    } else line[target] = target === "birthDate" ? isoDay(value) : value;
  });
  if (Object.keys(attributes).length) line["attributes"] = attributes;
  return { ...line, source: "IMPORT" } as Line;
}

interface Fault {
  /** The place of its row among those that were read. */
  at: number;
  line: number;
  field: string | null;
  message: string;
  warning: boolean;
}

interface Outcome {
  tried: boolean;
  done: number;
  created: number;
  updated: number;
  same: number;
  skipped: number;
  faults: Fault[];
}

const NOTHING: Omit<Outcome, "tried"> = { done: 0, created: 0, updated: 0, same: 0, skipped: 0, faults: [] };

export function ImportContacts() {
  const t = useTexts(TEXTS);
  const [sheet, setSheet] = useState<(Sheet & { name: string }) | null>(null);
  const [unfit, setUnfit] = useState<"workbook" | "tooLarge" | null>(null);
  const [targets, setTargets] = useState<Target[]>([]);
  const [existing, setExisting] = useState<"ATUALIZAR" | "IGNORAR" | "ERRO">("ATUALIZAR");
  const [listId, setListId] = useState("");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState<"try" | "import" | null>(null);
  const [send] = useWrite(IMPORT);
  const lists = useRead(LISTS, {}, { pause: !sheet });
  const lines = useMemo(() => sheet?.rows.map((row) => lineOf(row, targets)) ?? [], [sheet, targets]);

  async function take(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0];
    if (!file) return;
    setOutcome(null);
    setRefusal(null);
    setSheet(null);
    setUnfit(null);
    if (await isWorkbook(file)) return setUnfit("workbook");
    if (file.size > MAX_BYTES) return setUnfit("tooLarge");
    const read = parseSheet(await readSheet(file));
    if (read.header.length > MAX_COLUMNS) return setUnfit("tooLarge");
    setSheet({ ...read, name: file.name });
    setTargets(guesses(read.header));
  }

  async function run(tried: boolean) {
    setBusy(tried ? "try" : "import");
    setRefusal(null);
    let now: Outcome = { tried, ...NOTHING };
    setOutcome(now);
    for (let from = 0; from < lines.length; from += AT_ONCE) {
      const some = lines.slice(from, from + AT_ONCE);
      const { data, refusal: why } = await send({
        input: { contatos: some, simular: tried, seExistir: existing, chave: targets.includes("phone") ? "PHONE" : "EXTERNAL_ID", ...(listId && { listId }) },
      });
      const told = data?.importContacts;
      if (!told) {
        setRefusal(why);
        break; // sent again, what is there already counts as unchanged
      }
      const fault = (warning: boolean) => (one: (typeof told)["erros"][number]): Fault => ({
        at: from + one.linha - 1,
        line: sheet?.lines[from + one.linha - 1] ?? 0,
        field: one.campo,
        message: one.mensagem,
        warning,
      });
      now = {
        tried,
        done: Math.min(lines.length, from + AT_ONCE),
        created: now.created + told.criados,
        updated: now.updated + told.atualizados,
        same: now.same + told.inalterados,
        skipped: now.skipped + told.ignorados,
        faults: [...now.faults, ...told.erros.map(fault(false)), ...told.warnings.map(fault(true))],
      };
      setOutcome(now);
    }
    setBusy(null);
  }

  const known = targets.includes("phone") || targets.includes("externalId");
  const phones = targets.indexOf("phone");
  const shortened = sheet?.rows.filter((row) => SHORTENED.test(row[phones] ?? "")).length ?? 0;
  return (
    <div className="screen">
      <p>
        <Link to="/contatos" className="back">
          <Icon name="back" size={17} /> {t("all")}
        </Link>
      </p>
      <ScreenHead title={t("importTitle")} />
      <section className="card" aria-label={t("file")}>
        <div className="inside form">
          <Field label={t("file")} hint={t("fileHint")}>
            {(props) => <input {...props} type="file" accept=".csv,.tsv,.txt,text/csv" onChange={(event) => void take(event)} />}
          </Field>
          {sheet && <p className="quiet">{t("read", { name: sheet.name, lines: number(sheet.rows.length), columns: sheet.header.length })}</p>}
        </div>
      </section>
      {unfit && (
        <div className="card" role="alert">
          <Empty icon="upload" title={t(unfit)}>
            <p>{t(unfit === "workbook" ? "workbookSentence" : "tooLargeSentence", { columns: MAX_COLUMNS, megabytes: MAX_BYTES / 1_000_000 })}</p>
          </Empty>
        </div>
      )}
      {sheet && sheet.rows.length === 0 && (
        <div className="card">
          <Empty icon="upload" title={t("emptySheet")}>
            <p>{t("emptySheetSentence")}</p>
          </Empty>
        </div>
      )}
      {sheet && sheet.rows.length > 0 && (
        <section className="card" aria-labelledby="mapping">
          <header>
            <h2 id="mapping">{t("mapping")}</h2>
          </header>
          <div className="inside form">
            <div className="mapping">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t("column")}</th>
                    <th scope="col" className="wide">{t("example")}</th>
                    <th scope="col">{t("becomes")}</th>
                  </tr>
                </thead>
                <tbody>
                  {sheet.header.map((name, at) => (
                    <tr key={at}>
                      <th scope="row">
                        {name || "–"}
                        <small className="narrow">{sheet.rows[0]?.[at] ?? ""}</small>
                      </th>
                      <td className="quiet wide">{sheet.rows[0]?.[at] ?? ""}</td>
                      <td>
                        <select
                          aria-label={t("becomesOf", { name })}
                          value={targets[at]}
                          onChange={(event) => {
                            setOutcome(null);
                            setTargets(targets.map((one, place) => (place === at ? (event.target.value as Target) : one)));
                          }}
                        >
                          <option value="">{t("nothingOf")}</option>
                          {FIELDS.map((one) => (
                            <option key={one} value={one}>
                              {fieldName(one, t)}
                            </option>
                          ))}
                          {name && <option value={`attribute:${name.trim()}`}>{t("attributeOf", { name })}</option>}
                        </select>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <div className="options">
              <Field label={t("ifExists")}>
                {(props) => (
                  <select {...props} value={existing} onChange={(event) => setExisting(event.target.value as typeof existing)}>
                    <option value="ATUALIZAR">{t("change")}</option>
                    <option value="IGNORAR">{t("ignore")}</option>
                    <option value="ERRO">{t("error")}</option>
                  </select>
                )}
              </Field>
              <Field label={t("toList")}>
                {(props) => (
                  <select {...props} value={listId} onChange={(event) => setListId(event.target.value)}>
                    <option value="">{t("noList")}</option>
                    {lists.state === "there" &&
                      lists.data.lists?.nodes.map((one) => (
                        <option key={one.id} value={one.id}>
                          {one.name}
                        </option>
                      ))}
                  </select>
                )}
              </Field>
            </div>
            {!known && <p className="notice">{t("needsKey")}</p>}
            {shortened > 0 && <p className="notice">{t("shortened", { count: number(shortened) })}</p>}
            <p className="quiet">{t("consentNote")}</p>
            <div className="row">
              <button type="button" className="button" disabled={!known || busy !== null} onClick={() => void run(true)}>
                {t(busy === "try" ? "trying" : "try")}
              </button>
              <button type="button" className="button main" disabled={!known || busy !== null || !outcome} onClick={() => void run(false)}>
                {busy === "import" ? t("importing") : t("importNow", { count: number(lines.length) })}
              </button>
              {!outcome && <span className="quiet">{t("tryFirst")}</span>}
            </div>
            <Refused refusal={refusal} />
          </div>
        </section>
      )}
      {outcome && sheet && <Result outcome={outcome} of={lines.length} sheet={sheet} busy={busy !== null} />}
    </div>
  );
}

/** What is wrong with a line, in the words of who made the sheet. */
function faultOf({ field, message }: Fault, t: ReturnType<typeof useTexts<typeof TEXTS>>): { field: string; message: string } {
  const known = FIELDS.find((one) => one === field);
  const own = { phone: t("faultyPhone"), birthDate: t("faultyDay") }[field ?? ""];
  return { field: known ? fieldName(known, t) : (field ?? "–"), message: own ?? message };
}

function fieldName(field: (typeof FIELDS)[number], t: ReturnType<typeof useTexts<typeof TEXTS>>): string {
  if (field === "cpf" || field === "cnpj") return field.toUpperCase();
  return t(field === "birthDate" ? "birth" : field);
}

function Result({ outcome, of, sheet, busy }: { outcome: Outcome; of: number; sheet: Sheet; busy: boolean }) {
  const t = useTexts(TEXTS);
  const faulty = new Set(outcome.faults.filter((one) => !one.warning).map((one) => one.at));
  const save = () => {
    const because = (at: number) =>
      outcome.faults.filter((one) => one.at === at && !one.warning).map((one) => faultOf(one, t)).map((one) => `${one.field}: ${one.message}`).join(" | ");
    const rows = [...faulty].sort((one, other) => one - other).map((at) => [...(sheet.rows[at] ?? []), because(at)]);
    saveFile(t("faultsFile"), "text/csv", writeSheet([[...sheet.header, t("why")], ...rows]));
  };
  return (
    <section className="card" aria-labelledby="outcome" aria-busy={busy}>
      <header>
        <h2 id="outcome">{t(outcome.tried ? "wouldHappen" : "happened")}</h2>
        <progress aria-label={t("progress")} value={outcome.done} max={of} />
      </header>
      <div className="inside form">
        <div role="status">
        <dl className="counts">
          {(
            [
              ["createdCount", outcome.created],
              ["updatedCount", outcome.updated],
              ["sameCount", outcome.same],
              ["skippedCount", outcome.skipped],
              ["faultyCount", faulty.size],
            ] as const
          ).map(([name, count]) => (
            <div key={name}>
              <dt>{t(name)}</dt>
              <dd>{number(count)}</dd>
            </div>
          ))}
        </dl>
        </div>
        {outcome.faults.length > 0 && (
          <>
            <div className="row">
              <h3>{t("faults")}</h3>
              {faulty.size > 0 && (
                <button type="button" className="button small" onClick={save}>
                  {t("saveFaults")}
                </button>
              )}
            </div>
            <div className="mapping" tabIndex={0} role="region" aria-label={t("faults")}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t("line")}</th>
                    <th scope="col">{t("fieldName")}</th>
                    <th scope="col">{t("why")}</th>
                  </tr>
                </thead>
                <tbody>
                  {outcome.faults.slice(0, SHOWN_FAULTS).map((one, at) => {
                    const { field, message } = one.warning ? { field: one.field ?? "–", message: one.message } : faultOf(one, t);
                    return (
                      <tr key={at} className={one.warning ? "quiet" : ""}>
                        <td>{one.line}</td>
                        <td>{field}</td>
                        <td>{message}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
            {outcome.faults.length > SHOWN_FAULTS && <p className="quiet">{t("moreFaults", { count: outcome.faults.length - SHOWN_FAULTS })}</p>}
          </>
        )}
      </div>
    </section>
  );
}
