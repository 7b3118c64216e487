import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useRead, useSettled } from "../gateway/read";
import { useSession } from "../gateway/session";
import { useStore } from "../gateway/store";
import { PLACES, SCREENS } from "../screens";
import { Icon, type IconName } from "../ui/Icon";
import { language, speak, texts, useTexts } from "../ui/language";
import { paint } from "../ui/theme";
import { phone, words } from "../ui/format";
import { FIND, OPEN } from "./documents";
import type { Opened } from "./screen";

const TEXTS = texts({
  title: ["Paleta de comandos", "Command palette"],
  hint: ["Tela, nome, telefone ou id…", "Screen, name, phone or id…"],
  nothing: ["Nada com este texto.", "Nothing with this text."],
  toEn: ["Mudar para inglês", "Change to English"],
  toPt: ["Mudar para português", "Change to Portuguese"],
  light: ["Aparência clara", "Light appearance"],
  dark: ["Aparência escura", "Dark appearance"],
  contact: ["Contato", "Contact"],
  screen: ["Tela", "Screen"],
  command: ["Comando", "Command"],
});

const ID = /^[a-z]{2,5}_\w{8,}$/;

interface Choice {
  key: string;
  icon: IconName;
  text: string;
  kind: string;
  take: () => void;
}

/** Everything by keyboard: screens, people, ids of any record, and settings. */
export function Palette({ close }: { close: () => void }) {
  const t = useTexts(TEXTS);
  const spoken = useStore(language);
  const { may } = useSession();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const asked = useSettled(text.trim(), 200);
  const isId = ID.test(asked);
  const found = useRead(FIND, { q: asked }, { pause: asked.length < 2 || isId || !may("contacts:read") });
  const record = useRead(OPEN, { id: asked }, { pause: !isId });

  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => setAt(0), [text]);

  const go = (to: Opened) => () => void navigate({ to });
  const plain = (value: string) => value.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  const fits = (value: string) => plain(value).includes(plain(text.trim()));
  const settings: Choice[] = [
    { key: "tongue", icon: "chat", text: t(spoken === "en" ? "toPt" : "toEn"), kind: t("command"), take: () => speak(spoken === "en" ? "pt-BR" : "en") },
    { key: "light", icon: "star", text: t("light"), kind: t("command"), take: () => paint("light") },
    { key: "dark", icon: "star", text: t("dark"), kind: t("command"), take: () => paint("dark") },
  ];
  const node = record.state === "there" ? record.data.node : null;
  const place = node && PLACES[node.__typename];
  const people = found.state === "there" && asked === text.trim() && asked.length > 1 && !isId ? (found.data.contacts?.nodes ?? []) : [];
  const choices: Choice[] = [
    ...(node && place ? [{ key: node.id, icon: "link" as const, text: node.id, kind: words(node.__typename), take: go(place(node.id)) }] : []),
    ...SCREENS.filter((one) => !one.scope || may(one.scope))
      .filter((one) => one.label.some(fits))
      .map((one) => ({ key: one.name, icon: one.icon, text: one.label[spoken === "en" ? 1 : 0]!, kind: t("screen"), take: go(one.routes[0]!.path) })),
    ...people.map((one) => ({ key: one.id, icon: "people" as const, text: one.name ?? phone(one.phone), kind: t("contact"), take: go(PLACES["Contact"]!(one.id)) })),
    ...settings.filter((one) => fits(one.text)),
  ];

  const take = (one: Choice | undefined) => {
    if (!one) return;
    close();
    one.take();
  };
  const pressed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((before) => (before + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      take(choices[at]);
    }
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t("title")}
      onCancel={(event) => (event.preventDefault(), close())}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={choices[at] ? `${list}-${at}` : undefined}
        aria-label={t("hint")}
        placeholder={t("hint")}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      <ul role="listbox" id={list} aria-label={t("title")}>
        {choices.map((one, index) => (
          <li key={one.key} id={`${list}-${index}`} role="option" aria-selected={index === at} onClick={() => take(one)} onPointerMove={() => setAt(index)}>
            <Icon name={one.icon} size={18} />
            <span>{one.text}</span>
            <span className="quiet">{one.kind}</span>
          </li>
        ))}
      </ul>
      {!choices.length && found.state !== "loading" && <p className="quiet">{t("nothing")}</p>}
    </dialog>
  );
}
