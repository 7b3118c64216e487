import { useState } from "react";
import { type Refusal, useRead, useWrite } from "../../gateway/read";
import { useTexts } from "../../ui/language";
import { Actions, Dialog } from "../../ui/parts";
import { Bones, Refused, Shown } from "../../ui/states";
import { number } from "../../ui/format";
import { ERASE, WHAT_GOES } from "./documents";
import { TEXTS } from "./texts";

/** Erasing cannot be undone: it says first what goes and what stays. */
export function EraseContact({ id, name, close, gone }: { id: string; name: string; close: () => void; gone: () => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(WHAT_GOES, { id });
  const [sure, setSure] = useState(false);
  const [erase, busy] = useWrite(ERASE);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <Dialog title={t("eraseTitle", { name })} close={close}>
      <form
        className="form"
        onSubmit={async (event) => {
          event.preventDefault();
          const { refusal: why } = await erase({ id });
          if (why) return setRefusal(why);
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
                </ul>
              </div>
              <div>
                <h3>{t("stays")}</h3>
                <ul className="bullets">
                  <li>{t("staysMessages", { count: number(contact?.messages?.totalCount ?? 0) })}</li>
                  <li>{t("staysEvents", { count: number(contact?.customerEvents?.totalCount ?? 0) })}</li>
                  <li>{t("staysCards", { count: number(contact?.cards?.totalCount ?? 0) })}</li>
                  <li>{t("staysRefusal")}</li>
                </ul>
              </div>
            </>
          )}
        </Shown>
        <label className="row">
          <input type="checkbox" checked={sure} onChange={(event) => setSure(event.target.checked)} /> {t("sure")}
        </label>
        <Actions close={close}>
          <button type="submit" className="button bad" disabled={!sure || busy}>
            {t(busy ? "erasing" : "erase")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
