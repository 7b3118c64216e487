import { Link } from "@tanstack/react-router";
import { useLive, useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { useTexts } from "../../ui/language";
import { Badge, ScreenHead } from "../../ui/parts";
import { Bones, Empty, Shown } from "../../ui/states";
import { atMoment, exactly, phone, words } from "../../ui/format";
import { coinsOf } from "./Before";
import { SENT, SENT_CHANGED } from "./documents";
import { TEXTS } from "./texts";

const UNDER_WAY = new Set(["QUEUED", "SENDING", "SENT"]);

/** A message that the service took, and what becomes of it. `contactId`: as the address tells it. */
export function SentMessage({ id, contactId }: { id: string; contactId: string | undefined }) {
  const t = useTexts(TEXTS);
  const { env } = useSession();
  const read = useRead(SENT, { id });
  const found = read.state === "there" ? read.data.message : null;
  const of = contactId ?? found?.contactId ?? "";
  // Read again, and not only shown as told: an answer that was on its way meanwhile may be older.
  useLive(SENT_CHANGED, { contactId: of }, ({ messageChanged }) => messageChanged.id === id && read.state === "there" && read.again(), { pause: !of });
  const name = found?.contact?.name ?? phone(found?.contact?.phone);
  const times: [keyof typeof TEXTS & string, string | null | undefined][] = [
    ["accepted", found?.createdAt],
    ["left", found?.sentAt],
    ["arrived", found?.deliveredAt],
    ["read", found?.readAt],
    ["failed", found?.failedAt],
  ];
  const price = found?.decisao ? coinsOf(found.decisao.regras) : null;
  return (
    <div className="screen">
      <ScreenHead title={name ? t("titleTo", { name }) : t("title")} />
      <Shown of={read} bones={<Bones lines={6} />}>
        {({ message }) =>
          message ? (
            <>
              {env === "test" && <p className="notice blue">{t("sandbox")}</p>}
              <section className="card" aria-labelledby="sent" data-status={message.status}>
                <header>
                  <h2 id="sent">{t("sent")}</h2>
                  <Badge of={message.status} />
                </header>
                <div className="inside form">
                  <p role="status" className="quiet">
                    {t("stateNow", { state: words(message.status) })} {UNDER_WAY.has(message.status) && t("goesOn")}
                  </p>
                  <dl className="facts">
                    <dt>{t("channel")}</dt>
                    <dd>{words(message.channel)}</dd>
                    {times.map(
                      ([label, at]) =>
                        at && (
                          <div key={label} style={{ display: "contents" }}>
                            <dt>{t(label)}</dt>
                            <dd>{atMoment(at)}</dd>
                          </div>
                        ),
                    )}
                    {message.failure && (
                      <>
                        <dt>{t("because")}</dt>
                        <dd>{words(message.failure)}</dd>
                      </>
                    )}
                    {price !== null && (
                      <>
                        <dt>{t("price")}</dt>
                        <dd>{price === 0 ? t("free") : exactly(price)}</dd>
                      </>
                    )}
                    <dt>{t("id")}</dt>
                    <dd className="code">{message.id}</dd>
                  </dl>
                  <div className="row end">
                    {message.contactId && (
                      <>
                        <Link to={"/contatos/$id" as never} params={{ id: message.contactId } as never} className="button">
                          {t("see")}
                        </Link>
                        <Link to="/enviar" search={{ contato: message.contactId } as never} className="button main">
                          {t("another")}
                        </Link>
                      </>
                    )}
                  </div>
                </div>
              </section>
            </>
          ) : (
            <div className="card">
              <Empty icon="chat" title={t("noMessage")}>
                <p>{t("noMessageSentence")}</p>
              </Empty>
            </div>
          )
        }
      </Shown>
    </div>
  );
}
