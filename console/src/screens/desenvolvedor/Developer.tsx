import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../../gateway/session";
import { Tabs } from "../../ui/asking";
import { useTexts } from "../../ui/language";
import { SandboxClock } from "./Clock";
import { Decisions } from "./Decisions";
import { Keys } from "./Keys";
import { Signature } from "./Signature";
import { Smpp } from "./Smpp";
import { TEXTS } from "./texts";
import { Webhooks } from "./Webhooks";
import "./developer.css";

type Part = (props: { tabs: ReactNode }) => ReactNode;

/** The parts of the screen: which scope each needs, and what it is. */
const PARTS: { key: string; label: "keys" | "webhooks" | "signature" | "decisions" | "smpp" | "clock"; scope: string | null; part: Part; sandbox?: true }[] = [
  { key: "chaves", label: "keys", scope: "keys:manage", part: Keys },
  { key: "webhooks", label: "webhooks", scope: "webhooks:read", part: Webhooks },
  { key: "assinatura", label: "signature", scope: "webhooks:read", part: Signature },
  { key: "decisoes", label: "decisions", scope: null, part: Decisions },
  { key: "smpp", label: "smpp", scope: "keys:manage", part: Smpp },
  { key: "relogio", label: "clock", scope: "messages:read", part: SandboxClock, sandbox: true },
];

export function Developer() {
  const t = useTexts(TEXTS);
  const { may, env } = useSession();
  const { aba } = useSearch({ strict: false }) as { aba?: string };
  const all = PARTS.filter((one) => (!one.scope || may(one.scope)) && (!one.sandbox || env === "test")).map((one) => ({ ...one, label: t(one.label) }));
  const open = all.find((one) => one.key === aba) ?? all[0]!;
  return <open.part key={open.key} tabs={<Tabs label={t("parts")} to="/desenvolvedor" open={open.key} all={all} />} />;
}
