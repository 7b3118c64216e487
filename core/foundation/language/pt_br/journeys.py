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
    "The journey is no draft: it may have been somebody's way already.": (
        "A jornada não é um rascunho: talvez alguém já tenha passado por ela."
    ),
    "Archive it with `POST /v2/journeys/{{id}}/arquivar`; only drafts are deleted.": (
        "Arquive-a com `POST /v2/journeys/{{id}}/arquivar`; só rascunhos são apagados."
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
}
