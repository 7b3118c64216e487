// The sales board: stages side by side, with what lies in them.

import { h } from "./dom.js";
import { money, number, phone } from "./format.js";
import { nothing, Panel, sorry } from "./panel.js";
import { segments } from "./segments.js";

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
const MORE = `query More($id: ID!, $after: String) {
  node(id: $id) { ... on Stage { cards(first: 20, after: $after) { ${CARDS} } } }
}`;

export function board({ gateway, openContact }) {
  let chosen = null;
  const panel = new Panel("board", "Sales board");

  async function load() {
    const { nodes: pipelines } = await gateway.ask(QUERY);
    if (!pipelines.length) return nothing("There is no pipeline yet.");
    const find = () => pipelines.find(({ id }) => id === chosen) ?? pipelines[0];
    const stages = h("div", { class: "stages-frame" });
    const draw = () => stages.replaceChildren(sums(find()), columns(find()));
    const scrolled = panel.element.querySelector(".stages")?.scrollLeft ?? 0;
    draw();
    requestAnimationFrame(() => stages.querySelector(".stages").scrollTo(scrolled, 0));
    panel.actions.replaceChildren(
      pipelines.length > 1
        ? segments(
            "Pipeline",
            "pipeline",
            pipelines.map(({ id, nome }) => [id, nome]),
            find().id,
            ({ target }) => {
              chosen = target.value;
              draw();
            },
          )
        : "",
    );
    return stages;
  }

  function columns(pipeline) {
    return h(
      "div",
      {
        class: "stages",
        role: "region",
        tabindex: "0",
        "aria-label": `Stages of ${pipeline.nome}, from left to right`,
      },
      pipeline.etapas.map((stage) => column(stage, pipeline.moeda)),
    );
  }

  function column(stage, currency) {
    const list = h("ul", { class: "cards" }, stage.cards?.nodes.map(card));
    return h(
      "section",
      {
        class: `stage stage-${stage.resultado.toLowerCase()}`,
        "aria-label": `${stage.nome}: ${stage.quantidade} deals`,
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
          stage.atrasados > 0 && h("span", { class: "late" }, `${number(stage.atrasados)} overdue`),
        ),
      ),
      stage.cards?.nodes.length ? list : nothing("Empty"),
      stage.cards?.pageInfo.hasNextPage && more(stage, list),
    );
  }

  function more(stage, list) {
    let after = stage.cards.pageInfo.endCursor;
    const button = h("button", { type: "button", class: "quiet-button" });
    const label = () => (button.textContent = `Show more of ${number(stage.quantidade)}`);
    label();
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const { cards } = await gateway.ask(MORE, { id: stage.id, after });
        list.append(...cards.nodes.map(card));
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

  function card({ titulo, valor, moeda, diasNaEtapa, atrasado, responsavel, company, contato }) {
    const days = diasNaEtapa === 0 ? "today" : `${number(diasNaEtapa)} ${diasNaEtapa === 1 ? "day" : "days"}`;
    return h(
      "li",
      { class: "card" },
      h("p", { class: "card-title" }, titulo),
      company && !titulo.includes(company.nome) && h("p", { class: "quiet" }, company.nome),
      contato &&
        h(
          "button",
          { type: "button", class: "link", onclick: () => openContact(contato.id) },
          contato.name ?? phone(contato.phone),
        ),
      h(
        "p",
        { class: "card-foot" },
        h("b", null, money(valor, moeda, { brief: true })),
        h(
          "span",
          { class: atrasado ? "late" : "quiet", title: "In this stage since" },
          atrasado ? `${days}, overdue` : days,
        ),
      ),
      responsavel && h("p", { class: "owner" }, responsavel.name),
    );
  }

  const refresh = () => panel.fill(load);
  refresh();
  return { element: panel.element, refresh };
}

/** What is open, won and lost. */
function sums({ etapas, moeda }) {
  const of = (outcome) => {
    const stages = etapas.filter(({ resultado }) => resultado === outcome);
    const total = (name) => stages.reduce((sum, stage) => sum + (stage[name] ?? 0), 0);
    return [money(total("valorTotal"), moeda, { brief: true }), `${number(total("quantidade"))} deals`];
  };
  return h(
    "dl",
    { class: "tiles tiles-small" },
    [
      ["Open", "ABERTA"],
      ["Won", "GANHO"],
      ["Lost", "PERDA"],
    ].map(([label, outcome]) => {
      const [value, note] = of(outcome);
      return h("div", { class: "tile" }, h("dt", null, label), h("dd", null, value, h("small", null, note)));
    }),
  );
}
