import { type FormEvent, useEffect, useRef, useState } from "react";
import mark from "../mark.svg";
import { askForPassword, type Env, logIn, type LogInRefusal, session, type SessionState, start } from "../gateway/session";
import { forgetDrafts } from "../ui/memory";
import { language, speak, texts, useTexts } from "../ui/language";
import { Field } from "../ui/parts";
import "./login.css";

const TEXTS = texts({
  title: ["Entrar no console", "Log in to the console"],
  lead: ["Mensagens, contatos e negócios da sua empresa.", "Messages, contacts and deals of your company."],
  email: ["E-mail", "E-mail"],
  password: ["Senha", "Password"],
  code: ["Código do segundo fator", "Code of the second factor"],
  codeHint: ["Os seis dígitos do aplicativo, ou um código de recuperação.", "The six digits of your app, or a recovery code."],
  organization: ["Organização", "Organization"],
  env: ["Ambiente", "Environment"],
  live: ["Produção", "Live"],
  test: ["Teste", "Test"],
  send: ["Entrar", "Log in"],
  sending: ["Entrando…", "Logging in…"],
  forgot: ["Esqueci a senha", "Forgot the password"],
  whose: ["Escreva o seu e-mail, e peça de novo.", "Write your e-mail address, and ask again."],
  sentTo: [
    "Se {email} entra aqui, um link para uma nova senha está a caminho; ele vale uma hora. Se não chegar, fale com quem opera o serviço.",
    "If {email} logs in here, a link to a new password is on its way; it works for an hour. If it does not arrive, ask whoever runs the service.",
  ],
  fill: ["Preencha e-mail e senha.", "Fill in e-mail and password."],
  wrong: ["E-mail e senha não conferem. Verifique os dois.", "E-mail and password do not fit. Check both."],
  wrongCode: ["O código não confere, ou já foi usado. Espere o próximo.", "The code does not fit, or was used already. Wait for the next one."],
  askCode: ["Digite o código do segundo fator.", "Enter the code of the second factor."],
  which: ["Você trabalha para várias organizações: escolha uma.", "You work for several organizations: choose one."],
  locked: ["Foram muitas tentativas. Entre de novo em {minutes} min.", "Too many tries. Log in again in {minutes} min."],
  offline: ["O serviço não responde. Tente de novo em instantes.", "The service does not answer. Try again in a moment."],
  over: ["Sua sessão terminou. Entre de novo: você volta a esta tela.", "Your session is over. Log in again: you come back to this screen."],
  moved: ["Outra aba passou para outro ambiente.", "Another tab moved to another environment."],
  goOn: ["Continuar nesse ambiente", "Go on in that environment"],
  again: ["Tentar de novo", "Try again"],
  tongue: ["English", "Português"],
});

