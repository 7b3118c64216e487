import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { ResultOf, VariablesOf } from "../../gateway/graphql";
import { usePages, useWrite } from "../../gateway/read";
import { useSession } from "../../gateway/session";
import { Ask } from "../../ui/asking";
import { atMoment, coins, exactly, number, ofDay, words } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { Badge, Field, ScreenHead, toast } from "../../ui/parts";
import { Bones, Empty } from "../../ui/states";
import { type Column, VirtualTable } from "../../ui/VirtualTable";
import { CANCEL_QUOTE, CHANGE_WARNING, CREDIT, QUOTE, WALLET } from "./documents";
import { TEXTS } from "./texts";
import "./wallet.css";

type Data = ResultOf<typeof WALLET>;
type Row = NonNullable<Data["walletTransfers"]>["nodes"][number];
type Filter = NonNullable<VariablesOf<typeof WALLET>["filter"]>;
type Entry = Pick<Data, "me" | "walletProof" | "prices" | "quotes">;
type Channel = "SMS" | "RCS" | "EMAIL" | "WHATSAPP";

const COINS_OF_A_REAL = 10_000;
const KINDS = ["CREDITO", "RESERVA", "CAPTURA", "LIBERACAO", "AJUSTE"] as const;

interface Search {
  tipo?: (typeof KINDS)[number];
  de?: string;
  ate?: string;
}

function filterOf({ tipo, de, ate }: Search): Filter {
  return {
    ...(tipo && { kind: tipo }),
    ...(de && { since: new Date(`${de}T00:00:00`).toISOString() }),
    ...(ate && { until: new Date(`${ate}T23:59:59.999`).toISOString() }),
  };
}

