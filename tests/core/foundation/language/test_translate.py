"""How a sentence is found in the catalogue."""

from core.foundation.language import has_translation, translated
from core.foundation.language.translate import catalogue_of

CATALOGUE = catalogue_of(
    {
        "Send a text": "Envie um texto",
        "text": "texto",
        "Go on.": "Siga.",
        "Send at most {most} characters": "Envie no máximo {most} caracteres",
        "At most {most} {kind}s may stand here": "Aqui cabem no máximo {most} de {kind}",
        "{field}: {said}": "{field}: {said}",
        "There is no such {thing}": "Não existe {thing} assim",
        "There is no such company": "Não existe essa empresa",
        "Ask for less.": "Peça menos.",
        "Write variables as {{1}} or {{{{1}}}}": "Escreva variáveis como {{1}} ou {{{{1}}}}",
        "Variable {{{name}}} is missing": "Falta a variável {{{name}}}",
    }
)


def test_a_sentence_is_found_as_it_stands_with_or_without_its_full_stop() -> None:
    assert CATALOGUE.translate("Send a text") == "Envie um texto"
    assert CATALOGUE.translate("Send a text.") == "Envie um texto."
    assert CATALOGUE.translate("Go on") == "Siga"
    assert CATALOGUE.translate("/a: Go on.") == "/a: Siga."


def test_the_full_stop_of_a_sentence_fills_no_place() -> None:
    assert CATALOGUE.translate("There is no such company.") == "Não existe essa empresa."
    assert CATALOGUE.translate("There is no such card.") == "Não existe card assim."
    assert CATALOGUE.translate("Ask for less") == "Peça menos"


def test_a_number_has_the_points_of_the_language() -> None:
    assert (
        CATALOGUE.translate("Send at most 50,000 characters") == "Envie no máximo 50.000 caracteres"
    )
    assert (
        CATALOGUE.translate("At most 1,000,000 a,bs may stand here")
        == "Aqui cabem no máximo 1.000.000 de a,b"
    )


def test_what_was_filled_in_is_filled_in_again() -> None:
    assert CATALOGUE.translate("Send at most 30 characters") == "Envie no máximo 30 caracteres"
    assert (
        CATALOGUE.translate("At most 3 buttons may stand here.")
        == "Aqui cabem no máximo 3 de button."
    )
    assert CATALOGUE.translate("Variable {nome} is missing") == "Falta a variável {nome}"


def test_what_was_filled_in_is_translated_where_it_is_a_sentence_itself() -> None:
    assert CATALOGUE.translate("/a: Send a text") == "/a: Envie um texto"
    assert CATALOGUE.translate("/a: text") == "/a: text", "a name stays"


def test_the_sentence_with_the_most_words_of_its_own_is_the_one() -> None:
    assert CATALOGUE.translate("At most 1: 2s may stand here") == "Aqui cabem no máximo 1: de 2"


def test_braces_of_the_text_itself_stay() -> None:
    assert (
        CATALOGUE.translate("Write variables as {1} or {{1}}")
        == "Escreva variáveis como {1} ou {{1}}"
    )


def test_an_unknown_sentence_has_no_translation_and_stays() -> None:
    assert CATALOGUE.translate("Send nothing") is None
    assert not has_translation("No such sentence, at all")
    assert translated("No such sentence, at all", "pt-BR") == "No such sentence, at all"


def test_english_is_what_stands_in_the_code() -> None:
    assert translated("Not Found", "en") == "Not Found"
    assert translated("Not Found", "pt-BR") == "Não encontrado"
