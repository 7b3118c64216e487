import { State } from "../ui/states";
import { texts, useTexts } from "../ui/language";

const TEXTS = texts({
  title: ["Esta tela parou", "This screen stopped"],
  sentence: [
    "Algo nela falhou no seu navegador. O resto do console continua; o que você digitou em outras telas está guardado.",
    "Something in it failed in your browser. The rest of the console works; what you typed on other screens is kept.",
  ],
  again: ["Abrir de novo", "Open it again"],
});

export function Broken({ error, reset }: { error: unknown; reset?: () => void }) {
  const t = useTexts(TEXTS);
  return (
    <div role="alert">
      <State icon="alert" title={t("title")}>
        <p>{t("sentence")}</p>
        <p className="id">{error instanceof Error ? error.message : String(error)}</p>
        <button type="button" className="button" onClick={() => (reset ? reset() : location.reload())}>
          {t("again")}
        </button>
      </State>
    </div>
  );
}