/** The way in, also after a session is over. */
export function LogIn({ after }: { after: SessionState }) {
  const t = useTexts(TEXTS);
  const [busy, setBusy] = useState(false);
  const [env, setEnv] = useState<Env>("live");
  const [refusal, setRefusal] = useState<LogInRefusal | "empty" | "whose" | null>(null);
  const [sentTo, setSentTo] = useState("");
  const [asksCode, setAsksCode] = useState(false);
  const [organizations, setOrganizations] = useState<{ id: string; nome: string }[]>([]);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    document.title = `${t("title")} – SVC`;
    form.current?.querySelector("input")?.focus();
  }, []);

  useEffect(() => {
    const fields: Partial<Record<LogInRefusal["why"], string>> = { organization: "organizationId", code: "code", password: "password" };
    const name = typeof refusal === "object" && refusal ? fields[refusal.why] : refusal === "whose" ? "email" : undefined;
    if (name) (form.current?.elements.namedItem(name) as HTMLElement | null)?.focus();
  }, [refusal]);

  useEffect(() => {
    import("../screens/inicio").catch(() => {}); // what most often follows is fetched while somebody types
  }, []);

  async function forgot() {
    const email = String(new FormData(form.current!).get("email") ?? "").trim();
    setSentTo("");
    if (!email) return setRefusal("whose");
    setBusy(true);
    const why = await askForPassword(email);
    setBusy(false);
    setRefusal(why);
    if (!why) setSentTo(email);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    if (!text("email") || !given.get("password")) return setRefusal("empty");
    setBusy(true);
    setSentTo("");
    const why = await logIn({
      email: text("email"),
      password: String(given.get("password")),
      env,
      ...(text("code") && { code: text("code") }),
      ...(text("organizationId") && { organizationId: text("organizationId") }),
    });
    setBusy(false);
    if (why?.why === "code") setAsksCode(true);
    if (why?.why === "organization") setOrganizations(why.organizations);
    setRefusal(why);
  }

  if (after === "unreachable" || after === "moved") {
    return (
      <main className="gate">
        <section>
          <img src={mark} alt="" width="40" height="40" />
          <p role="alert" className="notice">
            {t(after === "moved" ? "moved" : "offline")}
          </p>
          <button
            type="button"
            className="button main"
            onClick={() => {
              session.set("starting");
              void start();
            }}
          >
            {t(after === "moved" ? "goOn" : "again")}
          </button>
        </section>
      </main>
    );
  }
  const said = refusal === "empty" ? t("fill") : refusal === "whose" ? t("whose") : refusal ? sentenceOf(refusal, t) : sentTo ? t("sentTo", { email: sentTo }) : after === "over" ? t("over") : "";
  return (
    <main className="gate">
      <section>
        <img src={mark} alt="" width="40" height="40" />
        <div>
          <h1>{t("title")}</h1>
          <p className="quiet">{t("lead")}</p>
        </div>
        <form ref={form} className="form" noValidate onSubmit={submit}>
          <p role="alert" className={said ? `notice ${refusal ? "bad" : "blue"}` : "unseen"}>
            {said}
          </p>
          <Field label={t("email")}>
            {(props) => <input {...props} name="email" type="email" autoComplete="username" required />}
          </Field>
          <Field label={t("password")}>
            {(props) => <input {...props} name="password" type="password" autoComplete="current-password" required />}
          </Field>
          {organizations.length > 0 && (
            <Field label={t("organization")}>
              {(props) => (
                <select {...props} name="organizationId">
                  {organizations.map(({ id, nome }) => (
                    <option key={id} value={id}>
                      {nome}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {asksCode && (
            <Field label={t("code")} hint={t("codeHint")}>
              {(props) => <input {...props} name="code" autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} maxLength={20} />}
            </Field>
          )}
          <fieldset className="choice">
            <legend className="label">{t("env")}</legend>
            {(["live", "test"] as const).map((one) => (
              <label key={one}>
                <input type="radio" name="env" value={one} checked={env === one} onChange={() => setEnv(one)} />
                <span>{t(one)}</span>
              </label>
            ))}
          </fieldset>
          <button type="submit" className="button main" disabled={busy} onClick={forgetDraftsOfOthers(after)}>
            {t(busy ? "sending" : "send")}
          </button>
          <button type="button" className="link" disabled={busy} onClick={() => void forgot()}>
            {t("forgot")}
          </button>
        </form>
        <button type="button" className="link tongue" lang={language.get() === "en" ? "pt-BR" : "en"} onClick={() => speak(language.get() === "en" ? "pt-BR" : "en")}>
          {t("tongue")}
        </button>
      </section>
    </main>
  );
}

/** Drafts outlive a session that is over; whoever begins anew begins with none. */
const forgetDraftsOfOthers = (after: SessionState) => () => {
  if (after === "out") forgetDrafts();
};

function sentenceOf(refusal: LogInRefusal, t: (name: keyof typeof TEXTS & string, values?: Record<string, number>) => string): string {
  switch (refusal.why) {
    case "organization":
      return t("which");
    case "code":
      return t(refusal.wrong ? "wrongCode" : "askCode");
    case "password":
      return t("wrong");
    case "locked":
      return t("locked", { minutes: refusal.minutes });
    case "offline":
      return t("offline");
    case "other":
      return refusal.sentence;
  }
}
