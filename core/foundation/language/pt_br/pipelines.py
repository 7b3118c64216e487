"""Pipelines, in Portuguese."""

SENTENCES = {
    "An activity keeps its titulo or its texto": "Uma atividade mantém titulo ou texto",
    "This is no active member of the organization": "Este não é um membro ativo da organização",
    "This organization has no such pipeline": "Esta organização não tem esse pipeline",
    "The record was changed meanwhile; read it again and decide anew.": (
        "O registro mudou nesse meio-tempo; leia-o de novo e decida outra vez."
    ),
    "The name is taken; choose one that is free.": "O nome já está em uso; escolha um livre.",
    "Another one has this name": "Já existe outro com este nome",
    "The kind of a pipeline never changes; create another pipeline.": (
        "O tipo de um pipeline nunca muda; crie outro pipeline."
    ),
    "This field never changes": "Este campo nunca muda",
    (
        "Reasons for losing need a stage with the outcome perda; a pipeline without "
        "one can have none."
    ): (
        "Motivos de perda precisam de uma etapa com resultado perda; um pipeline sem "
        "ela não pode ter motivos."
    ),
    (
        "Open deals lie on the pipeline; close or transfer them, or send forcar to "
        "archive it with them."
    ): (
        "Há negócios abertos no pipeline; feche-os ou transfira-os, ou envie forcar "
        "para arquivar com eles."
    ),
    "A pipeline has at most one stage with the outcome ganho and one with the outcome perda.": (
        "Um pipeline tem no máximo uma etapa com resultado ganho e uma com resultado perda."
    ),
    "The pipeline has as many stages as one can have; delete one first.": (
        "O pipeline já tem todas as etapas que pode ter; exclua uma primeiro."
    ),
    "A pipeline keeps at least one stage with the outcome aberta; add another one first.": (
        "Um pipeline mantém ao menos uma etapa com resultado aberta; crie outra primeiro."
    ),
    (
        "Deals lie in the stage; move them to another stage first, or name one in "
        "moverPara to delete it."
    ): (
        "Há negócios na etapa; mova-os para outra primeiro, ou indique uma em "
        "moverPara para excluí-la."
    ),
    "The pipeline has no other stage of this id with the outcome aberta": (
        "O pipeline não tem outra etapa com este id e resultado aberta"
    ),
    "Deals lack what the other stage demands, so all stay; complete them, or name another stage.": (
        "Falta aos negócios o que a outra etapa exige, e todos ficam; complete-os ou "
        "indique outra etapa."
    ),
    "Deals lack fields that this stage demands": "Faltam aos negócios campos que esta etapa exige",
    (
        "The order has to name every stage of the pipeline exactly once; read the "
        "pipeline and send it anew."
    ): (
        "A ordem precisa trazer cada etapa do pipeline exatamente uma vez; leia o "
        "pipeline e envie de novo."
    ),
    "Not every stage of the pipeline just once": "Não é cada etapa do pipeline exatamente uma vez",
    "The pipeline has no such reason; leave the id out for a new one": (
        "O pipeline não tem esse motivo; omita o id para um motivo novo"
    ),
    "A stage can demand valor, dataPrevista, contato, responsavel": (
        "Uma etapa pode exigir valor, dataPrevista, contato, responsavel"
    ),
    "A reason has a text; leave the entry out instead": (
        "Um motivo tem um texto; se não, omita a entrada"
    ),
    "Pipelines of this kind are not available yet": (
        "Pipelines deste tipo ainda não estão disponíveis"
    ),
    "Only a stage with the outcome aberta has tempoMaximoDias": (
        "Só uma etapa com resultado aberta tem tempoMaximoDias"
    ),
    "Every reason stands once, by its text and by its id": (
        "Cada motivo aparece uma vez, pelo texto e pelo id"
    ),
    "The stages of a pipeline have different names": (
        "As etapas de um pipeline têm nomes diferentes"
    ),
    "A pipeline has at least one stage with the outcome aberta": (
        "Um pipeline tem ao menos uma etapa com resultado aberta"
    ),
    "The period ends before it begins": "O período termina antes de começar",
    "The card is full.": "O card está cheio.",
    "Delete files that nobody needs, or keep them together in an archive.": (
        "Exclua arquivos de que ninguém precisa, ou junte-os em um arquivo compactado."
    ),
    "Another card has this `externalId`.": "Outro card já tem este `externalId`.",
    "Find it with `GET /cards?externalId=`, and decide which of the two it belongs to.": (
        "Encontre-o com `GET /cards?externalId=` e decida a qual dos dois ele pertence."
    ),
    "The pipeline is archived: no card comes into it, and those on it stay in their stages.": (
        "O pipeline está arquivado: nenhum card entra nele, e os que estão nele "
        "ficam em suas etapas."
    ),
    (
        "Take it out of the archive with `PATCH /pipelines/{{id}}`, or transfer the "
        "deal to another pipeline."
    ): ("Desarquive-o com `PATCH /pipelines/{{id}}`, ou transfira o negócio para outro pipeline."),
    (
        "The deal is won or lost, and the operation is for open ones; or it is lost "
        "for another reason."
    ): (
        "O negócio está ganho ou perdido, e a operação é para negócios abertos; ou "
        "foi perdido por outro motivo."
    ),
    "Reopen it first with `POST /cards/{{id}}/reabrir`.": (
        "Reabra-o primeiro com `POST /cards/{{id}}/reabrir`."
    ),
    "The deal is open.": "O negócio está aberto.",
    "Nothing to do.": "Nada a fazer.",
    "The pipeline of the deal has no stage with the outcome `ganho`.": (
        "O pipeline do negócio não tem etapa com resultado `ganho`."
    ),
    "Add one with `POST /pipelines/{{id}}/etapas`.": (
        "Crie uma com `POST /pipelines/{{id}}/etapas`."
    ),
    "The pipeline of the deal has no stage with the outcome `perda`.": (
        "O pipeline do negócio não tem etapa com resultado `perda`."
    ),
    (
        "An id in the body names nothing that the record may point to: contacts, companies, "
        "messages, pipelines and stages of the organization and environment, active accounts, "
        "active reasons of the pipeline."
    ): (
        "Um id no corpo não indica nada a que o registro possa apontar: contatos, empresas, "
        "mensagens, pipelines e etapas da organização e do ambiente, contas ativas, "
        "motivos ativos "
        "do pipeline."
    ),
    "Check each id named in `errors`. Links that do not change are not looked at.": (
        "Confira cada id indicado em `errors`. Vínculos que não mudam não são verificados."
    ),
    (
        "The stage demands fields that the card lacks (`meta.campos`): `valor` above zero, "
        "`dataPrevista`, `contato` (`contatoId`, or a principal one among `contatos`), "
        "`responsavel`."
    ): (
        "A etapa exige campos que faltam ao card (`meta.campos`): `valor` acima de zero, "
        "`dataPrevista`, `contato` (`contatoId`, ou um principal entre `contatos`), `responsavel`."
    ),
    "Send them in `campos` with the move.": "Envie-os em `campos` junto com a movimentação.",
    "A deal was to be lost without a reason, and its pipeline has active ones.": (
        "Um negócio ia ser perdido sem motivo, e o pipeline dele tem motivos ativos."
    ),
    "Send the id of one in `motivoPerdaId`; `GET /pipelines/{{id}}` lists them.": (
        "Envie o id de um em `motivoPerdaId`; `GET /pipelines/{{id}}` lista os motivos."
    ),
    "The reason for the loss has `exigeObservacao`.": "O motivo da perda tem `exigeObservacao`.",
    "Say more in `observacaoPerda`.": "Diga mais em `observacaoPerda`.",
    "A reason or a note came along into a stage that loses no deals.": (
        "Um motivo ou uma observação veio junto para uma etapa que não perde negócios."
    ),
    "Leave it out.": "Omita-o.",
    (
        "A stage or a status was to be changed with the other fields, or a card to "
        "be transferred within its pipeline."
    ): (
        "Uma etapa ou um status ia ser alterado com os outros campos, ou um card ia ser "
        "transferido dentro do próprio pipeline."
    ),
    "Move the card with `POST /cards/{{id}}/mover`.": "Mova o card com `POST /cards/{{id}}/mover`.",
    "An activity would be left without a title and without a text.": (
        "Uma atividade ficaria sem título e sem texto."
    ),
    "Send one of them.": "Envie um dos dois.",
    "Another pipeline that is not archived, or another stage of the pipeline, has this name.": (
        "Outro pipeline não arquivado, ou outra etapa do pipeline, já tem este nome."
    ),
    "Use that one, or another name.": "Use esse, ou outro nome.",
    "The record changed since it was read: its version is `meta.versaoAtual` by now.": (
        "O registro mudou desde que foi lido: a versão dele agora é `meta.versaoAtual`."
    ),
    "Read it again, decide anew, and send its present `versao`.": (
        "Leia-o de novo, decida outra vez e envie a `versao` atual."
    ),
    "Another `tipo` than the pipeline has was sent.": (
        "Foi enviado um `tipo` diferente do que o pipeline tem."
    ),
    "Leave `tipo` out; for another kind, create a pipeline.": (
        "Omita `tipo`; para outro tipo, crie um pipeline."
    ),
    "The pipeline was to be archived, and `meta.quantidade` deals on it are open.": (
        "O pipeline ia ser arquivado, e `meta.quantidade` negócios nele estão abertos."
    ),
    "Win, lose or transfer them, or send `forcar`: then they stay open in the archive.": (
        "Ganhe, perca ou transfira esses negócios, ou envie `forcar`: eles então "
        "ficam abertos no arquivo."
    ),
    (
        "A pipeline with active reasons for losing has no stage with the outcome "
        "`perda`, or would lose it."
    ): (
        "Um pipeline com motivos de perda ativos não tem etapa com resultado "
        "`perda`, ou a perderia."
    ),
    "Add such a stage first, or take the reasons away first (`motivos: []`).": (
        "Crie primeiro essa etapa, ou retire antes os motivos (`motivos: []`)."
    ),
    "The pipeline would have two stages that win deals, or two that lose them.": (
        "O pipeline teria duas etapas que ganham negócios, ou duas que os perdem."
    ),
    "Use the one that is there, or make it an open one first.": (
        "Use a que existe, ou torne-a uma etapa aberta primeiro."
    ),
    "The pipeline has 30 stages.": "O pipeline tem 30 etapas.",
    "Delete one first.": "Exclua uma primeiro.",
    "The pipeline would be left without a stage for open deals.": (
        "O pipeline ficaria sem etapa para negócios abertos."
    ),
    "Add another one with the outcome `aberta` first.": (
        "Crie primeiro outra com resultado `aberta`."
    ),
    "Deals lie in the stage: `meta.quantidade` of them, `meta.exemplos` names up to ten.": (
        "Há negócios na etapa: `meta.quantidade` deles, e `meta.exemplos` indica até dez."
    ),
    "Move them first; to delete the stage, name the one that takes them in `moverPara`.": (
        "Mova-os primeiro; para excluir a etapa, indique em `moverPara` a que os recebe."
    ),
    "More than 5,000 deals lie in the stage that is to be deleted: `meta.quantidade` of them.": (
        "Mais de 5.000 negócios estão na etapa que ia ser excluída: `meta.quantidade` deles."
    ),
    "Move some of them first, for instance with `POST /cards/mover-lote`.": (
        "Mova alguns primeiro, por exemplo com `POST /cards/mover-lote`."
    ),
    "Not available yet": "Ainda não disponível",
    "Pipelines of the kinds `cobranca` and `onboarding` are not available yet.": (
        "Pipelines dos tipos `cobranca` e `onboarding` ainda não estão disponíveis."
    ),
    "Leave `tipo` out, or send `vendas`.": "Omita `tipo`, ou envie `vendas`.",
    "No such field": "Não existe esse campo",
    "A stage demands something else than `valor`, `dataPrevista`, `contato` and `responsavel`.": (
        "Uma etapa exige algo além de `valor`, `dataPrevista`, `contato` e `responsavel`."
    ),
    "Leave it out: no stage can demand other fields.": (
        "Omita-o: nenhuma etapa pode exigir outros campos."
    ),
    "A reason has a text": "Um motivo tem um texto",
    "A reason for losing has no text, or one of spaces only.": (
        "Um motivo de perda não tem texto, ou só tem espaços."
    ),
    "Give it one, or leave the entry out.": "Dê um texto a ele, ou omita a entrada.",
    "A reason was named by an id that the pipeline does not know.": (
        "Um motivo foi indicado por um id que o pipeline não conhece."
    ),
    "Leave `id` out for a new reason.": "Omita `id` para um motivo novo.",
    "`moverPara` names no other open stage of the pipeline: deals are not won or lost by the way.": (
        "`moverPara` não indica outra etapa aberta do pipeline: negócios não são "
        "ganhos nem perdidos de passagem."
    ),
    "Name another stage of the pipeline with the outcome `aberta`.": (
        "Indique outra etapa do pipeline com resultado `aberta`."
    ),
    "Send a `de` that is not later than `ate`.": "Envie um `de` que não seja posterior a `ate`.",
    (
        "Every operation of the CRM lists this status; one that takes neither body "
        "nor parameters never answers it."
    ): (
        "Toda operação do CRM lista este status; uma que não leva corpo nem "
        "parâmetros nunca o responde."
    ),
    "Deals in the stage lack what the stage in `moverPara` demands; all of them stay.": (
        "Falta a negócios da etapa o que a etapa em `moverPara` exige; todos ficam."
    ),
    "Fill the fields of the deals in `meta.exemplos`, or name another stage.": (
        "Preencha os campos dos negócios em `meta.exemplos`, ou indique outra etapa."
    ),
    "`etapaIds` lacks a stage of the pipeline, names one twice, or names one of another pipeline.": (
        "A `etapaIds` falta uma etapa do pipeline, ou ela indica uma duas vezes, ou "
        "uma de outro pipeline."
    ),
    "Read the pipeline and send every one of its stages exactly once.": (
        "Leia o pipeline e envie cada uma de suas etapas exatamente uma vez."
    ),
}
