import { useSearch } from "@tanstack/react-router";
import { useSession } from "../../gateway/session";
import { Tabs } from "../../ui/asking";
import { useTexts } from "../../ui/language";
import { Audit } from "./Audit";
import { People } from "./People";
import { TEXTS } from "./texts";
import "./team.css";

export function Team() {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const { aba } = useSearch({ strict: false }) as { aba?: string };
  const all = [{ key: "pessoas", label: t("people") }, ...(may("audit:read") ? [{ key: "auditoria", label: t("audit") }] : [])];
  const open = all.find((one) => one.key === aba)?.key ?? "pessoas";
  const tabs = <Tabs label={t("parts")} to="/equipe" open={open} all={all} />;
  return open === "auditoria" ? <Audit tabs={tabs} /> : <People tabs={tabs} />;
}
