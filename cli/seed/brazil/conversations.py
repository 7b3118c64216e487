"""Texts of conversations: `{nome}` is a first name, `{pedido}` the number of an order."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """A template: its name, its category, its text, and what its variables hold."""

    name: str
    category: str
    text: str
    vars: tuple[str, ...]
    answers: tuple[str, ...] = ()
    """What can be tapped below it."""


WORDINGS = (
    Wording(
        "oferta_da_semana",
        "marketing",
        "Olá {{1}}! Esta semana tem {{2}} em toda a loja. Quer receber o link das ofertas?",
        ("{nome}", "25% de desconto"),
        ("Quero ver", "Agora não"),
    ),
    Wording(
        "carrinho_esquecido",
        "marketing",
        "Oi {{1}}, você deixou itens no carrinho. Finalize hoje com o cupom {{2}} e ganhe o frete.",
        ("{nome}", "VOLTA10"),
        ("Finalizar", "Parar promoções"),
    ),
    Wording(
        "pedido_enviado",
        "utility",
        "Olá {{1}}, seu pedido {{2}} saiu para entrega e chega hoje até as 20h.",
        ("{nome}", "{pedido}"),
    ),
    Wording(
        "pagamento_confirmado",
        "utility",
        "Oi {{1}}, recebemos o pagamento do pedido {{2}}. Ele já está em separação.",
        ("{nome}", "{pedido}"),
    ),
    Wording(
        "consulta_amanha",
        "utility",
        "Olá {{1}}, sua consulta é amanhã às {{2}} na Clínica Boa Saúde. Você confirma?",
        ("{nome}", "14h30"),
        ("Confirmo", "Remarcar"),
    ),
)

QUESTIONS = (
    "Oi, bom dia! Meu pedido {pedido} ainda não chegou",
    "Boa tarde, vocês têm esse modelo no tamanho 38?",
    "Olá, qual o prazo de entrega para o meu CEP?",
    "Oi! Comprei ontem e quero trocar a cor, como faço?",
    "Vocês aceitam Pix parcelado?",
    "Bom dia, preciso da segunda via do boleto do pedido {pedido}",
    "Olá, vi o anúncio de vocês e quero saber mais",
    "A loja do shopping abre no feriado?",
)

FROM_AN_ADVERTISEMENT = "Olá, vi o anúncio de vocês e quero saber mais"

ANSWERS = (
    "Oi, {nome}! Tudo bem? Vou verificar para você agora mesmo.",
    "Olá, {nome}! Pode me confirmar o CPF do titular e o número do pedido, por favor?",
    "Temos sim! Quer que eu separe para você?",
    "O prazo para a sua região é de 2 a 4 dias úteis.",
    "Já localizei aqui: saiu para entrega hoje cedo.",
    "Claro! Te mando o passo a passo por aqui.",
    "Segue o link: https://loja.example/ajuda",
)

REJOINDERS = (
    "Perfeito, obrigada!", "Tá bom, fico no aguardo", "É o pedido {pedido}", "Pode ser sim",
    "Show, valeu!",
    "Até que horas chega?", "E tem desconto à vista?", "Isso mesmo", "👍", "Quero sim, por favor",
    "Hmm, vou pensar",
    "Obrigado pela ajuda 🙏",
)  # fmt: skip

FAREWELLS = (
    "Imagina, {nome}! Qualquer coisa é só chamar 💜",
    "Disponha! Tenha um ótimo dia.",
    "Prontinho, deixei registrado aqui. Até mais!",
)

ADVERTISEMENTS = (
    {"fonte": "meta", "campanha": "verao", "grupo": "publico-amplo", "anuncio": "video-1"},
    {"fonte": "google", "campanha": "marca", "palavraChave": "loja perto de mim"},
    {"fonte": "outra", "fonteRotulo": "panfleto", "codigo": "P10"},
)
