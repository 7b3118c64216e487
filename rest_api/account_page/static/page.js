// Sets a password by the link of a letter. What stands behind `#` never leaves the browser but in the body of the call.

const WAYS = {
  reset: { path: "/v2/sessions/password-reset/confirm", title: "reset", done: "changed" },
  accept: { path: "/v2/accounts/accept", title: "accept", done: "accepted" },
};

const TEXTS = {
  "pt-BR": {
    reset: "Nova senha",
    accept: "Aceitar convite",
    label: "Nova senha",
    rule: "8 caracteres ou mais",
    send: "Guardar senha",
    short: "A senha precisa de 8 caracteres ou mais.",
    changed: "A senha foi mudada. Entre com ela.",
    accepted: "Convite aceito. Entre com o seu e-mail e esta senha.",
    nothing: "Abra o link da mensagem que você recebeu.",
    enter: "Entrar no console",
    lost: "Não deu certo agora. Tente de novo em um minuto.",
  },
  en: {
    reset: "A new password",
    accept: "Accept the invitation",
    label: "New password",
    rule: "8 characters or more",
    send: "Keep the password",
    short: "The password needs 8 characters or more.",
    changed: "The password was changed. Log in with it.",
    accepted: "You have accepted. Log in with your e-mail address and this password.",
    nothing: "Open the link of the message that you got.",
    enter: "Log in to the console",
    lost: "That did not work now. Try again in a minute.",
  },
};

const language = navigator.language.toLowerCase().startsWith("pt") ? "pt-BR" : "en";
const say = TEXTS[language];
const at = (id) => document.getElementById(id);
const [name, token] = location.hash.slice(1).split("=");
const way = Object.hasOwn(WAYS, name) && token ? WAYS[name] : null;

document.documentElement.lang = language;
history.replaceState(null, "", location.pathname);
for (const id of ["label", "rule", "send", "enter"]) at(id).textContent = say[id];
if (way === null) at("told").textContent = say.nothing;
else {
  document.title = at("title").textContent = say[way.title];
  at("form").hidden = false;
  at("form").addEventListener("submit", submitted);
}

async function submitted(event) {
  event.preventDefault();
  const field = at("password");
  if (field.value.length < 8) return refuse(say.short);
  at("send").disabled = true;
  const refusal = await send(field.value);
  at("send").disabled = false;
  if (refusal !== null) return refuse(refusal);
  field.value = "";
  at("form").hidden = true;
  at("told").textContent = say[way.done];
  at("onward").hidden = false;
}

/** Null, or why it was refused. */
async function send(password) {
  try {
    const answer = await fetch(way.path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": language },
      body: JSON.stringify({ token, password }),
    });
    return answer.ok ? null : (await answer.json()).detail;
  } catch {
    return say.lost;
  }
}

function refuse(text) {
  at("why").textContent = text;
  at("password").setAttribute("aria-invalid", "true");
  at("password").focus();
}
