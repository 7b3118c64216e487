"""Flows, in Portuguese."""

SENTENCES = {
    "A deprecated or archived flow cannot be changed.": (
        "Um flow descontinuado ou arquivado não pode ser alterado."
    ),
    "A newer version of this flow is being written; change that one.": (
        "Uma versão mais nova deste flow está sendo escrita; altere essa versão."
    ),
    "This flow is being published at this moment; try again in a minute.": (
        "Este flow está sendo publicado neste momento; tente de novo em um minuto."
    ),
    "The flow has errors; correct what its validation names, then publish it.": (
        "O flow tem erros; corrija o que a validação aponta e publique de novo."
    ),
    "This flow cannot be sent: it is not active, or the platform holds it back; see meta.": (
        "Este flow não pode ser enviado: não está ativo, ou a plataforma o retém; veja meta."
    ),
    "The number has no flow of this id": "O número não tem flow com este id",
    "No number of this organization and environment has this id": (
        "Nenhum número desta organização e deste ambiente tem este id"
    ),
    "No platform of conversations is configured for live flows; nothing was changed.": (
        "Nenhuma plataforma de conversas está configurada para flows em produção; nada mudou."
    ),
    "The screens hold at most {most} values": "As telas guardam no máximo {most} valores",
    "Only an active or paused flow can be deprecated.": (
        "Só um flow ativo ou pausado pode ser descontinuado."
    ),
    "Only an active flow can be paused.": "Só um flow ativo pode ser pausado.",
    "Only a paused flow can be resumed.": "Só um flow pausado pode ser retomado.",
    "Only a draft or a deprecated flow can be archived.": (
        "Só um rascunho ou um flow descontinuado pode ser arquivado."
    ),
    "Only a draft can be deleted; deprecate it instead.": (
        "Só um rascunho pode ser excluído; descontinue o flow."
    ),
    "The platform did not deprecate the flow; try again later.": (
        "A plataforma não descontinuou o flow; tente de novo mais tarde."
    ),
    "Only a draft can be published.": "Só um rascunho pode ser publicado.",
    "The platform did not take the flow; it stays a draft.": (
        "A plataforma não aceitou o flow; ele continua como rascunho."
    ),
    "Send an array of children": "Envie uma lista de componentes",
    "A child is an object with a type": "Um componente é um objeto com type",
    "A child has a type, which is a text": "Um componente tem um type, que é um texto",
    "This type is not known here; the platform may refuse it": (
        "Este type não é conhecido aqui; a plataforma pode recusá-lo"
    ),
    "What collects an answer has a name": "O que coleta uma resposta tem um nome",
    "A name is a text that is not empty": "Um nome é um texto não vazio",
    "The platform shows no {type} without it": "A plataforma não mostra {type} sem isto",
    "A flow has at least one screen": "Um flow tem ao menos uma tela",
    "A screen has a layout": "Uma tela tem um layout",
    "There is nothing on this screen": "Não há nada nesta tela",
    "Another screen has this id": "Outra tela já tem este id",
    "The platform takes letters and _ here, and keeps SUCCESS for itself": (
        "A plataforma aceita letras e _ aqui, e reserva SUCCESS para si"
    ),
    "Exactly one screen is terminal: there the flow ends": (
        "Exatamente uma tela é terminal: nela o flow termina"
    ),
    "Another screen is terminal already": "Outra tela já é terminal",
    "The platform wants a Footer where a flow ends": (
        "A plataforma exige um Footer onde o flow termina"
    ),
    "The platform wants a title on each screen": "A plataforma exige um título em cada tela",
    "Something else on this screen has this name": "Outro componente desta tela já tem este nome",
    "What ${{data.…}} names is declared in the data of the screen": (
        "O que ${{data.…}} indica precisa estar declarado em data da tela"
    ),
    "What ${{screen.….data.…}} names is declared in the data of that screen": (
        "O que ${{screen.….data.…}} indica precisa estar declarado em data da tela indicada"
    ),
    "Where data is exchanged, routing_model tells the ways": (
        "Onde há troca de dados, routing_model descreve os caminhos"
    ),
    "No screen has this id": "Nenhuma tela tem este id",
    "A way leads back to a screen that it came from; ways only lead forward": (
        "Um caminho volta a uma tela anterior; caminhos só avançam"
    ),
    "No way leads from the first screen to this one": (
        "Nenhum caminho leva da primeira tela até esta"
    ),
}
