"""Journeys, in Portuguese."""

SENTENCES = {
    "The journey names records that are not there; name existing ones of this organization.": (
        "A jornada indica registros que não existem; indique registros existentes "
        "desta organização."
    ),
    "The organization has {MAX_JOURNEYS} journeys that are not archived; archive one first.": (
        "A organização tem {MAX_JOURNEYS} jornadas não arquivadas; arquive uma primeiro."
    ),
    "Only a draft can be deleted; archive this journey instead.": (
        "Só um rascunho pode ser apagado; arquive esta jornada."
    ),
    "Give every step an id of its own": "Dê a cada passo um id próprio",
    "There is no step with this id": "Não existe passo com este id",
    "Name the step that a run begins with": "Indique o passo em que uma execução começa",
    "This way leads back to a step that comes before it": "Este caminho volta a um passo anterior",
    "No way leads to this step": "Nenhum caminho leva a este passo",
    "Send exactly one of segmentId, listId and nome": (
        "Envie exatamente um entre segmentId, listId e nome"
    ),
    "The kind segmento needs segmentId": "O tipo segmento exige segmentId",
    "Only a journey with reentrada apos_concluir has an interval": (
        "Só uma jornada com reentrada apos_concluir tem intervalo"
    ),
    "The number has no template of this id": "O número não tem template com este id",
    "The pipeline has no stage with this id": "O pipeline não tem etapa com este id",
    "A text of this channel has at most {most} characters": (
        "Um texto deste canal tem no máximo {most} caracteres"
    ),
    "Only the channels email and push have one": "Só os canais email e push têm um",
    "Only with aoFalhar outroCanal": "Só com aoFalhar outroCanal",
    "Name each channel once": "Indique cada canal uma só vez",
    "Send either templateId or texto": "Envie templateId ou texto, e não os dois",
    "Only the channel whatsapp has templates; send texto": (
        "Só o canal whatsapp tem templates; envie texto"
    ),
    "Send numberId for the channel whatsapp, and for no other": (
        "Envie numberId para o canal whatsapp, e para nenhum outro"
    ),
    "Only a template has variables": "Só um template tem variáveis",
    "Send exactly one of duracaoHoras, ate and campo": (
        "Envie exatamente um entre duracaoHoras, ate e campo"
    ),
    "The percentages of all branches add up to 100": "Os percentuais de todos os ramos somam 100",
    "Send tags or attributes": "Envie tags ou attributes",
    "The organization has as many journeys as one may have: 200 that are not archived.": (
        "A organização já tem todas as jornadas que pode ter: 200 não arquivadas."
    ),
    "Archive one that is not needed any more.": "Arquive uma de que não precise mais.",
    (
        "A journey in this status is not moved so: only drafts are deleted, a draft neither pauses "
        "nor goes on, and a paused one is not activated again."
    ): (
        "Uma jornada neste status não muda assim: só rascunhos são apagados, um rascunho não é "
        "pausado nem retomado, e uma jornada pausada não é ativada de novo."
    ),
    "Archive with `…/arquivar` what was active, and let a paused one go on with `…/retomar`.": (
        "Arquive com `…/arquivar` o que já esteve ativo, e retome uma jornada pausada com `…/retomar`."
    ),
    "This organization has no such segment": "Esta organização não tem esse segmento",
    (
        "The journey names a segment, list, template, number, pipeline or stage that "
        "the organization does not have."
    ): (
        "A jornada indica um segmento, lista, template, número, pipeline ou etapa "
        "que a organização não tem."
    ),
    "Name records that exist in the environment of the credential; `errors` has every place.": (
        "Indique registros que existam no ambiente da credencial; `errors` traz cada lugar."
    ),
    "A way leads to a step that is not there.": "Um caminho leva a um passo que não existe.",
    "Name the id of a step of this journey, or leave the way out: the run then ends.": (
        "Indique o id de um passo desta jornada, ou omita o caminho: a execução então termina."
    ),
    "The shares of a split do not add up to 100.": "As parcelas de uma divisão não somam 100.",
    "Send percentages of all branches that make 100 together.": (
        "Envie percentuais de todos os ramos que juntos somem 100."
    ),
    "A way leads back to a step that comes before it.": "Um caminho volta a um passo anterior.",
    "Let every way lead onward; for another round, let contacts enter the journey again.": (
        "Faça todo caminho seguir adiante; para mais uma volta, deixe os contatos "
        "entrarem de novo na jornada."
    ),
    "No way leads from the first step to this one.": (
        "Nenhum caminho leva do primeiro passo até este."
    ),
    "Lead a way to it, or leave it out.": "Leve um caminho até ele, ou omita-o.",
    "This organization has no such list": "Esta organização não tem essa lista",
    "This organization has no such template": "Esta organização não tem esse template",
    "This organization has no such number": "Esta organização não tem esse número",
    "The journey cannot run as it is; mend each place named in errors.": (
        "A jornada não pode rodar como está; corrija cada lugar indicado em errors."
    ),
    "The journey has no steps; add some before it is activated.": (
        "A jornada não tem passos; inclua passos antes de ativá-la."
    ),
    "The journey is active already; to change it, change it and activate the new version.": (
        "A jornada já está ativa; para mudá-la, altere-a e ative a nova versão."
    ),
    "The journey is archived for good; duplicate it to use its steps again.": (
        "A jornada está arquivada em definitivo; duplique-a para usar seus passos de novo."
    ),
    "There is a newer version of the journey; go on from that one.": (
        "Existe uma versão mais nova da jornada; parta dela."
    ),
    "The journey was changed meanwhile; read it again and decide anew.": (
        "A jornada foi alterada nesse meio-tempo; leia-a de novo e decida outra vez."
    ),
    "The journey was changed since it was read: at `meta.updatedAt`.": (
        "A jornada foi alterada desde que foi lida: em `meta.updatedAt`."
    ),
    "Read it again, decide anew, and send its present `updatedAt`.": (
        "Leia-a de novo, decida outra vez e envie o `updatedAt` atual."
    ),
    "A draft does not run; activate the journey first.": (
        "Um rascunho não roda; ative a jornada primeiro."
    ),
    "The journey is paused; let it go on in place of activating it.": (
        "A jornada está pausada; retome-a em vez de ativá-la."
    ),
    "Say whether the contacts that are there already enter too: true or false": (
        "Diga se os contatos que já estão lá também entram: true ou false"
    ),
    "Nobody is there already who could enter; leave this out": (
        "Não há ninguém lá que já pudesse entrar; omita este campo"
    ),
    "None of its ways leads to a step, so it decides nothing: lead one on": (
        "Nenhum de seus caminhos leva a um passo, então ele não decide nada: ligue um deles"
    ),
    "No step sends or changes anything: add one that does": (
        "Nenhum passo envia ou muda algo: inclua um que o faça"
    ),
    "The template is not approved: submit it, or name another one": (
        "O template não está aprovado: envie-o para aprovação ou indique outro"
    ),
    "The number cannot send now: connect it, or name another one": (
        "O número não pode enviar agora: conecte-o ou indique outro"
    ),
    "Journeys watch {MAX_WATCHED} segments already; archive one of them first": (
        "As jornadas já acompanham {MAX_WATCHED} segmentos; arquive uma delas primeiro"
    ),
    "Only a segment is come into or left": "Só de um segmento se entra ou se sai",
    "Only an event has a key": "Só um evento tem chave",
    "A journey without steps has nothing to do.": "Uma jornada sem passos não tem o que fazer.",
    "Add steps with `PATCH /v2/journeys/{{id}}`.": "Inclua passos com `PATCH /v2/journeys/{{id}}`.",
    "The journey is active already.": "A jornada já está ativa.",
    "Change it with `PATCH /v2/journeys/{{id}}`, and activate the version that comes of it.": (
        "Altere-a com `PATCH /v2/journeys/{{id}}` e ative a versão resultante."
    ),
    "The journey was put away for good.": "A jornada foi arquivada em definitivo.",
    "Make a copy with `POST /v2/journeys/{{id}}/duplicar`.": (
        "Faça uma cópia com `POST /v2/journeys/{{id}}/duplicar`."
    ),
    "The journey has a newer version, which the change would pass over.": (
        "A jornada tem uma versão mais nova, que a alteração ignoraria."
    ),
    "Change the version in `meta.journeyId`, or archive that one first.": (
        "Altere a versão em `meta.journeyId`, ou arquive-a primeiro."
    ),
    (
        "It was not said whether the contacts that are in the segment or on the list already enter."
    ): "Não foi dito se entram os contatos que já estão no segmento ou na lista.",
    "Send `incluirAtuais`, true or false.": "Envie `incluirAtuais`, true ou false.",
    "None of the ways of a step leads to another one, so that it decides nothing.": (
        "Nenhum dos caminhos de um passo leva a outro, então ele não decide nada."
    ),
    "Lead at least one of its ways to a step, or leave the step out.": (
        "Leve ao menos um de seus caminhos a um passo, ou retire o passo."
    ),
    "No step of the journey sends or changes anything.": (
        "Nenhum passo da jornada envia ou muda algo."
    ),
    "Add a message, a change of the contact, a card or a webhook.": (
        "Inclua uma mensagem, uma mudança do contato, um card ou um webhook."
    ),
    "Journeys of the organization watch as many segments as they may: 20.": (
        "As jornadas da organização já acompanham todos os segmentos que podem: 20."
    ),
    (
        "Archive a journey of another segment, or let this one begin with a segment that is "
        "watched already."
    ): ("Arquive uma jornada de outro segmento, ou comece esta com um segmento já acompanhado."),
    "A template that the journey sends is not approved.": (
        "Um template que a jornada envia não está aprovado."
    ),
    "Submit it and wait for its approval, or name another one.": (
        "Envie-o e espere a aprovação, ou indique outro."
    ),
    "A number that the journey sends from cannot send now.": (
        "Um número de que a jornada envia não pode enviar agora."
    ),
    "Connect it again, or name another one.": "Conecte-o de novo, ou indique outro.",
    "Nobody enters this version of the journey any more; use the newest one.": (
        "Ninguém mais entra nesta versão da jornada; use a mais nova."
    ),
    "Too many contacts would be inside journeys; let others finish first.": (
        "Haveria contatos demais dentro de jornadas; deixe outros terminarem primeiro."
    ),
    "With these, more than {MAX_RUNS} contacts would be inside journeys at once": (
        "Com estes, haveria mais de {MAX_RUNS} contatos dentro de jornadas ao mesmo tempo"
    ),
    "With these, more than 5000000 contacts would be inside journeys at once": (
        "Com estes, haveria mais de 5000000 contatos dentro de jornadas ao mesmo tempo"
    ),
    "Contacts enter an active journey only; activate it, or let it go on.": (
        "Contatos só entram em uma jornada ativa; ative-a ou retome-a."
    ),
    (
        "The journey takes nobody in any more: its entries were ended, or a newer version takes "
        "everybody."
    ): (
        "A jornada não recebe mais ninguém: suas entradas foram encerradas, ou uma versão mais nova "
        "recebe todos."
    ),
    "Use the newest version, or a copy.": "Use a versão mais nova, ou uma cópia.",
    "More than 5,000,000 contacts of the organization would be inside journeys at once.": (
        "Mais de 5.000.000 de contatos da organização estariam dentro de jornadas ao mesmo tempo."
    ),
    "Wait until others have finished, or archive a journey with those inside.": (
        "Espere outros terminarem, ou arquive uma jornada com os que estão dentro."
    ),
    "No contact has this id": "Nenhum contato tem este id",
    "The map does not fit the versions; mend each place named in errors.": (
        "O mapa não corresponde às versões; corrija cada lugar indicado em errors."
    ),
    "Contacts are moved to an active version; activate it, or let it go on.": (
        "Contatos são movidos para uma versão ativa; ative-a ou retome-a."
    ),
    "This version has no step with this id": "Esta versão não tem passo com este id",
    "No earlier version has a step with this id": "Nenhuma versão anterior tem passo com este id",
    (
        "Somebody stands on a step that the map does not name: name it, or say what becomes of them"
    ): "Há alguém em um passo que o mapa não indica: indique-o ou diga o que será deles",
    "Somebody stands on a step of an earlier version that the map does not name.": (
        "Há alguém em um passo de uma versão anterior que o mapa não indica."
    ),
    "Name the step in `mapa`, or send `passosSemMapa`: manter or encerrar.": (
        "Indique o passo em `mapa`, ou envie `passosSemMapa`: manter ou encerrar."
    ),
}
