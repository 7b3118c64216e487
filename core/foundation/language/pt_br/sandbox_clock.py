"""The sandbox's clock, in Portuguese."""

SENTENCES = {
    "Write it as ISO 8601 does, such as P30D, PT1H30M or P2W": (
        "Escreva no formato ISO 8601, como P30D, PT1H30M ou P2W"
    ),
    "Send one of por, ate and passo": "Envie um entre por, ate e passo",
    "The clock is being moved; wait until its status is pronto.": (
        "O relógio está avançando; espere até que o status seja pronto."
    ),
    "The sandbox is in real time; set its clock first.": (
        "O sandbox está no tempo real; defina antes o relógio."
    ),
    "Nothing is due in this sandbox; advance by a period or to an instant.": (
        "Nada está para vencer neste sandbox; avance por um período ou até um instante."
    ),
    "The clock only goes forward; name a later instant": (
        "O relógio só anda para a frente; indique um instante posterior"
    ),
    "It lies at most two years ahead of the real time": (
        "Fica no máximo dois anos à frente do tempo real"
    ),
    "The clock of the sandbox is on its way.": "O relógio do sandbox está avançando.",
    "Read `GET /v2/sandbox/clock` until `status` is another than `avancando`.": (
        "Leia `GET /v2/sandbox/clock` até que `status` seja diferente de `avancando`."
    ),
    "Nobody has set the clock of this sandbox: it is the real time.": (
        "Ninguém definiu o relógio deste sandbox: ele segue o tempo real."
    ),
    "Set it with `PUT /v2/sandbox/clock`, and advance it then.": (
        "Defina-o com `PUT /v2/sandbox/clock` e depois avance-o."
    ),
    "The next step was asked for, and nothing waits for a time in this sandbox.": (
        "O próximo passo foi pedido, e nada espera por um horário neste sandbox."
    ),
    "Advance by a period (`por`) or to an instant (`ate`).": (
        "Avance por um período (`por`) ou até um instante (`ate`)."
    ),
    "The clock was to go back, which it never does.": (
        "O relógio deveria voltar, o que ele nunca faz."
    ),
    "Name a later instant; to begin anew, empty the sandbox with `svc sandbox reset`.": (
        "Indique um instante posterior; para recomeçar, esvazie o sandbox com `svc sandbox reset`."
    ),
}
