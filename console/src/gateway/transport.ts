// One way to the gateway: CSRF token, registered documents, waiting, and a session that is over.

import { language } from "../ui/language";
import { gapEnded, connection, tell } from "./connection";
import { isOpen, renew, session } from "./session";

const TRIES = 4;
const LONGEST_WAIT = 60;
const DOWN = new Set([502, 503, 504]);

const hashes = new Map<string, Promise<string>>();

/** The name by which the service knows a document: `documents.json` of the build has them all. */
function hashOf(document: string): Promise<string> {
  let known = hashes.get(document);
  if (!known) {
    known = crypto.subtle
      .digest("SHA-256", new TextEncoder().encode(document))
      .then((bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    hashes.set(document, known);
  }
  return known;
}

/** Who works where. */
function who(): string | null {
  const state = session.get();
  return isOpen(state) ? `${state.account.id} ${state.env}` : null;
}

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/** `fetch` for urql. */
export async function fetchGateway(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { query, variables, operationName } = JSON.parse(String(init.body)) as Record<string, string>;
  const reads = !query!.startsWith("mutation");
  const persistedQuery = { version: 1, sha256Hash: await hashOf(query!) };
  const begun = who();
  let known = true;
  let renewed = false;

  for (let tried = 1; ; tried += 1) {
    const state = session.get();
    if (who() !== begun) throw new Error("another session is open by now"); // what was begun in the test is not done in production
    const body = { ...(!known && { query }), operationName, variables, extensions: { persistedQuery } };
    let response: Response;
    try {
      response = await fetch(input, {
        ...init,
        body: JSON.stringify(body),
        credentials: "same-origin",
        headers: {
          ...(init.headers as Record<string, string>),
          "Accept-Language": language.get(),
          "X-CSRF-Token": isOpen(state) ? state.csrfToken : "",
        },
      });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      tell({ offline: true });
      if (!reads || tried >= TRIES) throw error;
      await pause(tried);
      continue;
    }
    if (DOWN.has(response.status) && reads && tried < TRIES) {
      await pause(tried);
      continue;
    }
    if (connection.get().offline) {
      tell({ offline: false });
      gapEnded();
    }
    if (response.status === 429 && tried < TRIES) {
      await waited(response);
      continue;
    }
    if (response.ok || response.status === 400) {
      const text = await response.text();
      if (known && text.includes('"PERSISTED_QUERY_NOT_FOUND"')) {
        known = false; // the service is of another version
        continue;
      }
      return new Response(text, { status: response.status, headers: response.headers });
    }
    if (response.status === 401) session.set("over");
    if (response.status === 403 && !renewed) {
      const content = await response.clone().json().catch(() => null);
      renewed = true;
      if (content?.meta?.code === "CSRF_INVALIDO" && (await renew())) continue;
    }
    return response;
  }
}

/** 429 is no failure: it is told as waiting, and asked again. */
async function waited(response: Response): Promise<void> {
  const seconds = Math.min(Number(response.headers.get("Retry-After")) || 1, LONGEST_WAIT);
  tell({ waitUntil: Date.now() + seconds * 1000 });
  await pause(seconds);
  tell({ waitUntil: null });
}
