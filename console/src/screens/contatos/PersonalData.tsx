import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useClient } from "urql";
import { type Refusal, refusalOf } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon } from "../../ui/Icon";
import { saveFile } from "../../ui/file";
import { useTexts } from "../../ui/language";
import { Actions, Dialog, toast } from "../../ui/parts";
import { Refused } from "../../ui/states";
import { number } from "../../ui/format";
import { scopeSaid } from "../../ui/scopes";
import { PERSONAL_DATA } from "./documents";
import { EraseContact } from "./EraseContact";
import { TEXTS } from "./texts";

/** What the law lets a person ask for: what is stored of them, and that it is erased. */
export function PersonalData({ id, name, phone }: { id: string; name: string | null; phone: string }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"give" | "erase" | null>(null);
  const mayGive = may("contacts:pii");
  const close = () => setOpen(null);
  return (
    <section className="card" aria-labelledby="personal">
      <header>
        <h2 id="personal">{t("personal")}</h2>
      </header>
      <div className="inside form">
        <p className="quiet">{t("personalNote")}</p>
        {!mayGive && <p className="quiet">{t("mayNotGive", { scope: scopeSaid("contacts:pii") })}</p>}
        <div className="row">
          {mayGive && (
            <button type="button" className="button" onClick={() => setOpen("give")}>
              <Icon name="file" size={16} /> {t("give")}
            </button>
          )}
          {may("contacts:write") && (
            <button type="button" className="button bad" onClick={() => setOpen("erase")}>
              <Icon name="trash" size={16} /> {t("erase")}
            </button>
          )}
        </div>
      </div>
      {open === "give" && <GiveData id={id} name={name ?? phone} close={close} />}
      {open === "erase" && (
        <EraseContact
          id={id}
          name={name}
          phone={phone}
          close={close}
          gone={() => {
            toast(t("erased"));
            void navigate({ to: "/contatos" });
          }}
        />
      )}
    </section>
  );
}

/** Everything that is stored of the person, in clear; who takes it is audited. It is shown nowhere and kept nowhere here. */
function GiveData({ id, name, close }: { id: string; name: string; close: () => void }) {
  const t = useTexts(TEXTS);
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [counts, setCounts] = useState<[string, number][] | null>(null);
  async function take() {
    setBusy(true);
    const { data, error } = await client.query(PERSONAL_DATA, { id }, { requestPolicy: "network-only" }).toPromise();
    setBusy(false);
    setRefusal(error ? refusalOf(error) : null);
    const file = data?.personalData;
    if (!file) return;
    saveFile(file.filename, file.mediaType, file.content);
    const lists = Object.entries(JSON.parse(file.content) as Record<string, unknown>).filter((one): one is [string, unknown[]] => Array.isArray(one[1]));
    setCounts(lists.map(([key, all]) => [key, all.length]));
  }
  return (
    <Dialog title={t("giveTitle", { name })} close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void take();
        }}
      >
        <Refused refusal={refusal} />
        <p>{t("giveWhat")}</p>
        <p className="notice">{t("giveCare")}</p>
        <div role="status">
          {counts && (
            <>
              <p>{t("given")}</p>
              <ul className="bullets">
                {counts.map(([key, count]) => (
                  <li key={key}>
                    {key in TEXTS ? t(key as "mensagens") : key}: {number(count)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
        <Actions close={close}>
          <button type="submit" className="button main" disabled={busy}>
            {t(busy ? "giving" : counts ? "giveAgain" : "giveFile")}
          </button>
        </Actions>
      </form>
    </Dialog>
  );
}
