import { useSearch } from "@tanstack/react-router";
import { useSession } from "../../gateway/session";
import { Tabs } from "../../ui/asking";
import { useTexts } from "../../ui/language";
import { Decisions } from "./Decisions";
import { Keys } from "./Keys";
import { TEXTS } from "./texts";
import { Webhooks } from "./Webhooks";
import "./developer.css";

export function Developer() {
  const t = useTexts(TEXTS);
  const { may } = useSession();
  const { aba } = useSearch({ strict: false }) as { aba?: string };
  const all = [
    ...(may("keys:manage") ? [{ key: "chaves", label: t("keys") }] : []),
    ...(may("webhooks:read") ? [{ key: "webhooks", label: t("webhooks") }] : []),
    { key: "decisoes", label: t("decisions") },
  ];
  const open = all.find((one) => one.key === aba)?.key ?? all[0]!.key;
  const tabs = <Tabs label={t("parts")} to="/desenvolvedor" open={open} all={all} />;
  if (open === "chaves") return <Keys tabs={tabs} />;
  if (open === "webhooks") return <Webhooks tabs={tabs} />;
  return <Decisions tabs={tabs} />;
}
