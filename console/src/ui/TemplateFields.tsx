import { filled, type TemplatePart } from "./template";
import { texts, useTexts } from "./language";
import { Field } from "./parts";
import "./asking.css";

const TEXTS = texts({
  variable: ["Texto {number}", "Text {number}"],
  variableOf: ["Texto {number} do botão", "Text {number} of the button"],
  variableHead: ["Texto {number} do título", "Text {number} of the heading"],
  preview: ["Como a pessoa vê", "As the person sees it"],
});

export interface Fillable {
  components: readonly TemplatePart[];
  variaveis: readonly { componente: string; indice: number; exemplo: string }[];
}

/** What a template is filled with, and what comes of it. */
export function TemplateFields({
  template,
  values,
  change,
  wrong = () => undefined,
}: {
  template: Fillable;
  values: readonly string[];
  change: (values: string[]) => void;
  wrong?: (at: number) => string | undefined;
}) {
  const t = useTexts(TEXTS);
  return (
    <>
      {template.variaveis.length > 0 && (
        <div className="filling">
          {template.variaveis.map((one, at) => (
            <Field
              key={at}
              label={t(one.componente === "BUTTONS" ? "variableOf" : one.componente === "HEADER" ? "variableHead" : "variable", { number: one.indice })}
              wrong={wrong(at)}
            >
              {(props) => (
                <input
                  {...props}
                  required
                  placeholder={one.exemplo}
                  value={values[at] ?? ""}
                  onChange={(event) => change(template.variaveis.map((_, other) => (other === at ? event.target.value : (values[other] ?? ""))))}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      <figure className="bubble template-preview" aria-label={t("preview")}>
        {filled(template.components, values).map((one, at) => (
          <p key={at} className={`part-${one.type.toLowerCase()}`}>
            {one.text}
          </p>
        ))}
      </figure>
    </>
  );
}
