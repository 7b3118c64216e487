"""Numbers, in Portuguese."""

SENTENCES = {
    "A sandbox number has no place on the platform": (
        "Um número do sandbox não existe na plataforma"
    ),
    "Nothing can be sent from this number now; GET /numbers/{{id}}/health tells why.": (
        "Nada pode ser enviado deste número agora; GET /numbers/{{id}}/health diz por quê."
    ),
    "This number is registered already.": "Este número já está registrado.",
    "This Instagram account is registered already.": "Esta conta do Instagram já está registrada.",
    "This event takes one of {taken}": "Este evento aceita um destes: {taken}",
    "The platform does not confirm this number; check its ids and the access token.": (
        "A plataforma não confirma este número; confira os ids e o token de acesso."
    ),
    "A live account needs the platform's id of it": (
        "Uma conta de produção precisa do id que a plataforma deu a ela"
    ),
    "An account of the sandbox has no place on the platform": (
        "Uma conta do sandbox não existe na plataforma"
    ),
    (
        "The number is not connected to the platform, so nothing can leave from it. "
        "Nothing was stored or charged."
    ): (
        "O número não está conectado à plataforma, e nada pode sair dele. Nada foi "
        "gravado nem cobrado."
    ),
    (
        "Read `GET /numbers/{{id}}/health`, which asks the platform anew, and send "
        "once `podeEnviar` is true."
    ): (
        "Leia `GET /numbers/{{id}}/health`, que pergunta de novo à plataforma, e "
        "envie quando `podeEnviar` for true."
    ),
    (
        "The organization has this phone already, or the platform's id of it belongs "
        "to a number that is registered."
    ): (
        "A organização já tem este telefone, ou o id na plataforma pertence a um "
        "número já registrado."
    ),
    "Use the number that exists; `svc number list` shows those of an organization.": (
        "Use o número que existe; `svc number list` mostra os de uma organização."
    ),
    "The platform's id belongs to an Instagram account that is registered.": (
        "O id na plataforma pertence a uma conta do Instagram já registrada."
    ),
    "Use the account that exists; `svc instagram list` shows those of an organization.": (
        "Use a conta que existe; `svc instagram list` mostra as de uma organização."
    ),
    "The event takes another `valor`, or needs one.": (
        "O evento aceita outro `valor`, ou precisa de um."
    ),
    "Send a rating with `quality`, a tier with `tier`.": (
        "Envie uma avaliação com `quality`, um nível com `tier`."
    ),
    (
        "The platform was asked for the number and did not confirm it; "
        "`meta.upstreamCode` is its code."
    ): (
        "A plataforma foi consultada sobre o número e não o confirmou; "
        "`meta.upstreamCode` é o código dela."
    ),
    "Check the ids and the access token.": "Confira os ids e o token de acesso.",
}
