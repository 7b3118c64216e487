import { type FormEvent, type ReactNode, useState } from "react";
import { useRead } from "../../gateway/read";
import { atMoment, joined, number } from "../../ui/format";
import { useTexts } from "../../ui/language";
import { useDraft } from "../../ui/memory";
import { Field, ScreenHead } from "../../ui/parts";
import { Shown } from "../../ui/states";
import { SIGNATURE } from "./documents";
import { TEXTS } from "./texts";

/** Headers as a server logs them: a line each, or one object of JSON. */
function headersOf(text: string): Record<string, string> {
  const bare = text.trim();
  if (bare.startsWith("{")) {
    try {
      return Object.fromEntries(Object.entries(JSON.parse(bare) as object).map(([name, value]) => [name, String(value)]));
    } catch {
      // Then it is read line by line.
    }
  }
  return Object.fromEntries(
    bare.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(":", 1);
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
}

type Own = "none" | "fits" | "spaces" | "other";

/** Whether the receiver's own secret makes the signature. It is tried in this page, and sent nowhere. */
async function tryOwn(secret: string, headers: Record<string, string>, body: string): Promise<Own> {
  const signature = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-svc-signature")?.[1];
  if (!secret || !signature) return "none";
  const parts = signature.split(",").map((one) => one.trim().split("="));
  const at = parts.find(([name]) => name === "t")?.[1] ?? "";
  const makes = async (text: string) => {
    const bytes = (one: string) => new TextEncoder().encode(one);
    const key = await crypto.subtle.importKey("raw", bytes(text), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const made = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(`${at}.${body}`)));
    const hex = [...made].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return parts.some(([name, value]) => name === "v1" && value === hex);
  };
  if (await makes(secret)) return "fits";
  const bare = secret.trim();
  return bare !== secret && bare && (await makes(bare)) ? "spaces" : "other";
}

/** What is wrong with a signature that somebody's server refused. */
export function Signature({ tabs }: { tabs: ReactNode }) {
  const t = useTexts(TEXTS);
  const [fields, setFields] = useDraft("developer.signature", { headers: "", body: "" });
  const [secret, setSecret] = useState("");
  const [asked, setAsked] = useState<{ headers: Record<string, string>; body: string } | null>(null);
  const [own, setOwn] = useState<Own>("none");
  const read = useRead(SIGNATURE, { input: asked ?? { headers: {}, body: "" } }, { pause: !asked });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const headers = headersOf(fields.headers);
    setOwn(await tryOwn(secret, headers, fields.body));
    setAsked({ headers, body: fields.body });
  }
  return (
    <div className="screen">
      <ScreenHead title={t("title")} />
      {tabs}
      <div className="halves">
        <section className="card" aria-labelledby="signature">
          <header>
            <h2 id="signature">{t("signatureTitle")}</h2>
          </header>
          <form className="inside form" onSubmit={(event) => void submit(event)}>
            <Field label={t("receivedHeaders")} hint={t("receivedHeadersHint")}>
              {(props) => <textarea {...props} className="code" rows={5} required spellCheck={false} value={fields.headers} onChange={(event) => setFields({ ...fields, headers: event.target.value })} />}
            </Field>
            <Field label={t("receivedBody")} hint={t("receivedBodyHint")}>
              {(props) => <textarea {...props} className="code" rows={6} spellCheck={false} value={fields.body} onChange={(event) => setFields({ ...fields, body: event.target.value })} />}
            </Field>
            <Field label={t("bodyFile")} hint={t("bodyFileHint")}>
              {(props) => (
                <input
                  {...props}
                  type="file"
                  onChange={(event) => void event.target.files?.[0]?.text().then((body) => setFields({ ...fields, body }))}
                />
              )}
            </Field>
            <Field label={t("ownSecret")} hint={t("ownSecretHint")}>
              {(props) => <input {...props} type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />}
            </Field>
            <div className="row end">
              <button type="submit" className="button main">{t("examine")}</button>
            </div>
          </form>
        </section>
        <section className="card" aria-labelledby="verdict" aria-live="polite">
          <header>
            <h2 id="verdict">{t("verdict")}</h2>
          </header>
          <div className="inside form">
            {asked ? (
              <Shown of={read}>
                {({ webhookSignature: found }) =>
                  found && (
                    <>
                      <p className={found.ok ? "verdict" : "verdict bad"}>{t(found.ok ? "signatureFits" : found.failingStep!)}</p>
                      {!found.ok && <p>{found.message}</p>}
                      {own !== "none" && <p className={own === "fits" ? "verdict" : "verdict bad"}>{t(`own_${own}`)}</p>}
                      <dl className="facts">
                        <dt>{t("webhook")}</dt>
                        <dd>{found.subscription?.url ?? found.subscriptionId ?? "–"}</dd>
                        {found.secretVersion !== null && (
                          <>
                            <dt>{t("secretVersion")}</dt>
                            <dd>{number(found.secretVersion)}</dd>
                          </>
                        )}
                        {found.signedAt && (
                          <>
                            <dt>{t("signedAt")}</dt>
                            <dd>{atMoment(found.signedAt)}</dd>
                          </>
                        )}
                        <dt>{t("body")}</dt>
                        <dd>{joined(t("bytes", { count: number(found.bodyBytes) }))}</dd>
                      </dl>
                    </>
                  )
                }
              </Shown>
            ) : (
              <p className="quiet">{t("signatureNote")}</p>
            )}
          </div>
        </section>
      </div>
    </div>
  );
}