export function Wallet() {
  const t = useTexts(TEXTS);
  const { may, env } = useSession();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const [entry, setEntry] = useState<Entry | null>(null);
  const [doing, setDoing] = useState<"warning" | "quote" | null>(null);
  const [credit, crediting] = useWrite(CREDIT);
  const pages = usePages(
    WALLET,
    { filter: filterOf(search), entry: true },
    (data: Data) => {
      const { me, walletProof, prices, quotes } = data;
      const found = { me, walletProof, prices, quotes };
      if (me && JSON.stringify(found) !== JSON.stringify(entry)) setEntry(found);
      return data.walletTransfers;
    },
    { entry: false },
  );
  const put = (part: Search) => void navigate({ to: "/carteira", search: { ...search, ...part } as never, replace: true });
  const close = () => setDoing(null);
  async function play() {
    const { refusal } = await credit({});
    toast(refusal ? refusal.sentence : t("credited"));
    pages.again();
  }
  const columns: Column<Row>[] = [
    { key: "kind", label: t("kind"), width: "130px", phone: "title", cell: (row) => <Badge of={row.tipo} /> },
    { key: "accounts", label: t("accounts"), width: "minmax(0, 1.2fr)", cell: (row) => `${words(row.de)} → ${words(row.para)}` },
    { key: "origin", label: t("origin"), width: "minmax(0, 1.4fr)", cell: (row) => <span className="code">{row.origem}</span> },
    { key: "when", label: t("when"), width: "170px", phone: "below", cell: (row) => atMoment(row.createdAt) },
    { key: "amount", label: t("amount"), width: "120px", phone: "side", cell: (row) => <span className="money">{exactly(row.coins)}</span> },
  ];
  return (
    <div className="screen">
      <ScreenHead title={t("title")}>
        {env === "test" && (
          <button type="button" className="button" disabled={crediting} onClick={() => void play()}>
            {t("credit")}
          </button>
        )}
        {may("accounts:manage") && (
          <button type="button" className="button" onClick={() => setDoing("warning")}>
            {t("changeWarning")}
          </button>
        )}
        <button type="button" className="button main" onClick={() => setDoing("quote")}>
          {t("newQuote")}
        </button>
      </ScreenHead>
      {entry?.me?.wallet ? <Figures of={entry.me.wallet} /> : pages.state === "loading" && <Bones lines={2} />}
      <div className="halves">
        <div className="form">
          <div className="wallet-filters">
            <h2>{t("statement")}</h2>
            <Field label={t("kind")}>
              {(props) => (
                <select {...props} value={search.tipo ?? ""} onChange={(event) => put({ tipo: event.target.value as never })}>
                  <option value="">{t("all")}</option>
                  {KINDS.map((one) => (
                    <option key={one} value={one}>
                      {words(one)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("since")}>{(props) => <input {...props} type="date" value={search.de ?? ""} onChange={(event) => put({ de: event.target.value })} />}</Field>
            <Field label={t("until")}>{(props) => <input {...props} type="date" value={search.ate ?? ""} onChange={(event) => put({ ate: event.target.value })} />}</Field>
          </div>
          <VirtualTable
            label={t("statement")}
            pages={pages}
            columns={columns}
            empty={
              <Empty icon="wallet" title={t("noMoves")}>
                <p>{t("noMovesSentence")}</p>
              </Empty>
            }
          />
        </div>
        {entry && (
          <div className="wallet-aside">
            {entry.walletProof && <Proof of={entry.walletProof} />}
            {entry.quotes && <Quotes of={entry.quotes.nodes} again={pages.again} />}
            {entry.prices && <Prices of={entry.prices} />}
          </div>
        )}
      </div>
      {doing === "warning" && entry?.me?.wallet && <Warning before={entry.me.wallet.limiteAvisoCoins} close={close} again={pages.again} />}
      {doing === "quote" && <NewQuote routes={routesOf(entry)} close={close} again={pages.again} />}
    </div>
  );
}

function Figures({ of }: { of: NonNullable<NonNullable<Data["me"]>["wallet"]> }) {
  const t = useTexts(TEXTS);
  const figures: [string, string, string][] = [
    [t("balance"), coins(of.disponivelCoins), ""],
    [t("held"), coins(of.reservadoCoins), t("heldNote")],
    [t("owed"), coins(of.devidoCoins), t("owedNote")],
    [t("warning"), of.limiteAvisoCoins ? coins(of.limiteAvisoCoins) : t("noWarning"), t("warningNote")],
  ];
  return (
    <dl className="figures card">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Proof({ of }: { of: NonNullable<Data["walletProof"]> }) {
  const t = useTexts(TEXTS);
  return (
    <section className="card" aria-labelledby="proof">
      <header>
        <h2 id="proof">{t("proof")}</h2>
        <Badge of={of.confere ? "GREEN" : "RED"}>{t("inUtc", { day: ofDay(of.dia) })}</Badge>
      </header>
      <div className="inside form">
        <p className={of.confere ? "quiet" : "notice bad"}>{t(of.confere ? "proved" : "notProved")}</p>
        <div className="wallet-proof" role="group" aria-labelledby="proof" tabIndex={0}>
          <table className="sheet">
            <thead>
              <tr>
                <th scope="col">{t("account")}</th>
                <th scope="col" className="num">{t("in")}</th>
                <th scope="col" className="num">{t("out")}</th>
                <th scope="col" className="num">{t("end")}</th>
              </tr>
            </thead>
            <tbody>
              {of.contas.map((one) => (
                <tr key={one.conta}>
                  <th scope="row">{words(one.conta)}</th>
                  <td className="num">{coins(one.entradasCoins)}</td>
                  <td className="num">{coins(one.saidasCoins)}</td>
                  <td className="num">{coins(one.fimDoDiaCoins)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}

function Quotes({ of, again }: { of: NonNullable<Data["quotes"]>["nodes"]; again: () => void }) {
  const t = useTexts(TEXTS);
  const [cancel, busy] = useWrite(CANCEL_QUOTE);
  async function end(id: string) {
    const { refusal } = await cancel({ id });
    toast(refusal ? refusal.sentence : t("canceled"));
    again();
  }
  return (
    <section className="card" aria-labelledby="quotes">
      <header>
        <h2 id="quotes">{t("quotes")}</h2>
      </header>
      <div className="inside">
        {of.length === 0 ? (
          <p className="quiet">{t("noQuotes")}</p>
        ) : (
          <ul className="quotes">
            {of.map((one) => (
              <li key={one.id}>
                <span>
                  {one.itens.map((item) => t("quoted", { count: number(item.quantidade), route: item.rota, channel: words(item.canal) })).join(", ")}
                  <small>{t("left", { coins: coins(one.restante), at: atMoment(one.validoAte) })}</small>
                </span>
                <button type="button" className="button small" disabled={busy} aria-label={`${t("cancel")} ${one.id}`} onClick={() => void end(one.id)}>
                  {t("cancel")}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** A route or kind as REST and prices write it. */
const written = (value: string): string => value.toLowerCase();

function Prices({ of }: { of: NonNullable<Data["prices"]> }) {
  const t = useTexts(TEXTS);
  const lines: [string, string][] = [
    ...of.smsByRoute.map(({ route, bands }): [string, string] => [
      `SMS ${written(route)}`,
      bands.map((band) => (band.fromSegment > 1 ? t("from", { count: number(band.fromSegment), coins: exactly(band.coins) }) : exactly(band.coins))).join("; "),
    ]),
    ...of.rcsByRoute.map((one): [string, string] => [`RCS ${written(one.route)}`, exactly(one.coins)]),
    ...of.pushByRateKind.map((one): [string, string] => [`Push ${written(one.rateKind)}`, exactly(one.coins)]),
    [t("smsReply"), exactly(of.smsReply)],
    [t("email"), exactly(of.email)],
    [t("conversationTemplate"), exactly(of.conversationTemplate)],
  ];
  return (
    <section className="card" aria-labelledby="prices">
      <header>
        <h2 id="prices">{t("prices")}</h2>
        <span className="quiet">{t(of.own ? "own" : "published")}</span>
      </header>
      <div className="inside">
        <table className="sheet">
          <thead>
            <tr>
              <th scope="col">{t("what")}</th>
              <th scope="col">{t("price")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(([name, price]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Warning({ before, close, again }: { before: number; close: () => void; again: () => void }) {
  const t = useTexts(TEXTS);
  const [reais, setReais] = useState(String(before / COINS_OF_A_REAL));
  const [change, busy] = useWrite(CHANGE_WARNING);
  async function run() {
    const { refusal } = await change({ input: { limiteAvisoCoins: Math.round(Number(reais) * COINS_OF_A_REAL) } });
    if (refusal) return refusal;
    toast(t("warningSaved"));
    close();
    again();
    return null;
  }
  return (
    <Ask title={t("changeWarning")} confirm={t("save")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <Field label={t("warningLabel")} hint={t("warningHint")} wrong={wrong("limiteAvisoCoins")}>
          {(props) => <input {...props} type="number" min={0} step="any" value={reais} onChange={(event) => setReais(event.target.value)} />}
        </Field>
      )}
    </Ask>
  );
}

type Routes = Record<Channel, string[]>;

/** What can be quoted, as the prices name it. */
function routesOf(entry: Entry | null): Routes {
  const routes = (of: { route: string }[] = []) => of.map((one) => written(one.route));
  return {
    SMS: routes(entry?.prices?.smsByRoute),
    RCS: routes(entry?.prices?.rcsByRoute),
    EMAIL: ["transacional", "marketing"],
    WHATSAPP: ["template"],
  };
}

function NewQuote({ routes, close, again }: { routes: Routes; close: () => void; again: () => void }) {
  const t = useTexts(TEXTS);
  const [canal, setCanal] = useState<Channel>("SMS");
  const [rota, setRota] = useState(routes.SMS[0] ?? "");
  const [quantity, setQuantity] = useState("1000");
  const [minutes, setMinutes] = useState("60");
  const [reserve, setReserve] = useState(false);
  const [ask, busy] = useWrite(QUOTE);
  async function run() {
    const { data, refusal } = await ask({
      input: { itens: [{ canal, rota, quantidade: Number(quantity) }], validadeMinutos: Number(minutes), reservar: reserve },
    });
    if (refusal || !data.createQuote) return refusal;
    toast(t("asked", { coins: coins(data.createQuote.coins), at: atMoment(data.createQuote.validoAte) }));
    close();
    again();
    return null;
  }
  return (
    <Ask title={t("newQuote")} note={t("quoteNote")} confirm={t("ask")} busy={busy} run={run} close={close}>
      {(wrong) => (
        <>
          <div className="pair">
            <Field label={t("channel")} wrong={wrong("canal")}>
              {(props) => (
                <select
                  {...props}
                  value={canal}
                  onChange={(event) => {
                    const one = event.target.value as Channel;
                    setCanal(one);
                    setRota(routes[one][0] ?? "");
                  }}
                >
                  {(Object.keys(routes) as Channel[]).map((one) => (
                    <option key={one} value={one}>
                      {words(one)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("route")} wrong={wrong("rota")}>
              {(props) => (
                <select {...props} value={rota} onChange={(event) => setRota(event.target.value)}>
                  {routes[canal].map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("quantity")} wrong={wrong("quantidade")}>
              {(props) => <input {...props} type="number" min={1} value={quantity} onChange={(event) => setQuantity(event.target.value)} />}
            </Field>
            <Field label={t("minutes")} wrong={wrong("validadeMinutos")}>
              {(props) => <input {...props} type="number" min={1} value={minutes} onChange={(event) => setMinutes(event.target.value)} />}
            </Field>
          </div>
          <label className="row">
            <input type="checkbox" checked={reserve} onChange={(event) => setReserve(event.target.checked)} /> {t("reserve")}
          </label>
        </>
      )}
    </Ask>
  );
}
