// How many messages went out, by channel, and what became of them.

import { chart, PARTS } from "./chart.js";
import { h } from "./dom.js";
import { atTime, coins, number, onDate, onDay, share, words, zone } from "./format.js";
import { nothing, Panel } from "./panel.js";
import { segments } from "./segments.js";

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
  let tableIsOpen = false;
  const choices = Object.entries(PERIODS).map(([name, { label }]) => [name, label]);
  const panel = new Panel(
    "volume",
    "Messages",
    segments("Period", "period", choices, period, ({ target }) => {
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

  function view(stats, bucket) {
    const channels = [...new Set(stats.points.map((point) => point.channel))].filter(Boolean).sort();
    if (!channels.length) return nothing("No messages in this period.");
    if (!channels.includes(channel)) channel = "";
    const figure = h("div", null);
    const draw = () => {
      const buckets = summed(
        stats.points.filter((point) => !channel || point.channel === channel),
        bucket,
      );
      figure.replaceChildren(
        chart(buckets, summaryOf(buckets, channel)),
        asTable(buckets, tableIsOpen, (open) => (tableIsOpen = open)),
      );
    };
    draw();
    const choice =
      channels.length > 1 &&
      segments(
        "Channel",
        "channel",
        [["", "All"], ...channels.map((one) => [one, named(one)])],
        channel,
        ({ target }) => {
          channel = target.value;
          draw();
        },
      );
    return [tiles(stats.totals), choice || "", figure, byChannel(stats.points, channels)];
  }

  const refresh = () => panel.fill(load);
  refresh();
  return { element: panel.element, refresh };
}

const named = (channel) => (channel.length <= 3 ? channel : words(channel));

function tiles({ sent, delivered, failed, received, coins: spent }) {
  const tile = (label, value, note) =>
    h("div", { class: "tile" }, h("dt", null, label), h("dd", null, value, note && h("small", null, note)));
  return h(
    "dl",
    { class: "tiles" },
    tile("Sent", number(sent)),
    tile("Delivered", number(delivered), share(delivered, sent)),
    tile("Failed", number(failed)),
    tile("Received", number(received)),
    tile("Spent", coins(spent)),
  );
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
    title: { HOUR: `${onDay(one.at)} ${atTime(one.at)}`, DAY: onDate(one.at), WEEK: `Week of ${onDate(one.at)}` }[
      bucket
    ],
  }));
}

function summaryOf(buckets, channel) {
  const total = (name) => buckets.reduce((sum, one) => sum + one[name], 0);
  const best = buckets.reduce((most, one) => (one.sent > most.sent ? one : most));
  return (
    `${channel ? named(channel) : "All channels"}: ${number(total("sent"))} sent, ${number(total("delivered"))} ` +
    `delivered, ${number(total("failed"))} failed, ${number(total("received"))} received. Most on ${best.title}: ` +
    `${number(best.sent)}. A table of it follows.`
  );
}

function asTable(buckets, open, toggled) {
  const columns = [["sent", "Sent"], ...PARTS, ["received", "Received"]];
  return h(
    "details",
    { class: "as-table", open, ontoggle: ({ target }) => toggled(target.open) },
    h("summary", null, "Show as a table"),
    h(
      "div",
      { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Messages over time" },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, "When"),
            columns.map(([, label]) => h("th", { scope: "col" }, label)),
          ),
        ),
        h(
          "tbody",
          null,
          buckets.map((one) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, one.title),
              columns.map(([name]) => h("td", null, number(one[name]))),
            ),
          ),
        ),
      ),
    ),
  );
}

function byChannel(points, channels) {
  const rows = channels.map((channel) => {
    const of = (name) => points.reduce((sum, one) => sum + (one.channel === channel ? one[name] : 0), 0);
    const rate = of("sent") ? of("delivered") / of("sent") : 0;
    return h(
      "li",
      null,
      h("span", { class: "channel" }, named(channel)),
      h("span", { class: "meter", vars: { part: `${(rate * 100).toFixed(1)}%` } }, h("i", null)),
      h("span", { class: "rate" }, `${share(of("delivered"), of("sent"))} delivered`),
      h("span", { class: "quiet" }, `${number(of("sent"))} sent · ${coins(of("coins"))}`),
    );
  });
  return h("div", null, h("h3", null, "Delivery by channel"), h("ul", { class: "channels" }, rows));
}
