// One line for each screen: its name in addresses and folders, what it is called, its picture, the scope without which
// it shows nothing, and its addresses with the component that each opens. A screen is loaded when it is opened.

import { type Opened, screen } from "../shell/screen";

export const SCREENS = [
  screen("inicio", ["Início", "Home"], "home", null, { "/": "Home" }, () => import("./inicio")),
  screen("contatos", ["Contatos", "Contacts"], "people", "contacts:read", { "/contatos": "Contacts", "/contatos/importar": "ImportContacts", "/contatos/$id": "ContactPage" }, () => import("./contatos")),
  screen("conversas", ["Conversas", "Conversations"], "chat", "messages:read", { "/conversas": "Conversations" }, () => import("./conversas")),
  screen("enviar", ["Enviar", "Send"], "send", "messages:send", { "/enviar": "Send" }, () => import("./enviar")),
  screen("negocios", ["Negócios", "Deals"], "deal", "crm:read", { "/negocios": "Deals" }, () => import("./negocios")),
  screen("jornadas", ["Jornadas", "Journeys"], "journey", "campaigns:read", { "/jornadas": "Journeys", "/jornadas/$id": "JourneyPage" }, () => import("./jornadas")),
  screen("carteira", ["Carteira", "Wallet"], "wallet", "wallet:read", { "/carteira": "Wallet" }, () => import("./carteira")),
  screen("desenvolvedor", ["Desenvolvedor", "Developer"], "code", null, { "/desenvolvedor": "Developer", "/desenvolvedor/webhooks/$id": "WebhookPage", "/desenvolvedor/entregas/$id": "DeliveryPage" }, () => import("./desenvolvedor")),
  screen("equipe", ["Equipe e ajustes", "Team and settings"], "team", null, { "/equipe": "Team" }, () => import("./equipe")),
];

/** Which address a record has, by its type: the palette opens ids, and screens link to each other. */
export const PLACES: Record<string, (id: string) => Opened> = {
  Contact: (id) => `/contatos/${id}`,
  Webhook: (id) => `/desenvolvedor/webhooks/${id}`,
  WebhookDelivery: (id) => `/desenvolvedor/entregas/${id}`,
  Journey: (id) => `/jornadas/${id}`,
};
