import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { SCREENS } from "../screens";
import { Bones, State } from "../ui/states";
import { texts, useTexts } from "../ui/language";
import { Shell } from "./Shell";
import { Broken } from "./Broken";

const TEXTS = texts({
  title: ["Esta página não existe", "There is no such page"],
  sentence: ["Confira o endereço, ou escolha uma tela no menu.", "Check the address, or choose a screen from the menu."],
});

function NotThere() {
  const t = useTexts(TEXTS);
  return (
    <State icon="search" title={t("title")}>
      <p>{t("sentence")}</p>
    </State>
  );
}

const Pending = () => (
  <div className="screen">
    <Bones lines={8} />
  </div>
);

const root = createRootRoute({ component: Shell, notFoundComponent: NotThere });

const routes = SCREENS.flatMap((one) =>
  one.routes.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
  ),
);

/** Every value of an address is a text: `q=123` is not a number. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: "/console",
  defaultPreload: "intent",
  defaultPendingComponent: Pending,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
    const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
  },
});
