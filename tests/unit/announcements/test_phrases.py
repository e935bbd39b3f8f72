"""Announcements in each language, by the words of the rulebook for English, and the choice of a voice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.announcements.phrases import (
    announce,
    announce_camera_back,
    announce_camera_lost,
    announce_catch_up,
    announce_copy,
    announce_movement,
    ask_to_check,
    spoken,
)
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.voice.voices import Voice, VoiceError, voice_called, voice_of_language

MOOSE, RABBIT, BUSH = Animal.MOOSE, Animal.RABBIT, Animal.BUSH


@pytest.mark.parametrize(
    ("species", "total", "names", "expected"),
    [
        (MOOSE, 3, [], "Moose ahead 3"),
        (RABBIT, -2, [], "Rabbit back 2"),
        (MOOSE, 0, [], "Moose doesn't move"),
        (BUSH, None, [], "Bush — both back 1"),
        (MOOSE, 3, ["Red", "Blue"], "Red and Blue: moose ahead 3"),
        (RABBIT, -2, ["Red", "Blue", "Green"], "Red, Blue and Green: rabbit back 2"),
        (BUSH, None, ["Anna"], "Anna: bush — both back 1"),
    ],
)
def test_a_move_is_announced_in_english(species: Animal, total: int | None, names: list[str], expected: str) -> None:
    assert announce(species, total, names) == expected


@pytest.mark.parametrize(
    ("language", "species", "total", "names", "expected"),
    [
        ("de", MOOSE, 3, ["Rot", "Blau"], "Rot und Blau: Elch 3 vor"),
        ("de", RABBIT, -2, [], "Hase 2 zurück"),
        ("de", RABBIT, 0, [], "Hase bleibt stehen"),
        ("de", BUSH, None, ["Rot"], "Rot: Busch — beide 1 zurück"),
        ("fr", MOOSE, 3, ["Rouge", "Bleu", "Vert"], "Rouge, Bleu et Vert\N{NO-BREAK SPACE}: l’élan avance de 3 cases"),
        ("fr", MOOSE, 1, [], "L’élan avance d’une case"),
        ("fr", RABBIT, -2, [], "Le lapin recule de 2 cases"),
        ("fr", RABBIT, 0, [], "Le lapin ne bouge pas"),
        ("fr", BUSH, None, [], "Buisson — les deux reculent d’une case"),
        ("es", MOOSE, 3, ["Rojo", "Azul"], "Rojo y Azul: el alce avanza 3 casillas"),
        ("es", RABBIT, -1, [], "El conejo retrocede una casilla"),
        ("es", MOOSE, 0, [], "El alce no se mueve"),
        ("es", BUSH, None, [], "Arbusto — los dos retroceden una casilla"),
        ("es", MOOSE, 3, ["Rojo", "Inés"], "Rojo e Inés: el alce avanza 3 casillas"),
        ("es", MOOSE, 3, ["Rojo", "Hilda"], "Rojo e Hilda: el alce avanza 3 casillas"),
        ("es", MOOSE, 3, ["Rojo", "Hierro"], "Rojo y Hierro: el alce avanza 3 casillas"),
        ("cs", MOOSE, 1, [], "Los o jedno pole vpřed"),
        ("cs", RABBIT, -2, ["Červený", "Modrý"], "Červený a Modrý: králík o dvě pole zpět"),
        ("cs", MOOSE, 4, [], "Los o 4 pole vpřed"),
        ("cs", MOOSE, 5, [], "Los o 5 polí vpřed"),
        ("cs", MOOSE, 0, [], "Los zůstává stát"),
        ("cs", BUSH, None, [], "Keř — oba o jedno pole zpět"),
    ],
)
def test_a_move_is_announced_in_the_other_languages(
    language: str, species: Animal, total: int | None, names: list[str], expected: str
) -> None:
    assert announce(species, total, names, Language(language)) == expected


def test_the_bush_is_spoken_with_a_pause() -> None:
    assert spoken(announce(BUSH, None)) == "Bush, both back 1"


@given(st.sampled_from([MOOSE, RABBIT]), st.integers(-60, 60), st.sampled_from(Language))
def test_no_two_scores_are_announced_alike(species: Animal, total: int, language: Language) -> None:
    sentence = announce(species, total, language=language)
    others = {
        announce(animal, number, language=language)
        for animal in (MOOSE, RABBIT)
        for number in range(-60, 61)
        if (animal, number) != (species, total)
    }
    assert sentence not in others | {announce(BUSH, None, language=language)}
    assert "{" not in sentence
    assert abs(total) < 3 or str(abs(total)) in sentence


@given(
    st.sampled_from(Animal),
    st.none() | st.integers(-9, 9),
    st.lists(st.sampled_from(["Anna", "Řehoř", "Zoë", "{0}"]), max_size=5),
    st.sampled_from(Language),
)
def test_every_name_is_heard_once_and_in_order(
    species: Animal, total: int | None, names: list[str], language: Language
) -> None:
    alone = announce(species, total, language=language)
    together = announce(species, total, names, language)
    assert together.lower().endswith(alone.lower())
    before = together[: len(together) - len(alone)]
    for name in names:
        position = before.index(name)
        before = before[position + len(name) :]


@pytest.mark.parametrize("language", Language)
def test_requests_are_announced_in_every_language(language: Language) -> None:
    sentences = [
        ask_to_check(["Ana"], language),
        ask_to_check(["Ana", "Bo"], language),
        announce_movement(["Ana"], language),
        announce_movement(["Ana", "Bo"], language),
        announce_catch_up(RABBIT, ["Ana"], language),
        announce_catch_up(MOOSE, ["Ana"], language),
        announce_camera_lost(language),
        announce_camera_back(language),
    ]
    assert len(set(sentences)) == len(sentences)
    assert all("Ana" in sentence for sentence in sentences[:6])
    assert not any("{" in sentence for sentence in sentences)


def test_requests_in_english() -> None:
    assert ask_to_check(["Blue"]) == "Blue, please check"
    assert announce_movement(["Blue", "Green"]) == "Blue and Green moved"
    assert announce_catch_up(RABBIT, ["Red", "Blue"]) == "Catching up — Red and Blue: rabbit ahead 1"


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "de",
            (
                "Ana, bitte nachsehen",
                "Ana und Bo, bitte nachsehen",
                "Ana hat sich bewegt",
                "Ana und Bo haben sich bewegt",
                "Aufholen — Ana: Hase 1 vor",
                "Die Kamera ist weg. Das Spiel wartet.",
                "Die Kamera ist wieder da.",
            ),
        ),
        (
            "fr",
            (
                "Ana, vérifie, s’il te plaît",
                "Ana et Bo, vérifiez, s’il vous plaît",
                "Ana a bougé",
                "Ana et Bo ont bougé",
                "Rattrapage — Ana\N{NO-BREAK SPACE}: le lapin avance d’une case",
                "La caméra ne répond plus. Le jeu attend.",
                "La caméra est revenue.",
            ),
        ),
        (
            "es",
            (
                "Ana, por favor, compruébalo",
                "Ana y Bo, por favor, comprobadlo",
                "Ana se ha movido",
                "Ana y Bo se han movido",
                "Remontada — Ana: el conejo avanza una casilla",
                "La cámara no responde. El juego espera.",
                "La cámara ha vuelto.",
            ),
        ),
        (
            "cs",
            (
                "Ana, prosím zkontroluj",
                "Ana a Bo, prosím zkontrolujte",
                "Ana se hýbe",
                "Ana a Bo se hýbou",
                "Dotažení — Ana: králík o jedno pole vpřed",
                "Kamera nic neukazuje. Hra čeká.",
                "Kamera je zpátky.",
            ),
        ),
    ],
)
def test_requests_in_the_other_languages(language: str, sentences: tuple[str, ...]) -> None:
    its = Language(language)
    assert sentences == (
        ask_to_check(["Ana"], its),
        ask_to_check(["Ana", "Bo"], its),
        announce_movement(["Ana"], its),
        announce_movement(["Ana", "Bo"], its),
        announce_catch_up(RABBIT, ["Ana"], its),
        announce_camera_lost(its),
        announce_camera_back(its),
    )


AMERICAN = Voice("gmw/en-us", "English (America)", "en-us")
BRITISH = Voice("gmw/en", "English (Great Britain)", "en-gb")
GERMAN = Voice("gmw/de", "German", "de")
AUSTRIAN = Voice("x", "Resi", "de-at")
MEXICAN = Voice("y", "Paulina", "es-mx")
SILENT_ABOUT_ITSELF = Voice("z", "Hal", "")
VOICES = (AMERICAN, BRITISH, AUSTRIAN, GERMAN, MEXICAN, SILENT_ABOUT_ITSELF)


@pytest.mark.parametrize(
    ("wanted", "voice"),
    [
        ("German", GERMAN),
        (" german ", GERMAN),
        ("de", GERMAN),
        ("de_AT", AUSTRIAN),
        ("DE-at", AUSTRIAN),
        ("en", BRITISH),
        ("es", MEXICAN),
        ("hal", SILENT_ABOUT_ITSELF),
        ("gmw/en-us", AMERICAN),
    ],
)
def test_a_voice_is_found_by_its_name_or_its_language(wanted: str, voice: Voice) -> None:
    assert voice_called(wanted, VOICES) is voice


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("Germn", "“German”"),
        ("english", "“English (America)”, “English (Great Britain)”"),
        ("paulin", "“Paulina”"),
        *[(unlike, "") for unlike in ("", "  ", "xx", "Ωμέγα")],
    ],
)
def test_an_unknown_voice_suggests_similar_names(wanted: str, near: str) -> None:
    with pytest.raises(VoiceError, match="there is no voice") as raised:
        voice_called(wanted, VOICES)
    assert near in str(raised.value)
    assert ("?" in str(raised.value)) is bool(near)


def test_a_language_may_have_no_voice() -> None:
    assert voice_of_language("cs", VOICES) is None


@pytest.mark.parametrize(
    ("language", "total", "expected"),
    [
        (Language.ENGLISH, 4, "Red: moose ahead 4"),
        (Language.ENGLISH, None, "Red follows Blue: both back 1"),
        (Language.GERMAN, None, "Red folgt Blue: beide 1 zurück"),
        (Language.CZECH, None, "Red jako Blue: oba o jedno pole zpět"),
    ],
)
def test_a_copied_bush_is_not_announced_as_a_bush(language: Language, total: int | None, expected: str) -> None:
    species = BUSH if total is None else MOOSE
    assert announce_copy(species, total, "Red", "Blue", language) == expected
