import * as Menu from "@radix-ui/react-dropdown-menu";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import mark from "../mark.svg";
import { connection } from "../gateway/connection";
import { type Env, logOut, switchTo, useSession } from "../gateway/session";
import { useStore } from "../gateway/store";
import { SCREENS } from "../screens";
import { Icon } from "../ui/Icon";
import { language, type Language, speak, texts, useTexts } from "../ui/language";
import { Dialog, toast } from "../ui/parts";
import { initials, words } from "../ui/format";
import { forgetDrafts } from "../ui/memory";
import { paint, theme, type Theme } from "../ui/theme";
import { Palette } from "./Palette";
import { wasReloaded } from "./reload";
import "./shell.css";

export const TEXTS = texts({
  skip: ["Pular para o conteúdo", "Skip to the content"],
  menu: ["Telas", "Screens"],
  more: ["Mais", "More"],
  search: ["Buscar ou ir para…", "Search or go to…"],
  account: ["Conta de {name}", "Account of {name}"],
  env: ["Ambiente", "Environment"],
  live: ["Produção", "Live"],
  test: ["Teste", "Test"],
  inTest: ["Ambiente de teste: nada chega a pessoas, nada é cobrado.", "Test environment: nothing reaches people, nothing is charged."],
  language: ["Idioma", "Language"],
  theme: ["Aparência", "Appearance"],
  system: ["Do sistema", "As the system"],
  light: ["Clara", "Light"],
  dark: ["Escura", "Dark"],
  keys: ["Atalhos do teclado", "Keyboard shortcuts"],
  logOut: ["Sair", "Log out"],
  offline: ["Sem conexão com o serviço. Tentando de novo…", "No connection to the service. Trying again…"],
  lost: ["Atualizações ao vivo interrompidas; reconectando…", "Live updates are interrupted; reconnecting…"],
  waiting: ["O serviço pediu uma pausa; o pedido segue em instantes.", "The service asked for a pause; the request goes on in a moment."],
  reloaded: ["O console foi atualizado para uma nova versão.", "The console was updated to a new version."],
  switched: ["Agora em {env}.", "Now in {env}."],
  notSwitched: ["Não foi possível trocar de ambiente. {why}", "The environment could not be changed. {why}"],
  keyPalette: ["Buscar, ir para uma tela, abrir um id", "Search, go to a screen, open an id"],
  keyScreen: ["Ir para a tela de número 1 a 9", "Go to screen number 1 to 9"],
  keyRows: ["Andar pelas linhas de uma tabela", "Move along the rows of a table"],
  keyHelp: ["Mostrar estes atalhos", "Show these shortcuts"],
});

const ON_THE_BAR = 4;
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** What stands around every screen. */
export function Shell() {
  const t = useTexts(TEXTS);
  const { env, may } = useSession();
  const spoken = useStore(language);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const main = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const screens = SCREENS.filter((one) => !one.scope || may(one.scope));

  useEffect(() => {
    if (wasReloaded()) toast(t("reloaded"));
  }, []);

  const first = useRef(true);
  useEffect(() => {
    setDrawer(false);
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);

  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPalette((open) => !open);
      } else if (event.altKey && /^Digit[1-9]$/.test(event.code)) {
        const there = screens[Number(event.code.slice(5)) - 1];
        if (there) {
          event.preventDefault();
          void navigate({ to: there.routes[0]!.path });
        }
      } else if (event.key === "?" && !isTyping(event.target)) {
        setHelp(true);
      } else if (event.key === "/" && !isTyping(event.target)) {
        const field = main.current?.querySelector<HTMLElement>("input[type=search]");
        if (!field) return;
        event.preventDefault();
        field.focus();
      }
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [screens.length]);

  const links = (some: typeof screens) =>
    some.map((one) => (
      <li key={one.name}>
        <Link to={one.routes[0]!.path} activeOptions={{ exact: one.routes[0]!.path === "/" }} className="place">
          <Icon name={one.icon} />
          <span>{one.label[spoken === "en" ? 1 : 0]}</span>
        </Link>
      </li>
    ));

  return (
    <div className="shell" data-env={env}>
      <a className="skip" href="#main">
        {t("skip")}
      </a>
      <aside>
        <div className="who">
          <img src={mark} alt="" width="26" height="26" />
          <EnvSwitch />
        </div>
        <button type="button" className="button find" aria-label={t("search")} onClick={() => setPalette(true)}>
          <Icon name="search" size={17} />
          <span>{t("search")}</span>
          <kbd>{/Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K"}</kbd>
        </button>
        <nav aria-label={t("menu")} className="side">
          <ul>{links(screens)}</ul>
        </nav>
        <AccountMenu help={() => setHelp(true)} />
      </aside>
      <div className="stage">
        {env === "test" && (
          <aside aria-label={t("env")} className="strip">
            {t("inTest")}
          </aside>
        )}
        <Banner />
        <main id="main" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <nav aria-label={t("menu")} className="bar">
        <ul>
          {links(screens.slice(0, ON_THE_BAR))}
          {screens.length > ON_THE_BAR && (
            <li>
              <button type="button" className="place" onClick={() => setDrawer(true)}>
                <Icon name="more" />
                <span>{t("more")}</span>
              </button>
            </li>
          )}
          {screens.length <= ON_THE_BAR && (
            <li>
              <button type="button" className="place" onClick={() => setPalette(true)}>
                <Icon name="search" />
                <span>{t("search").split(" ")[0]}</span>
              </button>
            </li>
          )}
        </ul>
      </nav>
      {drawer && (
        <Dialog title={t("menu")} close={() => setDrawer(false)}>
          <nav aria-label={t("more")} className="drawer">
            <ul>{links(screens)}</ul>
          </nav>
        </Dialog>
      )}
      {palette && <Palette close={() => setPalette(false)} />}
      {help && <Shortcuts close={() => setHelp(false)} />}
    </div>
  );
}

