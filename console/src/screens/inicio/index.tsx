import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { ResultOf } from "../../gateway/graphql";
import { useLive, useRead, useToday } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Icon, type IconName } from "../../ui/Icon";
import { useTexts } from "../../ui/language";
import { Badge, ScreenHead } from "../../ui/parts";
import { Bones, Empty, Shown } from "../../ui/states";
import { atTime, coins, exactly, joined, number, phone, share, words } from "../../ui/format";
import { HOME, HOME_LIVE } from "./documents";
import { TEXTS } from "./texts";
import "./home.css";

type Data = ResultOf<typeof HOME>;
type Message = NonNullable<Data["messages"]>["nodes"][number];

const FRESH_EVERY = 5000;
const KEPT = 30;

export function Home() {
  const t = useTexts(TEXTS);
  const day = useToday();
  const read = useRead(HOME, day);
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      <Shown of={read} bones={<Skeleton />}>
        {(data) => <Filled data={data} again={read.state === "there" ? read.again : () => {}} />}
      </Shown>
    </div>
  );
}

function Skeleton() {
  return (
    <div className="home">
      {[2, 6, 6].map((lines, at) => (
        <div className="card" key={at}>
          <div className="inside">
            <Bones lines={lines} />
          </div>
        </div>
      ))}
    </div>
  );
}

function Filled({ data, again }: { data: Data; again: () => void }) {
  const t = useTexts(TEXTS);
  const { today, yesterday, me, people } = data;
  const then = yesterday?.totals;
  return (
    <>
      {today && (
        <section aria-label={t("today")}>
          <dl className="tiles card">
            <Tile name={t("sent")} value={number(today.totals.sent)} then={then && t("yesterday", { value: number(then.sent) })} />
            <Tile
              name={t("delivered")}
              value={number(today.totals.delivered)}
              beside={today.totals.sent ? share(today.totals.delivered, today.totals.sent) : ""}
              then={then && t("yesterday", { value: number(then.delivered) })}
            />
            <Tile name={t("failed")} value={number(today.totals.failed)} then={then && t("yesterday", { value: number(then.failed) })} />
            <Tile name={t("received")} value={number(today.totals.received)} then={then && t("yesterday", { value: number(then.received) })} />
            <Tile name={t("cost")} value={exactly(today.totals.coins)} then={then && t("yesterday", { value: exactly(then.coins) })} />
            {me?.wallet && (
              <Tile name={t("balance")} value={coins(me.wallet.disponivelCoins)} then={t("held", { coins: coins(me.wallet.reservadoCoins) })} />
            )}
            {people && (
              <Tile
                name={t("people")}
                value={number(people.totals.total)}
                then={t("newPeople", { created: number(people.totals.created), optOuts: number(people.totals.optOuts) })}
              />
            )}
          </dl>
        </section>
      )}
      <div className="home">
        <div>
          <Attention data={data} />
          {today && <Channels points={today.points} />}
        </div>
        {data.messages && <Latest first={data.messages.nodes} again={again} />}
      </div>
    </>
  );
}

function Tile({ name, value, beside, then }: { name: string; value: string; beside?: string; then?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b> {beside && <small>{beside}</small>}
        {then && <span className="quiet">{then}</span>}
      </dd>
    </div>
  );
}

interface Need {
  key: string;
  icon: IconName;
  text: string;
  bad: boolean;
  /** Where it is mended. */
  to: string | null;
  search: Record<string, string>;
}

/** Things that are wrong, the worst first. */
function useNeeds(data: Data): Need[] {
  const t = useTexts(TEXTS);
  const needs: Need[] = [];
  const add = (key: string, icon: IconName, text: string, bad: boolean, to: string | null = null, search: Record<string, string> = {}) =>
    needs.push({ key, icon, text, bad, to, search });
  const wallet = data.me?.wallet;
  if (wallet && wallet.devidoCoins > 0) add("owed", "wallet", t("owed", { coins: coins(wallet.devidoCoins) }), true, "/carteira");
  else if (wallet && wallet.disponivelCoins < wallet.limiteAvisoCoins) {
    add("low", "wallet", t("low", { line: coins(wallet.limiteAvisoCoins) }), wallet.disponivelCoins <= 0, "/carteira");
  }
  for (const one of data.revoked?.nodes ?? []) add(one.id, "code", t("webhookOver", { url: one.url }), true, `/desenvolvedor/webhooks/${one.id}`);
  for (const one of data.failing?.nodes ?? []) {
    add(one.id, "code", t("webhook", { url: one.url, count: number(one.consecutiveFailures) }), true, `/desenvolvedor/webhooks/${one.id}`);
  }
  for (const one of [...(data.red?.nodes ?? []), ...(data.yellow?.nodes ?? [])]) {
    const quality = words(one.qualityRating).toLowerCase();
    add(one.id, "chat", t("number", { phone: phone(one.displayPhone), quality }), one.qualityRating === "RED", "/equipe", { aba: "numeros" });
  }
  for (const one of data.stopped?.nodes ?? []) {
    const why = one.pausadaPor;
    if (!why) continue;
    add(one.id, "journey", t("journey", { name: one.name, why: joined(words(why.motivo), why.rotulo) }), false, `/jornadas/${one.id}`, why.passo ? { passo: why.passo } : {});
  }
  const refused = data.refused?.totals.recusadas ?? 0;
  if (refused > 0) add("refused", "alert", t("refused", { count: number(refused) }), false, "/desenvolvedor", { aba: "decisoes" });
  return needs;
}

