// Questions to the gateway. The key is private to this object: it is written nowhere.

/** Why something was not answered. `scope`: the one that the key lacks. */
export class Refusal extends Error {
  constructor(message, { code = "UNKNOWN", scope = null, retryAfter = null } = {}) {
    super(message);
    this.code = code;
    this.scope = scope;
    this.retryAfter = retryAfter;
  }
}

export class Gateway {
  #key;
  #onUnknownKey;

  /** `onUnknownKey` is told when the service does not, or no longer, know the key. */
  constructor(key, onUnknownKey) {
    this.#key = key;
    this.#onUnknownKey = onUnknownKey;
  }

  /** What a connection over WebSocket introduces itself with. */
  get introduction() {
    return { Authorization: `Bearer ${this.#key}` };
  }

  /** Whatever it still hears is of no interest. */
  close() {
    this.#key = "";
    this.#onUnknownKey = () => {};
  }

  unknownKey(message) {
    this.#onUnknownKey(new Refusal(message, { code: "UNAUTHORIZED" }));
  }

  /** The one root field of a query, or a Refusal that says why it is null. */
  async ask(query, variables = {}) {
    const response = await this.#post({ query, variables });
    const content = await response.json().catch(() => ({}));
    if (response.status === 401) {
      this.unknownKey(content.detail);
      throw new Refusal(content.detail, { code: "UNAUTHORIZED" });
    }
    if (!content.data) throw refusal(content.errors?.[0], content, response);
    const [root] = Object.keys(content.data);
    const own = content.errors?.find((error) => error.path?.length === 1);
    if (content.data[root] === null && own) throw refusal(own, content, response);
    return content.data[root];
  }

  async #post(body) {
    const headers = { "Content-Type": "application/json", ...this.introduction };
    try {
      return await fetch("/graphql", { method: "POST", headers, body: JSON.stringify(body), credentials: "omit" });
    } catch {
      throw new Refusal("The service does not answer.", { code: "OFFLINE" });
    }
  }
}

function refusal(error, content, response) {
  const facts = error?.extensions ?? {};
  return new Refusal(error?.message ?? content.detail ?? `The service answered ${response.status}.`, {
    code: facts.code ?? content.code,
    scope: facts.meta?.escopoExigido ?? null,
    retryAfter: Number(response.headers.get("Retry-After")) || null,
  });
}

/** What a person is told, as `[title, sentence]`. */
export function explained(error) {
  if (error.scope) return ["Not with this key", `It lacks the scope ${error.scope}.`];
  if (error.code === "FORBIDDEN") return ["Not with this key", error.message];
  if (error.code === "OFFLINE") return ["No connection", "The service does not answer. Try again in a moment."];
  if (error.code === "RATE_LIMITED") return ["Too many questions at once", "Wait a moment, then try again."];
  if (error.code === "SERVICE_UNAVAILABLE") return ["The service is busy", "Try again in a moment."];
  if (error instanceof Refusal) return ["This could not be shown", error.message];
  return ["This could not be shown", "The page met something that it does not understand."];
}
