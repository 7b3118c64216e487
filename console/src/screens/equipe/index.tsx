import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../../gateway/session";
import { Tabs } from "../../ui/asking";
import { useTexts } from "../../ui/language";
import { Audit } from "./Audit";
import { Numbers } from "./Numbers";
import { People } from "./People";
import { Rules } from "./Rules";
import { Senders } from "./Senders";
import { Templates } from "./Templates";
import { TEXTS } from "./texts";
import "./team.css";

type Part = (props: { tabs: ReactNode }) => ReactNode;

/** The parts of the screen: which scope each needs, and what it is. */
const PARTS: { key: string; label: "people" | "senders" | "numbers" | "templates" | "rules" | "audit"; scope: string; part: Part }[] = [
  { key: "pessoas", label: "people", scope: "accounts:manage", part: People },
  { key: "remetentes", label: "senders", scope: "email:read", part: Senders },
  { key: "numeros", label: "numbers", scope: "numbers:read", part: Numbers },
  { key: "templates", label: "templates", scope: "templates:read", part: Templates },
  { key: "regras", label: "rules", scope: "contacts:read", part: Rules },
  { key: "auditoria", label: "audit", scope: "audit:read", part: Audit },
];

export function Team() {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const { aba } = useSearch({ strict: false }) as { aba?: string };
  const all = PARTS.filter((one) => may(one.scope)).map((one) => ({ ...one, label: t(one.label) }));
  const open = all.find((one) => one.key === aba) ?? all[0]!;
  return <open.part key={open.key} tabs={<Tabs label={t("parts")} to="/equipe" open={open.key} all={all} />} />;
}
