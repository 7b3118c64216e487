import { language } from "../ui/language";
import { Store, useStore } from "./store";

export type Env = "live" | "test";

/** What `/console/session` tells; the cookie itself is read by no script. */
export interface Session {
  account: { id: string; name: string; email: string | null; role: string };
  organization: { id: string; nome: string };
  env: Env;
  scopes: string[];
  csrfToken: string;
}

export interface LogInFields {
  email: string;
  password: string;
  env: Env;
  code?: string;
  organizationId?: string;
}

interface Told {
  status: number;
  content: any;
  retryAfter: number;
}

export type LogInRefusal =
  | { why: "organization"; organizations: { id: string; nome: string }[] }
  | { why: "code"; wrong: boolean }
  | { why: "password" | "offline" }
  | { why: "locked"; minutes: number }
  | { why: "other"; sentence: string };

export type SessionState = "starting" | "out" | "over" | "moved" | "unreachable" | Session;

const ADDRESS = "/console/session";

/** "over": the session ended while it was used; "moved": another tab works in another environment. */
export const session = new Store<SessionState>("starting");

export const isOpen = (state: SessionState): state is Session => typeof state === "object";

export function current(): Session {
  const state = session.get();
  if (!isOpen(state)) throw new Error("nobody is logged in");
  return state;
}

/** Of components inside the shell, where somebody is logged in; during log-out the last one is kept. */
let last: Session | null = null;
export function useSession(): Session & { may: (scope: string) => boolean } {
  const state = useStore(session);
  if (isOpen(state)) last = state;
  if (!last) throw new Error("nobody is logged in");
  const known = last;
  return { ...known, may: (scope) => known.scopes.includes(scope) };
}

async function call(method: string, { csrf, body, address = ADDRESS }: { csrf?: string; body?: object; address?: string } = {}): Promise<Told> {
  const headers: Record<string, string> = { "Accept-Language": language.get() };
  if (body) headers["Content-Type"] = "application/json";
  if (csrf) headers["X-CSRF-Token"] = csrf;
  try {
    const response = await fetch(address, { method, headers, body: body ? JSON.stringify(body) : null });
    const content = response.status === 204 ? null : await response.json().catch(() => null);
    return { status: response.status, content, retryAfter: Number(response.headers.get("Retry-After")) };
  } catch {
    return { status: 0, content: null, retryAfter: 0 };
  }
}

export async function start(): Promise<void> {
  const { status, content } = await call("GET");
  if (status === 200) session.set(content as Session);
  else session.set(status === 204 || status === 401 ? "out" : "unreachable");
}

export async function logIn(fields: LogInFields): Promise<LogInRefusal | null> {
  const { status, content, retryAfter } = await call("POST", { body: fields });
  if (status === 201) {
    session.set(content as Session);
    return null;
  }
  if (status === 0 || content === null) return { why: "offline" };
  switch (content.meta?.motivo ?? content.meta?.code) {
    case "ORGANIZACAO_AMBIGUA":
      return { why: "organization", organizations: content.meta.organizacoes };
    case "segundo_fator_exigido":
      return { why: "code", wrong: false };
    case "segundo_fator_invalido":
      return { why: "code", wrong: true };
    case "credenciais_invalidas":
      return { why: "password" };
    case "LOGIN_BLOQUEADO":
      return { why: "locked", minutes: Math.max(1, Math.ceil(retryAfter / 60)) };
    default:
      return { why: "other", sentence: content.errors?.[0]?.message ?? content.detail };
  }
}

/** Ask for a link to a new password; nobody is told whether the address is known. */
export async function askForPassword(email: string): Promise<LogInRefusal | null> {
  const body = { email, language: language.get() };
  const { status, content, retryAfter } = await call("POST", { body, address: "/v2/sessions/password-reset" });
  if (status === 204) return null;
  if (status === 0 || content === null) return { why: "offline" };
  if (status === 429) return { why: "locked", minutes: Math.max(1, Math.ceil(retryAfter / 60)) };
  return { why: "other", sentence: content.errors?.[0]?.message ?? content.detail };
}

/** Another tab may have logged in anew: whether it is the same person in the same environment. */
export async function renew(): Promise<boolean> {
  const before = session.get();
  if (!isOpen(before)) return false;
  const { status, content } = await call("GET");
  if (status === 0 || status >= 500) return false;
  if (status !== 200 || content.account.id !== before.account.id) {
    session.set("over");
    return false;
  }
  if (content.env !== before.env) {
    session.set("moved");
    return false;
  }
  session.set(content as Session);
  return true;
}

/** Work in the other environment; the session here ends. Answers why not. */
export async function switchTo(env: Env): Promise<string | null> {
  const { status, content } = await call("PUT", { csrf: current().csrfToken, body: { env } });
  if (status === 200) {
    session.set(content as Session);
    return null;
  }
  return content?.detail ?? "";
}

export async function logOut(): Promise<void> {
  let { status } = await call("DELETE", { csrf: current().csrfToken });
  if (status === 403 && (await renew())) ({ status } = await call("DELETE", { csrf: current().csrfToken }));
  session.set("out");
}
