// What the page says: English stands in the code, and Portuguese here, for browsers that ask for it.

const SENTENCES = {
  // The way in and out
  "Your messages, deals and contacts": "Suas mensagens, negócios e contatos",
  "Log in to see what happens, live.": "Entre para ver o que acontece, ao vivo.",
  "E-mail": "E-mail",
  Password: "Senha",
  Environment: "Ambiente",
  Organization: "Organização",
  "Code of the second factor": "Código do segundo fator",
  "Log in": "Entrar",
  "Logging in…": "Entrando…",
  "Log out": "Sair",
  "Log in with e-mail and password": "Entrar com e-mail e senha",
  "Use an API key instead": "Usar uma chave de API",
  "Fill in e-mail and password.": "Preencha e-mail e senha.",
  "E-mail and password do not fit. Check both.": "E-mail ou senha incorretos. Confira os dois.",
  "Enter the six digits of your app, or a recovery code.":
    "Digite os seis dígitos do seu aplicativo ou um código de recuperação.",
  "The code does not fit, or was used already. Wait for the next one.":
    "Código incorreto ou já usado. Espere pelo próximo.",
  "Too many tries. Log in again in {minutes} min.": "Tentativas demais. Entre de novo em {minutes} min.",
  "You work for several organizations: choose one.": "Você trabalha em várias organizações: escolha uma.",
  "Your session is over. Log in again.": "Sua sessão terminou. Entre de novo.",
  "You may still be logged in: the service did not answer.":
    "Talvez você ainda não tenha saído: o serviço não respondeu.",
  "API key": "Chave de API",
  "Paste an API key to see what happens in its environment, live.":
    "Cole uma chave de API para ver o que acontece no ambiente dela, ao vivo.",
  "The key stays in this open page: it is not stored, and it is gone when you reload. Reading scopes are enough.":
    "A chave fica só nesta página aberta: não é guardada e some quando você recarrega. Bastam escopos de leitura.",
  "That is no key: copy it whole, from svc_ to its end.": "Isso não é uma chave: copie-a inteira, de svc_ até o fim.",
  "Open the dashboard": "Abrir o painel",
  "Opening…": "Abrindo…",
  "Paste a key again.": "Cole uma chave de novo.",
  "The key is not known.": "A chave não é conhecida.",
  "Forget key": "Esquecer a chave",

  // The page
  Dashboard: "Painel",
  Balance: "Saldo",
  "Skip to the content": "Ir para o conteúdo",
  Theme: "Tema",
  System: "Sistema",
  Light: "Claro",
  Dark: "Escuro",
  today: "hoje",
  Today: "Hoje",
  Yesterday: "Ontem",
  "just now": "agora mesmo",

  // What could not be shown
  "Try again": "Tentar de novo",
  "The service does not answer.": "O serviço não responde.",
  "The service answered {status}.": "O serviço respondeu {status}.",
  "Not allowed here": "Sem permissão",
  "The scope {scope} is missing.": "Falta o escopo {scope}.",
  "No connection": "Sem conexão",
  "The service does not answer. Try again in a moment.": "O serviço não responde. Tente de novo em instantes.",
  "Too many questions at once": "Consultas demais ao mesmo tempo",
  "Wait a moment, then try again.": "Espere um pouco e tente de novo.",
  "The service is busy": "O serviço está ocupado",
  "Try again in a moment.": "Tente de novo em instantes.",
  "This could not be shown": "Não foi possível mostrar isto",
  "The page met something that it does not understand.": "A página encontrou algo que não entende.",

  // Messages
  Messages: "Mensagens",
  Period: "Período",
  Channel: "Canal",
  All: "Todos",
  Sent: "Enviadas",
  Delivered: "Entregues",
  "On the way": "A caminho",
  Failed: "Com falha",
  Received: "Recebidas",
  Spent: "Gasto",
  When: "Quando",
  "All channels": "Todos os canais",
  "No messages in this period.": "Nenhuma mensagem neste período.",
  "Point at a column, or use the arrow keys, to read it.": "Aponte para uma coluna, ou use as setas, para lê-la.",
  "Week of {date}": "Semana de {date}",
  "{channel}: {sent} sent, {delivered} delivered, {failed} failed, {received} received. Most on {title}: {most}. A table of it follows.":
    "{channel}: {sent} enviadas, {delivered} entregues, {failed} com falha, {received} recebidas. Mais em {title}: {most}. Segue uma tabela.",
  "Show as a table": "Mostrar como tabela",
  "Messages over time": "Mensagens ao longo do tempo",
  "Delivery by channel": "Entrega por canal",
  "{share} delivered": "{share} entregues",
  "{count} sent · {cost}": "{count} enviadas · {cost}",

  // What happens now
  Live: "Ao vivo",
  "Live feed": "Acontecimentos ao vivo",
  "Connecting…": "Conectando…",
  "Connection lost; again in {seconds} s": "Conexão perdida; de novo em {seconds} s",
  Closed: "Fechada",
  Pause: "Pausar",
  Resume: "Retomar",
  "Resume ({count})": "Retomar ({count})",
  "What just happened, the newest first": "O que acabou de acontecer, do mais novo ao mais antigo",
  "Quiet for now. What happens from here on is shown at once.":
    "Tudo calmo por enquanto. O que acontecer a partir de agora aparece na hora.",
  "{label} are not shown: the scope {scope} is missing.": "{label}: falta o escopo {scope}.",
  "{label} are not shown: {why}": "{label}: {why}",
  Events: "Eventos",
  Deals: "Negócios",
  New: "Novo",
  "{channel} message": "Mensagem por {channel}",
  "{channel} received": "Recebida por {channel}",
  "{channel} sent": "Enviada por {channel}",

  // Deals
  "Sales board": "Quadro de vendas",
  Pipeline: "Funil",
  "There is no pipeline yet.": "Ainda não há funil.",
  "Stages of {nome}, from left to right": "Etapas de {nome}, da esquerda para a direita",
  "{nome}: {quantidade} deals": "{nome}: {quantidade} negócios",
  "{count} deal": "{count} negócio",
  "{count} deals": "{count} negócios",
  "{count} overdue": "{count} em atraso",
  "{days}, overdue": "{days}, em atraso",
  "{count} day": "{count} dia",
  "{count} days": "{count} dias",
  "In this stage since": "Tempo nesta etapa",
  "Show more of {count}": "Mostrar mais de {count}",
  Empty: "Vazia",
  Open: "Abertos",
  Won: "Ganhos",
  Lost: "Perdidos",

  // Contacts
  Contacts: "Contatos",
  "Search contacts": "Procurar contatos",
  "Name, phone or e-mail": "Nome, telefone ou e-mail",
  "Choose a contact to see what happened.": "Escolha um contato para ver o que aconteceu.",
  "Searching needs the scope pii:full. These were active last.":
    "Procurar exige o escopo pii:full. Estes foram os últimos ativos.",
  "Active last": "Últimos ativos",
  "There is no contact yet.": "Ainda não há contatos.",
  "Nobody was found.": "Ninguém foi encontrado.",
  "The first 20 found": "Os 20 primeiros encontrados",
  "{count} found": "{count} encontrados",

  // What happened around a contact
  Timeline: "Linha do tempo",
  Tags: "Etiquetas",
  "Show earlier": "Mostrar anteriores",
  "That is the beginning.": "É o começo.",
  "Nothing has happened yet.": "Ainda não aconteceu nada.",
  "This contact is not there any more.": "Este contato não existe mais.",
  "Left out, for want of a scope: {kinds}.": "Omitido por falta de um escopo: {kinds}.",
  Deal: "Negócio",
  "Deal created": "Negócio criado",
  "Deal moved": "Negócio movido",
  "Deal won": "Negócio ganho",
  "Deal lost": "Negócio perdido",
  "Deal reopened": "Negócio reaberto",
  "Deal transferred": "Negócio transferido",
  Consent: "Consentimento",
  "Agreed to messages": "Aceitou mensagens",
  "Refused messages": "Recusou mensagens",
  "Consent withdrawn": "Consentimento retirado",
  "Followed a link": "Seguiu um link",
  "Followed a link to {host}": "Seguiu um link para {host}",
  "{times} times": "{times} vezes",
};

