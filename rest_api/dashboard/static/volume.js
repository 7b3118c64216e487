// How many messages went out, by channel, and what became of them.

import { chart, PARTS } from "./chart.js";
import { h } from "./dom.js";
import { atTime, coins, number, onDate, onDay, share, words, zone } from "./format.js";
import { nothing, Panel } from "./panel.js";
import { segments } from "./segments.js";
import { t } from "./texts.js";

const QUERY = `query Volume($from: DateTime!, $bucket: StatsBucket!, $timezone: String!) {
  messageStats(from: $from, bucket: $bucket, timezone: $timezone, groupBy: [CHANNEL]) {
    totals { sent delivered failed received coins }
    points { at channel sent delivered failed received coins }
  }
}`;

const PERIODS = {
  day: { label: "24 h", bucket: "HOUR", from: (now) => now.setHours(now.getHours() - 23, 0, 0, 0) },
  week: { label: "7 d", bucket: "DAY", from: (now) => midnight(now, 6) },
  month: { label: "30 d", bucket: "DAY", from: (now) => midnight(now, 29) },
  quarter: { label: "90 d", bucket: "WEEK", from: (now) => midnight(now, 89) },
};
const MEASURES = ["sent", "delivered", "failed", "received", "coins"];

function midnight(now, daysAgo) {
  now.setDate(now.getDate() - daysAgo);
  return now.setHours(0, 0, 0, 0);
}

export function volume({ gateway }) {
  let period = "month";
  let channel = "";
  let offered = "";
  let draw = () => {};
  const figures = tiles();
  const choice = h("div", null);
  const columns = chart();
  const rows = h("tbody", null);
  const rates = h("ul", { class: "channels" });
  const whole = [
    figures.element,
    choice,
    columns.element,
    asTable(rows),
    h("div", null, h("h3", null, t("Delivery by channel")), rates),
  ];
  const choices = Object.entries(PERIODS).map(([name, { label }]) => [name, label]);
  const panel = new Panel(
    "volume",
    t("Messages"),
    segments(t("Period"), "period", choices, period, ({ target }) => {
      period = target.value;
      refresh();
    }),
  );

  async function load() {
    const { bucket, from } = PERIODS[period];
    const since = new Date(from(new Date())).toISOString();
    const stats = await gateway.ask(QUERY, { from: since, bucket, timezone: zone });
    return view(stats, bucket);
  }

  /** The elements stay and only their figures change, also under a pointer that rests on them. */
  function view(stats, bucket) {
    const channels = [...new Set(stats.points.map((point) => point.channel))].filter(Boolean).sort();
    if (!channels.length) return nothing(t("No messages in this period."));
    if (!channels.includes(channel)) channel = "";
    draw = () => {
      const buckets = summed(
        stats.points.filter((point) => !channel || point.channel === channel),
        bucket,
      );
      columns.update(buckets, summaryOf(buckets, channel));
      rows.replaceChildren(...buckets.map(row));
    };
    draw();
    figures.update(stats.totals);
    offer(channels);
    rates.replaceChildren(...byChannel(stats.points, channels));
    return whole;
  }

  function offer(channels) {
    if (String(channels) === offered) return;
    offered = String(channels);
    const all = [["", t("All")], ...channels.map((one) => [one, named(one)])];
    const chosen = ({ target }) => {
      channel = target.value;
      draw();
    };
    choice.replaceChildren(channels.length > 1 ? segments(t("Channel"), "channel", all, channel, chosen) : "");
  }

  const refresh = (how) => panel.fill(load, how);
  refresh();
  return { element: panel.element, refresh };
}

const named = (channel) => (channel.length <= 3 ? channel : words(channel));

const TILES = [
  [t("Sent"), ({ sent }) => [number(sent)]],
  [t("Delivered"), ({ sent, delivered }) => [number(delivered), h("small", null, share(delivered, sent))]],
  [t("Failed"), ({ failed }) => [number(failed)]],
  [t("Received"), ({ received }) => [number(received)]],
  [t("Spent"), ({ coins: spent }) => [coins(spent)]],
];

function tiles() {
  const values = TILES.map(() => h("dd", null));
  const element = h(
    "dl",
    { class: "tiles" },
    TILES.map(([label], index) => h("div", { class: "tile" }, h("dt", null, label), values[index])),
  );
  const update = (totals) => TILES.forEach(([, of], index) => values[index].replaceChildren(...of(totals)));
  return { element, update };
}

/** One entry for each bucket, whatever the channel. */
function summed(points, bucket) {
  const buckets = new Map();
  for (const point of points) {
    const one = buckets.get(point.at) ?? { at: point.at, sent: 0, delivered: 0, failed: 0, received: 0, coins: 0 };
    for (const name of MEASURES) one[name] += point[name];
    buckets.set(point.at, one);
  }
  return [...buckets.values()].map((one) => ({
    ...one,
    open: Math.max(0, one.sent - one.delivered - one.failed),
    label: bucket === "HOUR" ? atTime(one.at) : onDay(one.at),
    title: {
      HOUR: `${onDay(one.at)} ${atTime(one.at)}`,
      DAY: onDate(one.at),
      WEEK: t("Week of {date}", { date: onDate(one.at) }),
    }[bucket],
  }));
}

function summaryOf(buckets, channel) {
  const total = (name) => buckets.reduce((sum, one) => sum + one[name], 0);
  const best = buckets.reduce((most, one) => (one.sent > most.sent ? one : most));
  return t(
    "{channel}: {sent} sent, {delivered} delivered, {failed} failed, {received} received. Most on {title}: {most}. A table of it follows.",
    {
      channel: channel ? named(channel) : t("All channels"),
      ...Object.fromEntries(MEASURES.map((name) => [name, number(total(name))])),
      title: best.title,
      most: number(best.sent),
    },
  );
}

const COLUMNS = [["sent", t("Sent")], ...PARTS, ["received", t("Received")]];

function asTable(rows) {
  const head = [t("When"), ...COLUMNS.map(([, label]) => label)].map((label) => h("th", { scope: "col" }, label));
  return h(
    "details",
    { class: "as-table" },
    h("summary", null, t("Show as a table")),
    h(
      "div",
      { class: "table-frame", tabindex: "0", role: "region", "aria-label": t("Messages over time") },
      h("table", null, h("thead", null, h("tr", null, head)), rows),
    ),
  );
}

function row(one) {
  const numbers = COLUMNS.map(([name]) => h("td", null, number(one[name])));
  return h("tr", null, h("th", { scope: "row" }, one.title), numbers);
}

function byChannel(points, channels) {
  return channels.map((channel) => {
    const of = (name) => points.reduce((sum, one) => sum + (one.channel === channel ? one[name] : 0), 0);
    const count = number(of("sent"));
    const rate = of("sent") ? of("delivered") / of("sent") : 0;
    return h(
      "li",
      null,
      h("span", { class: "channel" }, named(channel)),
      h("span", { class: "meter", vars: { part: `${(rate * 100).toFixed(1)}%` } }, h("i", null)),
      h("span", { class: "rate" }, t("{share} delivered", { share: share(of("delivered"), of("sent")) })),
      h("span", { class: "quiet" }, t("{count} sent · {cost}", { count, cost: coins(of("coins")) })),
    );
  });
}
