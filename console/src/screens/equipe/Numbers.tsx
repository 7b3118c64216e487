import { type ReactNode, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, useRead } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { atMoment, joined, number, phone, words } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { Badge, Dialog, ScreenHead } from "../../ui/parts";
import { Empty, Shown } from "../../ui/states";
import { NUMBER_NOW, NUMBER_TOLD, NUMBERS } from "./documents";
import { TEXTS } from "./texts";

type Row = NonNullable<ResultOf<typeof NUMBERS>["numbers"]>["nodes"][number];

/** To how many people a number may open conversations in a day: `TIER_1K` is 1k. */
const tier = (name: string): string => (name === "UNLIMITED" ? "∞" : name.replace("TIER_", "").toLowerCase());

export function Numbers({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [asked, setAsked] = useState<Row | null>(null);
  const read = useRead(NUMBERS, {});
  useLive(NUMBER_TOLD, {}, () => read.state === "there" && read.again(), { pause: !may("webhooks:read") });
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <section className="card" aria-labelledby="numbers">
        <header>
          <h2 id="numbers">{t("numbers")}</h2>
        </header>
        <div className="inside">
          <Shown of={read}>
            {({ numbers }) =>
              numbers?.nodes.length ? (
                <table className="sheet">
                  <thead>
                    <tr>
                      <th scope="col">{t("number")}</th>
                      <th scope="col">{t("state")}</th>
                      <th scope="col" className="wide">{t("quality")}</th>
                      <th scope="col" className="wide num">{t("tier")}</th>
                      <th scope="col" className="wide num">{t("rate")}</th>
                      <th scope="col"><span className="unseen">{t("actions")}</span></th>
                    </tr>
                  </thead>
                  <tbody>
                    {numbers.nodes.map((one) => (
                      <tr key={one.id}>
                        <th scope="row">
                          {phone(one.displayPhone)}
                          <small>{joined(one.meta.verifiedName, one.meta.nameStatus && one.meta.nameStatus !== "APPROVED" && words(one.meta.nameStatus))}</small>
                          {one.meta.partnerRemovedAt && <small className="bad-text">{t("removedFrom", { date: atMoment(one.meta.partnerRemovedAt) })}</small>}
                        </th>
                        <td className="word">
                          <Badge of={one.status} />
                          <small className="narrow">{t("qualityIs", { quality: words(one.qualityRating) })}</small>
                        </td>
                        <td className="wide"><Badge of={one.qualityRating} /></td>
                        <td className="wide num">{tier(one.messagingTier)}</td>
                        <td className="wide num">{number(one.rateLimit.perSecond)}</td>
                        <td>
                          <div className="acts">
                            <button type="button" className="button bare small" aria-label={t("checkOf", { number: phone(one.displayPhone) })} onClick={() => setAsked(one)}>
                              {t("check")}
                            </button>
                          </div>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              ) : (
                <Empty icon="chat" title={t("noNumbers")}>
                  <p>{t("noNumbersSentence")}</p>
                </Empty>
              )
            }
          </Shown>
        </div>
      </section>
      {asked && <Now of={asked} close={() => setAsked(null)} />}
    </div>
  );
}

/** What the platform says of a number at this moment, and what it sent in seven days. */
function Now({ of, close }: { of: Row; close: () => void }) {
  const t = useTexts(TEXTS);
  const read = useRead(NUMBER_NOW, { id: of.id });
  return (
    <Dialog title={phone(of.displayPhone)} close={close}>
      <Shown of={read}>
        {({ numberHealth: health, numberUsage: usage }) => (
          <div className="form">
            {health && (
              <>
                <p className={health.podeEnviar ? "notice blue" : "notice bad"}>{t(health.podeEnviar ? "canSend" : "cannotSend")}</p>
                {health.problemas.length > 0 && (
                  <ul className="items">
                    {health.problemas.map((one) => (
                      <li key={one.codigo}>
                        <span>
                          {one.mensagem}
                          <small className="code">{one.codigo}</small>
                        </span>
                        <Badge of={one.gravidade === "alta" ? "RED" : "YELLOW"}>{one.gravidade === "alta" ? t("grave") : t("mild")}</Badge>
                      </li>
                    ))}
                  </ul>
                )}
              </>
            )}
            <dl className="facts">
              {health && (
                <>
                  <dt>{t("state")}</dt>
                  <dd>{joined(words(health.status), words(health.qualityRating))}</dd>
                  <dt>{t("tier")}</dt>
                  <dd>{tier(health.messagingTier)}</dd>
                  <dt>{t("checked")}</dt>
                  <dd>{joined(health.verificadoEm ? atMoment(health.verificadoEm) : t("neverChecked"), t(health.fonte))}</dd>
                  {health.profile?.about && (
                    <>
                      <dt>{t("profile")}</dt>
                      <dd>{joined(health.profile.about, health.profile.website)}</dd>
                    </>
                  )}
                </>
              )}
              {usage && (
                <>
                  <dt>{t("sevenDays")}</dt>
                  <dd>{joined(t("sentCount", { count: number(usage.sent) }), usage.marketingSent !== null && t("marketingCount", { count: number(usage.marketingSent) }))}</dd>
                </>
              )}
            </dl>
          </div>
        )}
      </Shown>
    </Dialog>
  );
}
