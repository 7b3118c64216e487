import { useState } from "react";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, Field } from "../../ui/parts";
import { Bones, Refused, Shown } from "../../ui/states";
import { number } from "../../ui/format";
import { ERASE, WHAT_GOES } from "./documents";
import { TEXTS } from "./texts";

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, " ").toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Erasing cannot be undone: it says first what goes and what stays, and the person's name is typed. */
export function EraseContact({ id, name, phone, close, gone }: { id: string; name: string | null; phone: string; close: () => void; gone: () => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(WHAT_GOES, { id });
  const [typed, setTyped] = useState("");
  const [erase, busy] = useWrite(ERASE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const named = name?.trim();
  const wanted = named || phone.slice(-4);
  const isSure = read.state === "there" && plain(typed) === plain(wanted);
  return (
    <Dialog title={t("eraseTitle", { name: name ?? phone })} close={close}>
      <form
        className="form"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!isSure || busy) return;
          const { refusal: why } = await erase({ id });
          // An answer that was lost, and asked again: it is gone all the same.
          if (why && why.code !== "NOT_FOUND") return setRefusal(why);
          gone();
        }}
      >
        <Refused refusal={refusal} />
        <Shown of={read} bones={<Bones lines={3} />}>
          {({ contact }) => (
            <>
              <div>
                <h3>{t("goes")}</h3>
                <ul className="bullets">
                  <li>{t("goesFacts")}</li>
                  <li>{t("goesLists", { count: number(contact?.lists?.length ?? 0) })}</li>
                  <li>{t("goesWaiting", { count: number(contact?.waiting?.totalCount ?? 0) })}</li>
                  <li>{t("goesRuns", { count: number(contact?.journeyRuns?.totalCount ?? 0) })}</li>
                </ul>
              </div>
              <div>
                <h3>{t("stays")}</h3>
                <ul className="bullets">
                  <li>{t("staysMessages", { count: number(contact?.messages?.totalCount ?? 0) })}</li>
                  <li>{t("staysEvents", { count: number(contact?.customerEvents?.totalCount ?? 0) })}</li>
                  <li>{t("staysCards", { count: number(contact?.cards?.totalCount ?? 0) })}</li>
                  {!!contact?.cards?.totalCount && <li>{t("staysNotes")}</li>}
                  <li>{t("staysRefusal")}</li>
                </ul>
              </div>
            </>
          )}
        </Shown>
        <Field label={t(named ? "typeName" : "typePhone", { wanted })} hint={t("noWayBack")}>
          {(props) => <input {...props} value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
        <Actions close={close}>
          <button type="submit" className="button bad" disabled={!isSure || busy}>
            {t(busy ? "erasing" : "erase")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
