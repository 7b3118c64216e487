// One line for each screen: its name in addresses and folders, what it is called, its picture, the scope without which
// it shows nothing, and its addresses with the component that each opens. A screen is loaded when it is opened.

import { type Opened, screen } from "../shell/screen";

export const SCREENS = [
  screen("inicio", ["Início", "Home"], "home", null, { "/": "Home" }, () => import("./inicio")),
  screen("contatos", ["Contatos", "Contacts"], "people", "contacts:read", { "/contatos": "Contacts", "/contatos/importar": "ImportContacts", "/contatos/$id": "ContactPage" }, () => import("./contatos")),
  screen("jornadas", ["Jornadas", "Journeys"], "journey", "campaigns:read", { "/jornadas": "Journeys", "/jornadas/$id": "JourneyPage" }, () => import("./jornadas")),
];

/** Which address a record has, by its type: the palette opens ids, and screens link to each other. */
export const PLACES: Record<string, (id: string) => Opened> = {
  Contact: (id) => `/contatos/${id}`,
  Journey: (id) => `/jornadas/${id}`,
};
