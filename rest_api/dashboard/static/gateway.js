// Questions to the gateway.

import { language, t } from "./texts.js";

/** Why something was not answered. `scope`: the one that the credential lacks. */
export class Refusal extends Error {
  constructor(message, { code = "UNKNOWN", scope = null, retryAfter = null } = {}) {
    super(message);
    this.code = code;
    this.scope = scope;
    this.retryAfter = retryAfter;
  }
}

/** What the gateway is asked with by somebody who has a key. It is private to this object: it is written nowhere. */
export class KeyCredential {
  mode = "omit";
  name = null;
  #key;

  constructor(key) {
    this.#key = key;
  }

  get headers() {
    return { Authorization: `Bearer ${this.#key}` };
  }

  async renew() {
    return false;
  }

  async end() {
    this.#key = "";
    return true;
  }
}

export class Gateway {
  #credential;
  #onUnknown;

  /** `onUnknown` is told when the service does not, or no longer, know the credential. */
  constructor(credential, onUnknown) {
    this.#credential = credential;
    this.#onUnknown = onUnknown;
  }

  /** What a connection over WebSocket introduces itself with. */
  get introduction() {
    return this.#credential.headers;
  }

  /** Whatever it still hears is of no interest. */
  close() {
    this.#onUnknown = () => {};
  }

  /** The service refused a connection: whether another one is worth a try. */
  async renewed(message) {
    if (await this.#credential.renew()) return true;
    this.#unknown(message);
    return false;
  }

  /** The one root field of a query, or a Refusal that says why it is null. */
  async ask(query, variables = {}) {
    let [response, content] = await this.#post({ query, variables });
    if (isOfAnother(content) && (await this.#credential.renew())) {
      [response, content] = await this.#post({ query, variables });
    }
    if (response.status === 401 || isOfAnother(content)) {
      this.#unknown(content.detail);
      throw new Refusal(content.detail, { code: "UNAUTHORIZED" });
    }
    if (!content.data) throw refusal(content.errors?.[0], content, response);
    const [root] = Object.keys(content.data);
    const own = content.errors?.find((error) => error.path?.length === 1);
    if (content.data[root] === null && own) throw refusal(own, content, response);
    return content.data[root];
  }

  #unknown(message) {
    this.#onUnknown(new Refusal(message, { code: "UNAUTHORIZED" }));
  }

  async #post(body) {
    const { headers, mode } = this.#credential;
    try {
      const response = await fetch("/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Accept-Language": language, ...headers },
        body: JSON.stringify(body),
        credentials: mode,
      });
      return [response, await response.json().catch(() => ({}))];
    } catch {
      throw new Refusal(t("The service does not answer."), { code: "OFFLINE" });
    }
  }
}

/** The CSRF token is not of the session that the cookie has now. */
const isOfAnother = (content) => content.meta?.code === "CSRF_INVALIDO";

function refusal(error, content, response) {
  const facts = error?.extensions ?? {};
  const message = error?.message ?? content.detail ?? t("The service answered {status}.", { status: response.status });
  return new Refusal(message, {
    code: facts.code ?? content.code,
    scope: facts.meta?.escopoExigido ?? null,
    retryAfter: Number(response.headers.get("Retry-After")) || null,
  });
}

/** What a person is told, as `[title, sentence]`. */
export function explained(error) {
  if (error.scope) return [t("Not allowed here"), t("The scope {scope} is missing.", { scope: error.scope })];
  if (error.code === "FORBIDDEN") return [t("Not allowed here"), error.message];
  if (error.code === "OFFLINE") return [t("No connection"), t("The service does not answer. Try again in a moment.")];
  if (error.code === "RATE_LIMITED") return [t("Too many questions at once"), t("Wait a moment, then try again.")];
  if (error.code === "SERVICE_UNAVAILABLE") return [t("The service is busy"), t("Try again in a moment.")];
  if (error instanceof Refusal) return [t("This could not be shown"), error.message];
  return [t("This could not be shown"), t("The page met something that it does not understand.")];
}
