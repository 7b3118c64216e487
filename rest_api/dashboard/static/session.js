// The session of the browser: scripts never see its cookie, only who has logged in and a CSRF token.

import { language } from "./texts.js";

const ADDRESS = "/console/session";

export const whoIsLoggedIn = () => call("GET");
export const logIn = (fields) => call("POST", { body: JSON.stringify(fields) });

/** `{status, content, retryAfter}`; the status is 0 where nobody answers. */
async function call(method, { csrf = null, body } = {}) {
  const headers = { "Accept-Language": language };
  if (body) headers["Content-Type"] = "application/json";
  if (csrf) headers["X-CSRF-Token"] = csrf;
  try {
    const response = await fetch(ADDRESS, { method, headers, body });
    const content = response.status === 204 ? null : await response.json();
    return { status: response.status, content, retryAfter: Number(response.headers.get("Retry-After")) };
  } catch {
    return { status: 0, content: null, retryAfter: 0 };
  }
}

/** What the gateway is asked with by somebody who has logged in. `opened`: what `/console/session` answered. */
export class SessionCredential {
  mode = "same-origin";
  #account;
  #env;
  #csrf;

  constructor({ account, env, csrfToken }) {
    this.#account = account;
    this.#env = env;
    this.#csrf = csrfToken;
  }

  get name() {
    return this.#account.name;
  }

  get headers() {
    return { "X-CSRF-Token": this.#csrf };
  }

  /** Another tab may have logged in anew: whether it is the same person in the same environment. */
  async renew() {
    const { status, content } = await whoIsLoggedIn();
    if (status !== 200 || content.account.id !== this.#account.id || content.env !== this.#env) return false;
    this.#csrf = content.csrfToken;
    return true;
  }

  /** Log out; whether that is done. */
  async end() {
    const { status } = await call("DELETE", { csrf: this.#csrf });
    if (status === 403 && (await this.renew())) return (await call("DELETE", { csrf: this.#csrf })).status === 204;
    return status === 204;
  }
}
