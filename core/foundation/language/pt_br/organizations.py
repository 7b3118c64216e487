"""Organizations, in Portuguese."""

SENTENCES = {
    "Keys are suspended together with their account: send suspended": (
        "As chaves são suspensas junto com a conta: envie suspended"
    ),
    "No account has this id.": "Nenhuma conta tem este id.",
    "The account asks for a second factor; send code as well.": (
        "A conta pede um segundo fator; envie também code."
    ),
    "The organization demands a second factor; add one (POST /v2/me/second-factor), and "
    "the session does the rest.": (
        "A organização exige um segundo fator; adicione um (POST /v2/me/second-factor), "
        "e a sessão faz o resto."
    ),
    "Add a second factor to your own log-in first (POST /v2/me/second-factor).": (
        "Adicione antes um segundo fator ao seu próprio acesso (POST /v2/me/second-factor)."
    ),
    "The organization demands a second factor, and whoever has logged in has none yet.": (
        "A organização exige um segundo fator, e quem entrou ainda não tem um."
    ),
    "Add one with `POST /v2/me/second-factor` and `…/confirm`; the session goes on from there.": (
        "Adicione um com `POST /v2/me/second-factor` e `…/confirm`; a sessão continua a partir daí."
    ),
    "Somebody without a second factor would demand one of everybody.": (
        "Alguém sem segundo fator exigiria um de todos."
    ),
    "Add your own first (`POST /v2/me/second-factor`).": (
        "Adicione antes o seu (`POST /v2/me/second-factor`)."
    ),
    "The code is not right, or was used already; wait for the next one.": (
        "O código não está certo ou já foi usado; espere o próximo."
    ),
    "No code of this moment, or used already": "Não é um código deste momento, ou já foi usado",
    "A second factor is active already; remove it first.": (
        "Já há um segundo fator ativo; remova-o antes."
    ),
    "There is no second factor that waits for this; add one first.": (
        "Não há um segundo fator à espera disto; adicione um antes."
    ),
    "The password is right, and the account asks for a second factor.": (
        "A senha está certa, e a conta pede um segundo fator."
    ),
    "Send the six digits of the app, or a recovery code, as `code`.": (
        "Envie os seis dígitos do aplicativo, ou um código de recuperação, como `code`."
    ),
    "The code is of no moment around now, or was used already. Which of them is never told.": (
        "O código não é de um momento próximo, ou já foi usado. Qual dos dois nunca é dito."
    ),
    "Wait for the next code of the app; five wrong ones in a row lock it for 15 minutes.": (
        "Espere o próximo código do aplicativo; cinco errados seguidos bloqueiam por 15 minutos."
    ),
    "Wait for the next code of the app, and look at the clock of the phone.": (
        "Espere o próximo código do aplicativo e confira o relógio do telefone."
    ),
    "A second factor is confirmed already.": "Um segundo fator já está confirmado.",
    "Remove it first, with the password and a code.": "Remova-o antes, com a senha e um código.",
    "No second factor was begun, or none is active.": (
        "Nenhum segundo fator foi começado, ou nenhum está ativo."
    ),
    "Begin with `POST /v2/me/second-factor`.": "Comece com `POST /v2/me/second-factor`.",
    "The organization needs an active owner; make somebody else one first.": (
        "A organização precisa de um proprietário ativo; faça antes de outra pessoa um."
    ),
    "The person has not accepted the invitation yet; nobody else does that.": (
        "A pessoa ainda não aceitou o convite; ninguém mais faz isso."
    ),
    "The change would leave the organization without an active owner.": (
        "A mudança deixaria a organização sem um proprietário ativo."
    ),
    "Make somebody else an owner first.": "Faça antes de outra pessoa uma proprietária.",
    "The person has been invited and has not accepted.": (
        "A pessoa foi convidada e ainda não aceitou."
    ),
    "Invite the person again (`POST /v2/accounts`), which sends a new link.": (
        "Convide a pessoa de novo (`POST /v2/accounts`), o que envia um novo link."
    ),
    "Send the current password too": "Envie também a senha atual",
    "The current password is not right; nothing was changed.": (
        "A senha atual não está certa; nada foi mudado."
    ),
    "This is not the password of the account": "Esta não é a senha da conta",
    "Only an owner does this: the role is above your own.": (
        "Só um proprietário faz isto: o papel está acima do seu."
    ),
    "Only a person in a session does this; an API key has no password and no log-ins.": (
        "Só uma pessoa em uma sessão faz isto; uma chave de API não tem senha nem logins."
    ),
    "No open session has this id.": "Nenhuma sessão aberta tem este id.",
    "Another account of the organization has this e-mail address.": (
        "Outra conta da organização já tem este endereço de e-mail."
    ),
    "Write the header as Authorization: Bearer, a space, and the key.": (
        "Escreva o cabeçalho como Authorization: Bearer, um espaço e a chave."
    ),
    "The credential is not known; check that it was copied whole.": (
        "A credencial não é conhecida; confira se foi copiada inteira."
    ),
    "The credential has expired; issue a new key, or log in again.": (
        "A credencial venceu; emita uma chave nova ou entre de novo."
    ),
    "The credential was revoked; issue a new key, or log in again.": (
        "A credencial foi revogada; emita uma chave nova ou entre de novo."
    ),
    "The key may not be used from this network address; call from one that its list names.": (
        "A chave não pode ser usada deste endereço de rede; chame de um que esteja na lista dela."
    ),
    "No organization has this id.": "Nenhuma organização tem este id.",
    "No API key has this id.": "Nenhuma chave de API tem este id.",
    "The key is revoked; issue a new one.": "A chave está revogada; emita uma nova.",
    "The key has expired; issue a new one.": "A chave venceu; emita uma nova.",
    "Another key replaces this one already; replacedById names it.": (
        "Outra chave já substitui esta; replacedById diz qual."
    ),
    "A key never gains scopes; leave out each one named in errors, or issue another key.": (
        "Uma chave nunca ganha escopos; deixe de fora os indicados em errors ou emita outra chave."
    ),
    "The key does not hold this scope": "A chave não tem este escopo",
    (
        "Write an IPv4 or IPv6 address, or a network by its first address, such as "
        "203.0.113.0/24; "
        "IPv4 without ::ffff: before it"
    ): (
        "Escreva um endereço IPv4 ou IPv6, ou uma rede pelo primeiro endereço, como "
        "203.0.113.0/24; IPv4 sem ::ffff: na frente"
    ),
    "The key has to end in the future": "O fim da chave precisa estar no futuro",
    "A key lives 400 days at most; leave this out for one without an end": (
        "Uma chave vale no máximo 400 dias; omita o campo para uma chave sem fim"
    ),
    "The organization has no active owner to issue a key for.": (
        "A organização não tem um proprietário ativo para quem emitir a chave."
    ),
    "Some of the scopes do not exist or are not for keys; see `svc key create --help`.": (
        "Alguns dos escopos não existem ou não são para chaves; veja `svc key create --help`."
    ),
    "A scope is a text such as sms:send": "Um escopo é um texto como sms:send",
    "Only a session holds this scope; a key never does": (
        "Só uma sessão tem este escopo; uma chave nunca tem"
    ),
    "This scope does not exist; the documentation lists those that do": (
        "Este escopo não existe; a documentação lista os que existem"
    ),
    "E-mail and password do not open an active account; check both.": (
        "E-mail e senha não abrem uma conta ativa; confira os dois."
    ),
    "Too many failed log-ins in a row; wait for the seconds in Retry-After and try again.": (
        "Tentativas de entrada demais falharam em seguida; espere os segundos de "
        "Retry-After e tente de novo."
    ),
    "Too many people are logging in at this moment; try again in a second.": (
        "Há gente demais entrando neste momento; tente de novo em um segundo."
    ),
    "The password opens accounts of several organizations; send organizationId with one of them.": (
        "A senha abre contas de várias organizações; envie organizationId com uma delas."
    ),
    "Only a session can be ended here; a key is revoked by whoever manages keys.": (
        "Só uma sessão pode ser encerrada aqui; uma chave é revogada por quem gerencia chaves."
    ),
    "This scope does not exist; did you mean {meant}?": (
        "Este escopo não existe; você quis dizer {meant}?"
    ),
    "The header Authorization is missing.": "Falta o cabeçalho Authorization.",
    "Send it.": "Envie-o.",
    "No such credential: a character is missing, or the key belongs to another installation.": (
        "Não existe essa credencial: falta um caractere, ou a chave é de outra instalação."
    ),
    (
        "Copy the key whole. It was shown once, when it was issued; a lost one is "
        "replaced by a new one."
    ): (
        "Copie a chave inteira. Ela foi mostrada uma vez, quando foi emitida; uma "
        "chave perdida é trocada por uma nova."
    ),
    "The key has reached its end, or the session was idle for 12 hours or is 7 days old.": (
        "A chave chegou ao fim, ou a sessão ficou parada por 12 horas ou tem 7 dias."
    ),
    "Rotate keys before they end; log in again.": (
        "Renove as chaves antes que terminem; entre de novo."
    ),
    "The key was revoked, the session ended, or the account behind it is no longer active.": (
        "A chave foi revogada, a sessão terminou, ou a conta por trás dela não está mais ativa."
    ),
    "Use another key, or log in again.": "Use outra chave, ou entre de novo.",
    "The key opens only from the networks in its `ips`, and the call came from elsewhere.": (
        "A chave só abre a partir das redes em seus `ips`, e a chamada veio de outro lugar."
    ),
    "Call from one of them, or change `ips` of the key.": (
        "Chame de uma delas, ou altere os `ips` da chave."
    ),
    "E-mail and password do not open an active account. Which of them was wrong is never told.": (
        "E-mail e senha não abrem uma conta ativa. Nunca se diz qual dos dois estava errado."
    ),
    "Check both. Five failures in a row lock the log-in for 15 minutes.": (
        "Confira os dois. Cinco falhas seguidas bloqueiam a entrada por 15 minutos."
    ),
    "The key lacks the scope of the operation.": "A chave não tem o escopo da operação.",
    "Issue a key that holds `meta.escopoExigido`.": (
        "Emita uma chave que tenha `meta.escopoExigido`."
    ),
    "The key may read no channel.": "A chave não pode ler nenhum canal.",
    "Issue a key that reads one of the channels, such as `sms:read`.": (
        "Emita uma chave que leia um dos canais, como `sms:read`."
    ),
    "An API key tried to log out.": "Uma chave de API tentou encerrar a sessão.",
    "Nothing to do: a key has no session. It is revoked with `DELETE /v2/api-keys/{{id}}`.": (
        "Nada a fazer: uma chave não tem sessão. Ela é revogada com `DELETE /v2/api-keys/{{id}}`."
    ),
    "The key is revoked and does not change any more.": "A chave está revogada e não muda mais.",
    "Issue a new one.": "Emita uma nova.",
    "The key has expired and does not change any more.": "A chave venceu e não muda mais.",
    "The key was replaced already.": "A chave já foi substituída.",
    "Rotate the one that replaces it: `meta.replacedById`.": (
        "Renove a que a substitui: `meta.replacedById`."
    ),
    "Use another address, or the account that exists.": (
        "Use outro endereço, ou a conta que existe."
    ),
    "The password opens accounts of several organizations.": (
        "A senha abre contas de várias organizações."
    ),
    "Send `organizationId` with one of those in `meta.organizacoes`.": (
        "Envie `organizationId` com uma das que estão em `meta.organizacoes`."
    ),
    "A change of a key may take scopes away, never give it more.": (
        "A alteração de uma chave pode tirar escopos, nunca dar mais."
    ),
    "Leave out the scopes named in `errors`, or issue another key.": (
        "Deixe de fora os escopos indicados em `errors`, ou emita outra chave."
    ),
    "Five tries in a row: at a password, an e-mail or a link; none is looked at for a while.": (
        "Cinco tentativas seguidas: de uma senha, uma mensagem ou um link; por um tempo nenhuma é "
        "examinada."
    ),
    "The link is not valid any more, or was used already; ask for a new one.": (
        "O link não vale mais ou já foi usado; peça um novo."
    ),
    (
        "No link of an e-mail has this token: it is unknown, was used, was replaced "
        "by a newer one, "
        "or is too old."
    ): (
        "Nenhum link de mensagem tem este token: ele é desconhecido, foi usado, foi substituído "
        "por um mais novo ou é antigo demais."
    ),
    "Ask for a new e-mail.": "Peça uma nova mensagem.",
    "An API key asked for what belongs to a person: a password, a log-in.": (
        "Uma chave de API pediu o que é de uma pessoa: uma senha, um login."
    ),
    "Log in (`POST /v2/sessions`) and call with the token of the session.": (
        "Entre (`POST /v2/sessions`) e chame com o token da sessão."
    ),
    "It is about a person of a higher role, or would give one.": (
        "Trata-se de uma pessoa de papel mais alto, ou daria um."
    ),
    "Ask an owner of the organization.": "Peça a um proprietário da organização.",
    "A new password was sent with a current one that is not right.": (
        "Uma senha nova foi enviada com uma atual que não está certa."
    ),
    "Send the password that you log in with as `currentPassword`.": (
        "Envie a senha com que você entra como `currentPassword`."
    ),
    "Wait for `Retry-After`; a right password does not open it earlier.": (
        "Espere o `Retry-After`; uma senha certa não abre antes."
    ),
    "More people are logging in at this moment than passwords can be checked.": (
        "Mais pessoas estão entrando neste momento do que senhas podem ser conferidas."
    ),
    "Try again in a second.": "Tente de novo em um segundo.",
    "Whether the webhook subscriptions of the key are paused is neither yes nor no.": (
        "Se as assinaturas de webhook da chave são pausadas não é nem sim nem não."
    ),
    "Send `encerrarWebhooks=true`, or leave it out.": (
        "Envie `encerrarWebhooks=true` ou deixe de fora."
    ),
}
