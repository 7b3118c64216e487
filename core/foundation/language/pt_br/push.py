"""Push, in Portuguese."""

SENTENCES = {
    "Send the private key as the provider issued it, in PEM": (
        "Envie a chave privada como o provedor a emitiu, em PEM"
    ),
    "Send a private key of the curve P-256": "Envie uma chave privada da curva P-256",
    "No app of this appId is registered here; register it first.": (
        "Nenhum app com este appId está registrado aqui; registre-o primeiro."
    ),
    "An app of this appId is registered already; change it instead.": (
        "Já existe um app com este appId; altere-o."
    ),
    "A browser's subscription has an address and two keys; send p256dh and auth with it.": (
        "A inscrição de um navegador tem um endereço e duas chaves; envie também p256dh e auth."
    ),
    "A browser's subscription needs it": "A inscrição de um navegador precisa disto",
    "The token of a browser is the https address of its push service.": (
        "O token de um navegador é o endereço https do serviço de push dele."
    ),
    "Send the endpoint of the browser's subscription": "Envie o endpoint da inscrição do navegador",
    "The segment cannot be used; name one that is stored in this environment.": (
        "O segmento não pode ser usado; indique um que exista neste ambiente."
    ),
    "There is no such segment here": "Não existe esse segmento aqui",
    "Only a dispatch that is scheduled or deferred can be canceled; this one is past that.": (
        "Só um envio agendado ou adiado pode ser cancelado; este já passou disso."
    ),
    "Send an https address": "Envie um endereço https",
    "Send either segment or tokenIds, and not both": "Envie segment ou tokenIds, e não os dois",
    "Send both title and body; only data alone go without": (
        "Envie title e body; só dados puros vão sem eles"
    ),
    "The notification has at most 3,000 bytes in all; send less": (
        "A notificação tem no máximo 3.000 bytes ao todo; envie menos"
    ),
    "There is no such contact here; leave contactId out or send another.": (
        "Não existe esse contato aqui; omita contactId ou envie outro."
    ),
    (
        "A browser was registered without the keys of its subscription, or, live, "
        "with keys of a wrong length."
    ): (
        "Um navegador foi registrado sem as chaves da inscrição ou, em produção, com "
        "chaves de tamanho errado."
    ),
    "Send `p256dh` and `auth` as `PushSubscription.toJSON()` of the browser gives them.": (
        "Envie `p256dh` e `auth` como o `PushSubscription.toJSON()` do navegador os dá."
    ),
    "The token of a browser is no address that may be called.": (
        "O token de um navegador não é um endereço que possa ser chamado."
    ),
    "Send the `endpoint` of the browser's subscription.": (
        "Envie o `endpoint` da inscrição do navegador."
    ),
    "No app of this `appId` is registered in production; the sandbox makes it on first use.": (
        "Nenhum app com este `appId` está registrado em produção; o sandbox o cria no primeiro uso."
    ),
    "Register it with `POST /v2/push/apps`.": "Registre-o com `POST /v2/push/apps`.",
    "The app is registered already.": "O app já está registrado.",
    "Change it with `PATCH /v2/push/apps/{{appId}}`.": (
        "Altere-o com `PATCH /v2/push/apps/{{appId}}`."
    ),
    "The dispatch has begun, or is over.": "O envio já começou, ou já terminou.",
    "Nothing to do: what was sent cannot be taken back.": (
        "Nada a fazer: o que foi enviado não pode ser retirado."
    ),
    "A notification names both a segment and devices, or neither.": (
        "Uma notificação indica um segmento e também dispositivos, ou nenhum dos dois."
    ),
    "Send `segment` (`all_opt_in` for everybody) or `tokenIds`. In a preview the same is a 400.": (
        "Envie `segment` (`all_opt_in` para todos) ou `tokenIds`. Em uma prévia o mesmo é um 400."
    ),
}
