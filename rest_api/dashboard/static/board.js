// The sales board: stages side by side, with what lies in them.

import { h } from "./dom.js";
import { money, number, phone } from "./format.js";
import { nothing, Panel, sorry } from "./panel.js";
import { segments } from "./segments.js";
import { t } from "./texts.js";

const CARDS = `pageInfo { hasNextPage endCursor }
  nodes { id titulo valor moeda diasNaEtapa atrasado responsavel { name } company { nome } contato { id name phone } }`;
const QUERY = `{
  pipelines(first: 12) {
    nodes {
      id nome moeda
      etapas { id nome resultado cor quantidade atrasados valorTotal cards(first: 8) { ${CARDS} } }
    }
  }
}`;
const MORE = `query More($id: ID!, $first: Int!, $after: String) {
  node(id: $id) { ... on Stage { cards(first: $first, after: $after) { ${CARDS} } } }
}`;

export function board({ gateway, openContact }) {
  const unfolded = new Map(); // how many deals are in sight, by stages where more were asked for
  let chosen = null;
  let offered = "";
  const panel = new Panel("board", t("Sales board"));

  async function load() {
    const { nodes: pipelines } = await gateway.ask(QUERY);
    if (!pipelines.length) return nothing(t("There is no pipeline yet."));
    const find = () => pipelines.find(({ id }) => id === chosen) ?? pipelines[0];
    const stages = h("div", { class: "stages-frame" });
    const draw = () => stages.replaceChildren(sums(find()), columns(find()));
    await Promise.all(find().etapas.map(unfold));
    draw();
    offer(pipelines, find, draw);
    return stages;
  }

  /** A stage of which somebody asked for more still shows as many. */
  async function unfold(stage) {
    const first = Math.min(100, unfolded.get(stage.id) ?? 0);
    if (first) stage.cards = (await gateway.ask(MORE, { id: stage.id, first, after: null })).cards;
  }

  let redraw = () => {};
  /** The choice of a pipeline; it stays as it is unless there are others. */
  function offer(pipelines, find, draw) {
    redraw = draw;
    const names = JSON.stringify(pipelines.map(({ id, nome }) => [id, nome]));
    if (names === offered) return;
    offered = names;
    panel.actions.replaceChildren(
      pipelines.length > 1
        ? segments(
            t("Pipeline"),
            "pipeline",
            pipelines.map(({ id, nome }) => [id, nome]),
            find().id,
            ({ target }) => {
              chosen = target.value;
              redraw();
            },
          )
        : "",
    );
  }

  function columns(pipeline) {
    return h(
      "div",
      {
        class: "stages",
        role: "region",
        tabindex: "0",
        "data-key": `stages-${pipeline.id}`,
        "aria-label": t("Stages of {nome}, from left to right", pipeline),
      },
      pipeline.etapas.map((stage) => column(stage, pipeline.moeda)),
    );
  }

  function column(stage, currency) {
    const list = h("ul", { class: "cards", "data-key": `cards-${stage.id}` }, stage.cards?.nodes.map(card));
    return h(
      "section",
      {
        class: `stage stage-${stage.resultado.toLowerCase()}`,
        "aria-label": t("{nome}: {quantidade} deals", stage),
        vars: { stage: stage.cor ?? "currentColor" },
      },
      h(
        "header",
        null,
        h("h3", null, stage.nome, h("span", { class: "count" }, number(stage.quantidade))),
        h(
          "p",
          null,
          money(stage.valorTotal, currency, { brief: true }),
          stage.atrasados > 0 && h("span", { class: "late" }, t("{count} overdue", { count: number(stage.atrasados) })),
        ),
      ),
      stage.cards?.nodes.length ? list : nothing(t("Empty")),
      stage.cards?.pageInfo.hasNextPage && more(stage, list),
    );
  }

  function more(stage, list) {
    let after = stage.cards.pageInfo.endCursor;
    const button = h("button", { type: "button", class: "quiet-button", "data-key": `more-${stage.id}` });
    const label = () => (button.textContent = t("Show more of {count}", { count: number(stage.quantidade) }));
    label();
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const { cards } = await gateway.ask(MORE, { id: stage.id, first: 20, after });
        list.append(...cards.nodes.map(card));
        unfolded.set(stage.id, list.children.length);
        list.children[list.children.length - cards.nodes.length]?.querySelector("button")?.focus();
        after = cards.pageInfo.endCursor;
        if (!cards.pageInfo.hasNextPage) button.remove();
      } catch (error) {
        button.replaceWith(sorry(error));
      }
      button.disabled = false;
    });
    return button;
  }

  function card({ id, titulo, valor, moeda, diasNaEtapa, atrasado, responsavel, company, contato }) {
    const count = number(diasNaEtapa);
    const days = diasNaEtapa === 0 ? t("today") : t(diasNaEtapa === 1 ? "{count} day" : "{count} days", { count });
    return h(
      "li",
      { class: "card" },
      h("p", { class: "card-title" }, titulo),
      company && !titulo.includes(company.nome) && h("p", { class: "quiet" }, company.nome),
      contato &&
        h(
          "button",
          { type: "button", class: "link", "data-key": `deal-${id}`, onclick: () => openContact(contato.id) },
          contato.name ?? phone(contato.phone),
        ),
      h(
        "p",
        { class: "card-foot" },
        h("b", null, money(valor, moeda, { brief: true })),
        h(
          "span",
          { class: atrasado ? "late" : "quiet", title: t("In this stage since") },
          atrasado ? t("{days}, overdue", { days }) : days,
        ),
      ),
      responsavel && h("p", { class: "owner" }, responsavel.name),
    );
  }

  const refresh = (how) => panel.fill(load, how);
  refresh();
  return { element: panel.element, refresh };
}

/** What is open, won and lost. */
function sums({ etapas, moeda }) {
  const of = (outcome) => {
    const stages = etapas.filter(({ resultado }) => resultado === outcome);
    const total = (name) => stages.reduce((sum, stage) => sum + (stage[name] ?? 0), 0);
    const count = total("quantidade");
    return [
      money(total("valorTotal"), moeda, { brief: true }),
      t(count === 1 ? "{count} deal" : "{count} deals", { count: number(count) }),
    ];
  };
  return h(
    "dl",
    { class: "tiles tiles-small" },
    [
      [t("Open"), "ABERTA"],
      [t("Won"), "GANHO"],
      [t("Lost"), "PERDA"],
    ].map(([label, outcome]) => {
      const [value, note] = of(outcome);
      return h("div", { class: "tile" }, h("dt", null, label), h("dd", null, value, h("small", null, note)));
    }),
  );
}
