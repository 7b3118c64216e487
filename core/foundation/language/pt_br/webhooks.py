"""Webhooks, in Portuguese."""

SENTENCES = {
    (
        "The address of the subscription has never answered a delivery or a sample "
        "with 2xx, so nothing is replayed to "
        "it and at most 100 deliveries an hour go to its host."
    ): (
        "O endereço da assinatura nunca respondeu a uma entrega ou amostra com 2xx; "
        "por isso nada é repetido para ele "
        "e no máximo 100 entregas por hora vão para o seu host."
    ),
    "Let `POST /webhooks/{{id}}/test` succeed; then ask for the replay again.": (
        "Faça `POST /webhooks/{{id}}/test` ter sucesso; depois peça a repetição de novo."
    ),
    (
        "The address has never answered a delivery with 2xx; let POST "
        "/webhooks/{{id}}/test succeed, then replay."
    ): (
        "O endereço nunca respondeu a uma entrega com 2xx; faça POST "
        "/webhooks/{{id}}/test ter sucesso e repita depois."
    ),
    "More than 10 validations within a minute; wait for the seconds in Retry-After and ask again.": (
        "Mais de 10 validações em um minuto; espere os segundos de Retry-After e peça de novo."
    ),
    "The subscription is revoked and its endpoint did not answer a signed webhook.ping with 2xx.": (
        "A assinatura está revogada e o endereço não respondeu com 2xx a um webhook.ping assinado."
    ),
    "This is a masked value and no value is stored under this key; send the whole value": (
        "Este é um valor mascarado e não há valor gravado com esta chave; envie o valor completo"
    ),
    "A revoked subscription receives nothing; send active, which tries its endpoint first": (
        "Uma assinatura revogada não recebe nada; envie active, que antes testa o endereço"
    ),
    (
        "The cursor lies ahead of the feed, whose database lost its last events; go "
        "on with meta.cursor and take what "
        "follows it as new."
    ): (
        "O cursor está à frente do feed, cujo banco perdeu os últimos eventos; "
        "continue com meta.cursor e trate o que "
        "vier depois dele como novo."
    ),
    "What the request goes on from is no longer there; begin anew.": (
        "Aquilo de onde a requisição continua já não existe; comece de novo."
    ),
    (
        "The database was replaced by a copy that lacks its last commits, in a "
        "fail-over or a restore, and the cursor "
        "is of the time that was lost. Events that you were told from then on may no "
        "longer exist, and others have "
        "their positions."
    ): (
        "O banco foi substituído por uma cópia sem os últimos commits, em um "
        "failover ou uma restauração, e o cursor é "
        "do tempo que se perdeu. Eventos que você recebeu desde então podem não "
        "existir mais, e outros têm as posições "
        "deles."
    ),
    (
        "Go on with `meta.cursor`: it stands behind the last event before yours that "
        "is left. What you are told again "
        "has the ids that you know."
    ): (
        "Continue com `meta.cursor`: ele fica depois do último evento anterior ao "
        "seu que restou. O que você receber "
        "de novo tem os ids que você conhece."
    ),
    "The cursor is not one that the feed gave": "O cursor não é um dos que o feed forneceu",
    "This header name is reserved for the delivery itself": (
        "Este nome de cabeçalho é reservado para a própria entrega"
    ),
    "This is a masked value; send the whole value": (
        "Este é um valor mascarado; envie o valor inteiro"
    ),
    "Name every header once; upper and lower case make no difference": (
        "Indique cada cabeçalho uma vez; maiúsculas e minúsculas não fazem diferença"
    ),
    "The address of a subscription cannot change; delete it and subscribe the new address": (
        "O endereço de uma assinatura não pode mudar; exclua-a e assine o novo endereço"
    ),
    "Send `deliveryIds`, or `from` and `to`, but not both": (
        "Envie `deliveryIds`, ou `from` e `to`, mas não os dois"
    ),
    "Send `deliveryIds`, or both `from` and `to`": "Envie `deliveryIds`, ou ambos `from` e `to`",
    "The host must be reachable on the public internet, under every address that its name has.": (
        "O host precisa ser acessível pela internet pública, em todos os endereços "
        "que o nome dele tem."
    ),
    "The endpoint must answer with a status from 200 to 299.": (
        "O endereço precisa responder com um status de 200 a 299."
    ),
    (
        "The endpoint must take the connection within 5 seconds and answer within 15 seconds; let "
        "it answer first and work afterwards."
    ): (
        "O endereço precisa aceitar a conexão em 5 segundos e responder em 15 segundos; responda "
        "primeiro e trabalhe depois."
    ),
    (
        "No connection came about, it broke off, or the answer could not be read as HTTP; check "
        "the host's name, its port, firewall and TLS certificate, and that no header "
        "of the answer "
        "is longer than 8 KB."
    ): (
        "A conexão não se formou, caiu, ou a resposta não pôde ser lida como HTTP; confira o nome "
        "do host, a porta, o firewall e o certificado TLS, e que nenhum cabeçalho da resposta "
        "passe de 8 KB."
    ),
    "Redirects are not followed; use the address that the endpoint points to.": (
        "Redirecionamentos não são seguidos; use o endereço para o qual ele aponta."
    ),
    "The time ends before it begins; send a to that is not before from": (
        "O período termina antes de começar; envie um to que não venha antes de from"
    ),
    "The time holds more than {MAX_EVENTS} events; ask for a shorter one, or for fewer kinds": (
        "O período tem mais de {MAX_EVENTS} eventos; peça um menor, ou menos tipos"
    ),
    "The subscription has no such delivery, or it is older than 30 days": (
        "A assinatura não tem essa entrega, ou ela tem mais de 30 dias"
    ),
    (
        "The revoked subscription was not resumed: its endpoint did not take a "
        "signed `webhook.ping`. {message}"
    ): (
        "A assinatura revogada não foi retomada: o endereço não aceitou um "
        "`webhook.ping` assinado. {message}"
    ),
    (
        "Repair the endpoint, try it with `POST /webhooks/validate`, and set "
        "`status` to `active` again."
    ): (
        "Conserte o endereço, teste-o com `POST /webhooks/validate` e mude `status` "
        "para `active` de novo."
    ),
    "More than 10 endpoints were tried within a minute.": (
        "Mais de 10 endereços foram testados em um minuto."
    ),
    "Wait for `Retry-After`.": "Espere o `Retry-After`.",
}
