"""Decisions about sends, in Portuguese."""

SENTENCES = {
    "Ask for 1 to {MOST_DECISIONS} decisions": "Peça de 1 a {MOST_DECISIONS} decisões",
    "Ask about at most {MAX_CONTACTS} contacts at once": (
        "Pergunte sobre no máximo {MAX_CONTACTS} contatos de uma vez"
    ),
    "The credential may send on this channel.": "A credencial pode enviar neste canal.",
    "The credential lacks the scope that this send needs.": (
        "A credencial não tem o escopo que este envio exige."
    ),
    "Use a credential with the scope, or let an administrator give it.": (
        "Use uma credencial com o escopo ou peça a um administrador que o conceda."
    ),
    "The request is complete and can be sent.": "O pedido está completo e pode ser enviado.",
    "Something in the request cannot be sent as it is.": (
        "Algo no pedido não pode ser enviado como está."
    ),
    "Correct the fields that the answer named, and send again.": (
        "Corrija os campos que a resposta indicou e envie de novo."
    ),
    "The Idempotency-Key was free for this request.": (
        "A Idempotency-Key estava livre para este pedido."
    ),
    "The Idempotency-Key belongs to another request.": (
        "A Idempotency-Key pertence a outro pedido."
    ),
    "Send a new key for a new message, and the same key only for a repeat.": (
        "Envie uma chave nova para uma mensagem nova, e a mesma chave só para uma repetição."
    ),
    "The limit of messages per second had room.": (
        "Havia lugar no limite de mensagens por segundo."
    ),
    "More was sent in a second than is contracted.": (
        "Em um segundo foi enviado mais do que o contratado."
    ),
    "Wait for the seconds in Retry-After, or ask for a higher limit.": (
        "Espere os segundos de Retry-After ou peça um limite maior."
    ),
    "The route has a price for this organization.": "A rota tem preço para esta organização.",
    "The route has no price for this organization.": "A rota não tem preço para esta organização.",
    "Use another route, or ask for a quote.": "Use outra rota ou peça uma cotação.",
    "A provider carries this channel.": "Um provedor atende este canal.",
    "No provider carries this channel at the moment.": (
        "No momento nenhum provedor atende este canal."
    ),
    "Ask the operator of the service to configure a provider.": (
        "Peça ao operador do serviço que configure um provedor."
    ),
    "No opt-out stood against this message.": "Nenhum descadastro impedia esta mensagem.",
    "The recipient asked not to be written to.": "O destinatário pediu para não receber mensagens.",
    "Do not write to this recipient, or use a transactional route for what is not marketing.": (
        "Não escreva a este destinatário, ou use uma rota transacional para o que não é marketing."
    ),
    "The address is not suppressed.": "O endereço não está suprimido.",
    "The address does not work, or its owner complained.": (
        "O endereço não funciona, ou o dono reclamou."
    ),
    "Remove the address, or lift the suppression once it works again.": (
        "Remova o endereço, ou retire a supressão quando ele voltar a funcionar."
    ),
    "The recipient wrote within 24 hours, or a template was sent.": (
        "O destinatário escreveu nas últimas 24 horas, ou um template foi enviado."
    ),
    "The recipient has not written within 24 hours.": (
        "O destinatário não escreveu nas últimas 24 horas."
    ),
    "Send an approved template.": "Envie um template aprovado.",
    "The template may be used with these variables.": (
        "O template pode ser usado com estas variáveis."
    ),
    "The template cannot be used so.": "O template não pode ser usado assim.",
    "Use an approved template, with all its variables.": (
        "Use um template aprovado, com todas as variáveis."
    ),
    "What the message leaves from may send.": "O remetente da mensagem pode enviar.",
    "What the message leaves from cannot send at the moment.": (
        "No momento o remetente da mensagem não pode enviar."
    ),
    "Verify the sender, or use another one.": "Verifique o remetente ou use outro.",
    "It was not within the quiet hours.": "Não era horário de silêncio.",
    "It was within the quiet hours; the message waits until they end.": (
        "Era horário de silêncio; a mensagem espera até ele terminar."
    ),
    "Wait, or send it as urgent where that is allowed.": (
        "Espere, ou envie como urgente onde isso é permitido."
    ),
    "The recipient had not received too many messages.": (
        "O destinatário não tinha recebido mensagens demais."
    ),
    "The recipient received as many messages as are allowed.": (
        "O destinatário já recebeu tantas mensagens quantas são permitidas."
    ),
    "Send again later.": "Envie de novo mais tarde.",
    "The sender's pace had room.": "Havia lugar no ritmo do remetente.",
    "The message waits for the pace of its sender.": (
        "A mensagem espera a vez no ritmo do remetente."
    ),
    "Wait; it leaves by itself.": "Espere; ela sai sozinha.",
    "The wallet covered the price.": "A carteira cobria o preço.",
    "The wallet did not cover the price.": "A carteira não cobria o preço.",
    "Add credit, and send again.": "Adicione crédito e envie de novo.",
    "The price was known.": "O preço era conhecido.",
    "No price was known.": "Nenhum preço era conhecido.",
    "Ask the operator of the service for a price.": "Peça um preço ao operador do serviço.",
    "It was still worth sending.": "Ainda valia a pena enviar.",
    "The time in which it was worth sending is over.": (
        "O prazo em que valia a pena enviar terminou."
    ),
    "Send it again with a longer validity.": "Envie de novo com uma validade maior.",
    "The provider took the message.": "O provedor aceitou a mensagem.",
    "The provider did not take the message.": "O provedor não aceitou a mensagem.",
    "Send it again later; where it happens again, tell the operator the message's id.": (
        "Envie de novo mais tarde; se acontecer de novo, informe o id da mensagem ao operador."
    ),
    "The delivery was reported.": "A entrega foi informada.",
    "It was reported that the message was not delivered.": (
        "Foi informado que a mensagem não foi entregue."
    ),
    "Check the recipient's address or phone.": "Confira o endereço ou o telefone do destinatário.",
    "It passed every rule.": "Passou por todas as regras.",
    "It was canceled before it left.": "Foi cancelada antes de sair.",
    "It waits for the time that it was asked for.": "Espera a hora para a qual foi pedida.",
    "It is being handed over.": "Está sendo entregue ao provedor.",
    "No delivery has been reported yet.": "Nenhuma entrega foi informada ainda.",
    "It lies at most a year ahead or back": "Fica no máximo um ano à frente ou atrás",
    "Send either contactId or to": "Envie contactId ou to",
    "Ask about a channel that writes to one recipient": (
        "Pergunte sobre um canal que escreve a um destinatário"
    ),
    "The contact has no address on this channel": "O contato não tem endereço neste canal",
}
