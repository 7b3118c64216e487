"""Templates, in Portuguese."""

SENTENCES = {
    "Send an array of buttons": "Envie uma lista de botões",
    "Send at least one button": "Envie ao menos um botão",
    "Send at most {MAX_BUTTONS} buttons": "Envie no máximo {MAX_BUTTONS} botões",
    "The type is one of {BUTTON_KINDS}": "O type é um destes: {BUTTON_KINDS}",
    "At most {most} button(s) of the type {kind}": "No máximo {most} botão(ões) do type {kind}",
    "Buttons of the type QUICK_REPLY stand together": "Botões do type QUICK_REPLY ficam juntos",
    "The text of a button has no variable": "O texto de um botão não tem variável",
    "Send a whole http or https address": "Envie um endereço http ou https completo",
    "The variable of an address stands once, at its end": (
        "A variável de um endereço aparece uma vez, no fim"
    ),
    "Send the phone in E.164, such as +5511987654321": (
        "Envie o telefone em E.164, como +5511987654321"
    ),
    "Send the id of a flow": "Envie o id de um flow",
    "Send the id of a screen": "Envie o id de uma tela",
    "The kind is one of {OTP_KINDS}": "O tipo é um destes: {OTP_KINDS}",
    "Only a tap of an app names one": "Só o toque de um app indica um",
    "A template under review or disabled cannot be changed.": (
        "Um template em análise ou desativado não pode ser alterado."
    ),
    "A template has a BODY": "Um template tem um BODY",
    "Each type of component stands at most once in a template": (
        "Cada tipo de componente aparece no máximo uma vez em um template"
    ),
    "Only a header of the format TEXT has a text": "Só um cabeçalho no formato TEXT tem texto",
    "The format is one of {HEADER_FORMATS}": "O format é um destes: {HEADER_FORMATS}",
    "A location has no example": "Uma localização não tem exemplo",
    "The example of a file is its https address": "O exemplo de um arquivo é o endereço https dele",
    "A variable is neither the first nor the last in the body": (
        "Uma variável não é nem a primeira nem a última coisa no corpo"
    ),
    "A footer has no variable": "Um rodapé não tem variável",
    "A button OTP goes with the category authentication, and no other does": (
        "Um botão OTP acompanha a categoria authentication, e nenhum outro a acompanha"
    ),
    "An authentication template has a body, a footer and a button": (
        "Um template de autenticação tem um corpo, um rodapé e um botão"
    ),
    "The body has one variable: the code": "O corpo tem uma variável: o código",
    "An offer goes with the category marketing": "Uma oferta acompanha a categoria marketing",
    "An authentication template has exactly one button OTP": (
        "Um template de autenticação tem exatamente um botão OTP"
    ),
    "A template under review cannot be deleted; wait for the decision.": (
        "Um template em análise não pode ser excluído; espere a decisão."
    ),
    "The platform did not remove the template; try again later.": (
        "A plataforma não removeu o template; tente de novo mais tarde."
    ),
    (
        "The number has a template of this name in this language; change that one or "
        "choose another name."
    ): (
        "O número já tem um template com este nome neste idioma; altere esse ou escolha outro nome."
    ),
    "Name and language of a template stay once it was submitted; create another one.": (
        "Nome e idioma de um template ficam depois que ele é enviado para análise; crie outro."
    ),
    (
        "A template that the platform knows keeps its category, in all its versions; "
        "create another one."
    ): ("Um template que a plataforma conhece mantém a categoria em todas as versões; crie outro."),
    "A newer version of this template exists; change that one.": (
        "Existe uma versão mais nova deste template; altere essa versão."
    ),
    "Messages that have not left yet use this template; wait for them or cancel them.": (
        "Mensagens que ainda não saíram usam este template; espere por elas ou cancele-as."
    ),
    "A button opens a flow that is not active; publish it first.": (
        "Um botão abre um flow que não está ativo; publique-o primeiro."
    ),
    "This template cannot be sent: it is not approved, or was replaced; see meta.": (
        "Este template não pode ser enviado: não está aprovado ou foi substituído; veja meta."
    ),
    "Send one text for each variable of the template, in the order of its variaveis.": (
        "Envie um texto para cada variável do template, na ordem de suas variaveis."
    ),
    "The count differs from the template's": "A quantidade difere da do template",
    (
        "Send variables with some text, without line breaks and tabs, with at most "
        "four spaces in a row."
    ): (
        "Envie variáveis com algum texto, sem quebras de linha nem tabulações e com "
        "no máximo quatro espaços seguidos."
    ),
    "Send some text without line breaks, tabs and more than four spaces in a row": (
        "Envie algum texto, sem quebras de linha, tabulações nem mais de quatro espaços seguidos"
    ),
    "The header of this template shows a file; name one": (
        "O cabeçalho deste template mostra um arquivo; indique um"
    ),
    "The header of this template shows a place; send one": (
        "O cabeçalho deste template mostra um lugar; envie um"
    ),
    "No platform of conversations is configured for live templates; nothing was changed.": (
        "Nenhuma plataforma de conversas está configurada para templates em produção; nada mudou."
    ),
    "There is no such field here": "Não existe esse campo aqui",
    "Send a text": "Envie um texto",
    "Send a text that is not blank": "Envie um texto que não esteja em branco",
    "Send at most {most} characters": "Envie no máximo {most} caracteres",
    "Write variables as {{{{1}}}}, {{{{2}}}} and so on, without spaces or names": (
        "Escreva as variáveis como {{{{1}}}}, {{{{2}}}} e assim por diante, sem espaços nem nomes"
    ),
    "Number the variables from {{{{1}}}} without a gap": (
        "Numere as variáveis a partir de {{{{1}}}}, sem lacunas"
    ),
    "At most {most} variable(s) may stand here": "No máximo {most} variável(is) pode(m) ficar aqui",
    "Send an array of texts": "Envie uma lista de textos",
    "An example is a text that is not blank": "Um exemplo é um texto que não está em branco",
    "Send at most {MAX_EXAMPLE_LENGTH} characters": (
        "Envie no máximo {MAX_EXAMPLE_LENGTH} caracteres"
    ),
    "Each variable needs an example": "Cada variável precisa de um exemplo",
    "There are more examples than variables": "Há mais exemplos do que variáveis",
    "Only a draft can be submitted; change a rejected template first.": (
        "Só um rascunho pode ser enviado para análise; altere primeiro um template rejeitado."
    ),
    "The number has a template of this name in this language, in whatever status and version.": (
        "O número já tem um template com este nome neste idioma, em qualquer status e versão."
    ),
    "Change that one, or choose another name.": "Altere esse, ou escolha outro nome.",
    "Name or language of a template changes that was submitted before.": (
        "Muda o nome ou o idioma de um template que já foi enviado para análise."
    ),
    "Create another template.": "Crie outro template.",
    (
        "The category changes of a template that the platform knows: it keeps the "
        "one that it decided on."
    ): (
        "Muda a categoria de um template que a plataforma conhece: ele mantém aquela "
        "que ela decidiu."
    ),
    "A newer version of the template is being written or reviewed; `meta.templateId` is its id.": (
        "Uma versão mais nova do template está sendo escrita ou analisada; "
        "`meta.templateId` é o id dela."
    ),
    "Change that one, or delete it first.": "Altere essa versão, ou exclua-a primeiro.",
    "A template under review cannot be deleted.": "Um template em análise não pode ser excluído.",
    "The template is in a status (`meta.status`) from which it does not move this way.": (
        "O template está em um status (`meta.status`) do qual não segue por este caminho."
    ),
    "Read it, and wait for the decision where it is under review.": (
        "Leia-o, e espere a decisão quando ele está em análise."
    ),
    "A button opens a flow that is not active, or that the platform holds back.": (
        "Um botão abre um flow que não está ativo, ou que a plataforma retém."
    ),
    "Publish the flow, then submit the template.": (
        "Publique o flow e depois envie o template para análise."
    ),
    "Messages that were accepted have not left with this template yet.": (
        "Mensagens aceitas com este template ainda não saíram."
    ),
    "Wait until they left, or cancel them.": "Espere até que saiam, ou cancele-as.",
    "A newer version of the flow is being written; `meta.flowId` is its id.": (
        "Uma versão mais nova do flow está sendo escrita; `meta.flowId` é o id dela."
    ),
    "Change that one, publish it or delete it.": "Altere essa versão, publique-a ou exclua-a.",
    "Only a draft can be deleted.": "Só um rascunho pode ser excluído.",
    "The flow is in a status (`meta.status`) from which it does not move this way.": (
        "O flow está em um status (`meta.status`) do qual não segue por este caminho."
    ),
    "Read it; the documentation of flows shows which way leads where.": (
        "Leia-o; a documentação de flows mostra que caminho leva aonde."
    ),
    "One screen is terminal": "Uma tela é terminal",
    "The flow has errors; `errors` names each.": "O flow tem erros; `errors` indica cada um.",
    "Correct them with `PATCH /v2/flows/{{id}}`.": "Corrija-os com `PATCH /v2/flows/{{id}}`.",
    "Another request is publishing the flow.": "Outra requisição está publicando o flow.",
    "Wait a moment and read the flow.": "Espere um momento e leia o flow.",
    "`numberId` is no number of this organization in this environment.": (
        "`numberId` não é um número desta organização neste ambiente."
    ),
    "Send the id of a number of `GET /numbers`.": "Envie o id de um número de `GET /numbers`.",
    "Components break a rule of the platform; every defect is named, by its place.": (
        "Componentes violam uma regra da plataforma; cada defeito é indicado pelo lugar."
    ),
    "Correct each; the documentation of templates tells the rules.": (
        "Corrija cada um; a documentação de templates conta as regras."
    ),
    "The messaging platform refused, or failed. Nothing was changed here.": (
        "A plataforma de mensagens recusou, ou falhou. Nada mudou aqui."
    ),
    "Try again later; `meta.upstreamCode` is the platform's own code.": (
        "Tente de novo mais tarde; `meta.upstreamCode` é o código da própria plataforma."
    ),
    "No messaging platform is configured in this installation. Nothing was changed.": (
        "Nenhuma plataforma de mensagens está configurada nesta instalação. Nada mudou."
    ),
}