function Attention({ data }: { data: Data }) {
  const t = useTexts(TEXTS);
  const needs = useNeeds(data);
  return (
    <section className="card" aria-labelledby="needs">
      <header>
        <h2 id="needs">{t("attention")}</h2>
      </header>
      <div className="inside">
        {needs.length === 0 ? (
          <Empty icon="check" title={t("nothing")}>
            <p>{t("nothingSentence")}</p>
          </Empty>
        ) : (
          <ul className="needs">
            {needs.map((one) => (
              <li key={one.key} className={one.bad ? "bad" : ""}>
                <Icon name={one.icon} size={18} />
                {one.to ? (
                  <Link to={one.to} search={one.search as never}>
                    {one.text}
                  </Link>
                ) : (
                  <span>{one.text}</span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

type Point = NonNullable<Data["today"]>["points"][number];

function Channels({ points }: { points: readonly Point[] }) {
  const t = useTexts(TEXTS);
  const used = points.filter((one) => one.channel && one.sent + one.failed + one.received > 0);
  const most = Math.max(1, ...used.map((one) => one.sent + one.failed));
  return (
    <section className="card" aria-labelledby="channels">
      <header>
        <h2 id="channels">{t("byChannel")}</h2>
      </header>
      <div className="inside">
        {used.length === 0 ? (
          <Empty icon="chat" title={t("quiet")}>
            <p>{t("quietSentence")}</p>
          </Empty>
        ) : (
          <table className="channels">
            <thead>
              <tr>
                <th scope="col">{t("channel")}</th>
                <th scope="col" className="num">{t("sent")}</th>
                <th scope="col" className="num">{t("delivered")}</th>
                <th scope="col" className="num">{t("failed")}</th>
                <th scope="col" className="num">{t("received")}</th>
                <th scope="col" className="num">{t("cost")}</th>
              </tr>
            </thead>
            <tbody>
              {used.map((one) => {
                const open = Math.max(0, one.sent - one.delivered - one.failed);
                const width = (count: number) => ({ width: `${(100 * count) / most}%` });
                return [
                  <tr key={one.channel}>
                    <th scope="row">{words(one.channel)}</th>
                    <td className="num">{number(one.sent)}</td>
                    <td className="num">{number(one.delivered)}</td>
                    <td className="num">{number(one.failed)}</td>
                    <td className="num">{number(one.received)}</td>
                    <td className="num">{exactly(one.coins)}</td>
                  </tr>,
                  <tr key={`${one.channel} bar`} aria-hidden="true" className="bars">
                    <td colSpan={6}>
                      <div>
                        <i className="good" style={width(one.delivered)} />
                        <i className="open" style={width(open)} />
                        <i className="bad" style={width(one.failed)} />
                      </div>
                    </td>
                  </tr>,
                ];
              })}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

/** Messages as they change; the figures above follow, once in some seconds at most. */
function Latest({ first, again }: { first: readonly Message[]; again: () => void }) {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const [newer, setNewer] = useState<(Message & { toldAt: number })[]>([]);
  const due = useRef(false);
  const askedAt = useRef(0);
  useEffect(() => {
    // What was read since is right where the two differ: one told may have been missed.
    const read = new Set(first.map(({ id }) => id));
    setNewer((before) => before.filter((one) => one.toldAt >= askedAt.current || !read.has(one.id)));
  }, [first]);
  useLive(HOME_LIVE, {}, ({ messageChanged }) => {
    const one = { ...(messageChanged as Message), toldAt: Date.now() };
    setNewer((before) => [one, ...before.filter(({ id }) => id !== one.id)].slice(0, KEPT));
    if (due.current) return;
    due.current = true;
    setTimeout(() => {
      due.current = false;
      askedAt.current = Date.now();
      again();
    }, FRESH_EVERY);
  });
  const told = new Set(newer.map(({ id }) => id));
  const all = [...newer, ...first.filter(({ id }) => !told.has(id))].slice(0, KEPT);
  return (
    <section className="card" aria-labelledby="latest">
      <header>
        <h2 id="latest">{t("latest")}</h2>
      </header>
      <div className="inside">
        {all.length === 0 ? (
          <Empty icon="chat" title={t("quiet")}>
            <p>{t("quietSentence")}</p>
          </Empty>
        ) : (
          <ol className="latest">
            {all.map((one) => {
              const who = one.contact?.name ?? phone(one.to ?? one.from);
              return (
                <li key={one.id}>
                  <span>
                    {one.contact && may("contacts:read") ? <Link to={`/contatos/${one.contact.id}`}>{who}</Link> : who}
                    <small className="quiet">
                      {t(one.direction === "INBOUND" ? "inbound" : "outbound", { channel: words(one.channel) })}
                      {one.failure && ` · ${words(one.failure)}`}
                    </small>
                  </span>
                  {one.direction !== "INBOUND" && <Badge of={one.status} />}
                  <time dateTime={one.createdAt} className="quiet">
                    {atTime(one.createdAt)}
                  </time>
                </li>
              );
            })}
          </ol>
        )}
      </div>
    </section>
  );
}