// Values of closed sets; others are shown as they are.
const WORDS = {
  Queued: "Na fila",
  Sending: "Enviando",
  Sent: "Enviada",
  Delivered: "Entregue",
  Undelivered: "Não entregue",
  Read: "Lida",
  Failed: "Com falha",
  Bounced: "Devolvida",
  Complained: "Reclamada",
  Archived: "Arquivada",
  Granted: "Aceito",
  Denied: "Recusado",
  Unknown: "Desconhecido",
  "Invalid number": "Número inválido",
  "Carrier rejected": "Recusada pela operadora",
  Blacklisted: "Bloqueada",
  Expired: "Expirada",
  Indeterminate: "Indeterminada",
  "No rcs": "Sem RCS",
  Suppressed: "Suprimida",
  Email: "E-mail",
  Whatsapp: "WhatsApp",
  "Contact created": "Contato criado",
  "Contact opted out": "Contato recusou mensagens",
  "Sms clicked": "Clique em SMS",
  "Rcs clicked": "Clique em RCS",
  "Email opened": "E-mail aberto",
  "Email clicked": "Clique em e-mail",
  "Campaign completed": "Campanha concluída",
  "Wallet low balance": "Saldo baixo",
  "Wallet depleted": "Saldo esgotado",
  "Apikey created": "Chave de API criada",
  "Apikey rotated": "Chave de API trocada",
  "Number quality changed": "Qualidade de número mudou",
};

export const language = navigator.language.toLowerCase().startsWith("pt") ? "pt-BR" : "en";

/** A sentence in the reader's language; `{name}` is filled in from `facts`. */
export function t(english, facts = {}) {
  const said = language === "en" ? english : SENTENCES[english];
  return said.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

/** A word of the service in the reader's language. */
export const word = (english) => (language === "en" ? english : (WORDS[english] ?? english));

/** Where a credential works: `LIVE` or `TEST`. */
export const environment = (env) => (env === "TEST" ? "Sandbox" : language === "en" ? "Live" : "Produção");
