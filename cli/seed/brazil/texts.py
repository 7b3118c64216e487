"""Texts of SMS: `{nome}` is the recipient's first name; everything else stands for itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """What a campaign is about: its name in the tag, and its text."""

    name: str
    text: str


THEMES = (
    Theme(
        "frete-gratis",
        "{nome}, hoje o frete é por nossa conta em todo o site! Use o cupom FRETE0 até meia-noite.",
    ),
    Theme(
        "liquida",
        "LIQUIDA GERAL: até 60% off em toda a loja, só até domingo. Confira: "
        "https://loja.example/liquida",
    ),
    Theme(
        "carrinho",
        "Oi {nome}, você esqueceu itens no carrinho. Finalize agora e ganhe 10% com o cupom "
        "VOLTA10.",
    ),
    Theme(
        "clube",
        "{nome}, seus pontos do Clube vencem em 7 dias. Troque por descontos: "
        "https://loja.example/clube",
    ),
    Theme(
        "aniversario",
        "Parabéns, {nome}! 🎉 Seu presente: 20% de desconto em qualquer compra até o fim do mês.",
    ),
    Theme(
        "fatura",
        "{nome}, sua fatura vence amanhã. Pague pelo app com Pix ou pelo código de barras "
        "enviado ao seu e-mail. Se já "
        "pagou, desconsidere. Dúvidas? Responda esta mensagem ou ligue para a central de "
        "atendimento 24 horas.",
    ),
    Theme(
        "reativacao",
        "Sentimos sua falta, {nome} 💜 Volte com 25% off na primeira compra: cupom SAUDADE25.",
    ),
    Theme(
        "lancamento",
        "Chegou a nova coleção! {nome}, clientes como você compram antes: "
        "https://loja.example/novo",
    ),
    Theme(
        "pesquisa",
        "{nome}, de 0 a 10, quanto você nos recomendaria a um amigo? Responda com um número.",
    ),
    Theme(
        "consulta",
        "{nome}, confirme sua consulta de amanhã respondendo SIM ou NAO. Clínica Boa Saúde.",
    ),
    Theme(
        "renegocie",
        "{nome}, feirão de renegociação: quite suas parcelas em atraso com até 80% de desconto e "
        "limpe seu nome em 5 "
        "dias úteis. Proposta válida até sexta. Simule sem compromisso: "
        "https://banco.example/acordo",
    ),
    Theme(
        "evento",
        "{nome}, é amanhã! Portões abrem às 18h. Apresente o QR Code do app na entrada. Até lá!",
    ),
)

NOTICES = (
    "Pedido recebido! {nome}, seu pedido 48213 foi confirmado e já está em separação.",
    "{nome}, seu pedido 48213 saiu para entrega e chega hoje até as 20h.",
    "Entregue! Seu pedido 48213 foi recebido na portaria. Obrigado por comprar conosco.",
    "Pix de R$ 149,90 recebido. Obrigado, {nome}!",
    "{nome}, seu boleto de R$ 89,90 vence em 3 dias. Segunda via no app.",
    "Olá {nome}, seu chamado 77120 foi atualizado. Acompanhe em https://ajuda.example/77120",
    "{nome}, o técnico chega entre 14h e 16h. Tenha em mãos um documento com foto.",
    "Sua nota fiscal está disponível em https://nf.example/a1b2c3",
)

CODES = (
    "Seu código é 482913. Não compartilhe com ninguém.",
    "482913 é o seu código de verificação. Ele vale por 10 minutos.",
    "Use 482913 para confirmar a compra no cartão final 4417. Não foi você? Ligue para o banco.",
)

REPLIES = (
    "SIM", "Sim", "sim", "NAO", "Não", "10", "9", "8", "7", "Ok", "Obrigado!", "Obrigada",
    "Já paguei",
    "Quero saber mais", "Como faço?", "Qual o valor?", "Pode me ligar?", "👍",
)  # fmt: skip

SOMEBODY = "cliente"
"""How a recipient is called whose name nobody knows."""