function EnvSwitch() {
  const t = useTexts(TEXTS);
  const { env, organization } = useSession();
  const move = async (to: Env) => {
    if (to === env) return;
    const why = await switchTo(to);
    toast(why === null ? t("switched", { env: t(to) }) : t("notSwitched", { why }));
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button bare env">
        <span>
          <b>{organization.nome}</b>
          <small>{t(env)}</small>
        </span>
        <Icon name="down" size={16} />
      </Menu.Trigger>
        <Menu.Content className="menu" align="start" sideOffset={4}>
          <Menu.Label className="label">{t("env")}</Menu.Label>
          <Menu.RadioGroup value={env} onValueChange={(to) => void move(to as Env)}>
            {(["live", "test"] as const).map((one) => (
              <Menu.RadioItem key={one} value={one}>
                {t(one)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Content>
    </Menu.Root>
  );
}

function AccountMenu({ help }: { help: () => void }) {
  const t = useTexts(TEXTS);
  const { account } = useSession();
  const spoken = useStore(language);
  const painted = useStore(theme);
  const leave = async () => {
    forgetDrafts();
    await logOut();
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button bare account" aria-label={t("account", { name: account.name })}>
        <span className="avatar" aria-hidden="true">
          {initials(account.name)}
        </span>
        <span>
          <b>{account.name}</b>
          <small>{words(account.role)}</small>
        </span>
      </Menu.Trigger>
        <Menu.Content className="menu" align="start" side="top" sideOffset={6}>
          <Menu.Label className="label">{t("language")}</Menu.Label>
          <Menu.RadioGroup value={spoken} onValueChange={(one) => speak(one as Language)}>
            <Menu.RadioItem value="pt-BR" lang="pt-BR">
              Português
            </Menu.RadioItem>
            <Menu.RadioItem value="en" lang="en">
              English
            </Menu.RadioItem>
          </Menu.RadioGroup>
          <Menu.Label className="label">{t("theme")}</Menu.Label>
          <Menu.RadioGroup value={painted} onValueChange={(one) => paint(one as Theme)}>
            {(["system", "light", "dark"] as const).map((one) => (
              <Menu.RadioItem key={one} value={one}>
                {t(one)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator />
          <Menu.Item onSelect={help}>{t("keys")}</Menu.Item>
          <Menu.Item onSelect={() => void leave()}>
            <Icon name="out" size={17} /> {t("logOut")}
          </Menu.Item>
        </Menu.Content>
    </Menu.Root>
  );
}

/** How the service can be reached, where that is worth a word. */
function Banner() {
  const t = useTexts(TEXTS);
  const { offline, waitUntil, live } = useStore(connection);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (live !== "lost") return setLate(false);
    const timer = setTimeout(() => setLate(true), 3000); // a blink is not worth it
    return () => clearTimeout(timer);
  }, [live]);
  const text = offline ? t("offline") : waitUntil ? t("waiting") : late ? t("lost") : "";
  return (
    <div role="status" className="banner">
      {text && (
        <p className={`notice ${offline ? "bad" : ""}`}>
          <Icon name={offline ? "offline" : "clock"} size={17} /> {text}
        </p>
      )}
    </div>
  );
}

function Shortcuts({ close }: { close: () => void }) {
  const t = useTexts(TEXTS);
  const keys: [string, string][] = [
    ["Ctrl / ⌘ K", t("keyPalette")],
    ["Alt 1…9", t("keyScreen")],
    ["/", t("search")],
    ["↑ ↓ j k", t("keyRows")],
    ["?", t("keyHelp")],
  ];
  return (
    <Dialog title={t("keys")} close={close}>
      <dl className="facts">
        {keys.map(([key, text]) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
