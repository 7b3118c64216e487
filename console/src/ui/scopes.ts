import { say, texts } from "./language";

/** What each permission lets somebody do. */
const SCOPES = texts({
  "accounts:manage": ["Cuidar das pessoas da equipe", "Administer the people of the team"],
  "audit:read": ["Ver a auditoria", "See the audit trail"],
  "campaigns:read": ["Ver jornadas", "See journeys"],
  "campaigns:write": ["Mudar jornadas", "Change journeys"],
  "contacts:pii": ["Ver documentos de contatos", "See documents of contacts"],
  "contacts:read": ["Ver contatos, listas e segmentos", "See contacts, lists and segments"],
  "contacts:write": ["Mudar contatos, listas e segmentos", "Change contacts, lists and segments"],
  "crm:delete": ["Apagar empresas e negócios", "Delete companies and deals"],
  "crm:read": ["Ver empresas e negócios", "See companies and deals"],
  "crm:write": ["Mudar empresas e negócios", "Change companies and deals"],
  "email:read": ["Ver e-mails", "See e-mails"],
  "email:send": ["Enviar e-mails", "Send e-mails"],
  "flows:read": ["Ver formulários", "See forms"],
  "flows:write": ["Mudar formulários", "Change forms"],
  "keys:manage": ["Cuidar das chaves de API", "Administer the API keys"],
  "media:read": ["Ver arquivos de conversas", "See files of conversations"],
  "media:write": ["Guardar arquivos de conversas", "Store files of conversations"],
  "messages:force": ["Enviar sem esperar ritmo nem silêncio", "Send without waiting for pace or quiet hours"],
  "messages:read": ["Ver conversas", "See conversations"],
  "messages:send": ["Enviar conversas", "Send conversations"],
  "numbers:read": ["Ver números", "See numbers"],
  "pii:full": ["Ver telefones e e-mails inteiros", "See phones and e-mail addresses whole"],
  "push:read": ["Ver notificações push", "See push notifications"],
  "push:send": ["Enviar notificações push", "Send push notifications"],
  "push:settings": ["Mudar ajustes de push", "Change settings of push"],
  "rcs:read": ["Ver RCS", "See RCS"],
  "rcs:send": ["Enviar RCS", "Send RCS"],
  "sms:read": ["Ver SMS", "See SMS"],
  "sms:send": ["Enviar SMS", "Send SMS"],
  "templates:read": ["Ver templates", "See templates"],
  "templates:write": ["Mudar templates", "Change templates"],
  "wallet:read": ["Ver a carteira", "See the wallet"],
  "webhooks:read": ["Ver webhooks", "See webhooks"],
  "webhooks:write": ["Mudar webhooks", "Change webhooks"],
});

/** A permission in words; one that is not known here as it is called. */
export const scopeName = (scope: string): string => (scope in SCOPES ? say(SCOPES, scope as keyof typeof SCOPES) : scope);

/** The same with its name in the API, which whoever grants it looks for. */
export const scopeSaid = (scope: string): string => (scope in SCOPES ? `«${scopeName(scope)}» (${scope})` : scope);
