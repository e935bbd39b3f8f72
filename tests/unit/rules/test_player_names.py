"""Names of players: normalization, and refusal of confusable names."""

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.player_names import player_and_rest, player_called, player_names

COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna\t", "Anna"),
        ("Anna \u00a0 Maria", "Anna Maria"),
        (DECOMPOSED, COMPOSED),
        ("O’Neill-Šťastná", "O’Neill-Šťastná"),
        ("👩\u200d🎤", "👩\u200d🎤"),
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),
        ("=1+1", "=1+1"),
        ("x" * 60, "x" * 60),
    ],
)
def test_player_name_is_normalized(typed: str, name: str) -> None:
    assert player_names([typed]) == (name,)


@pytest.mark.parametrize("unseen", ["\n", "\t", "\x00", "\x1b", "\u200b", "\u202e", "\ufeff", "\xad", "\udcff", ","])
def test_invisible_characters_and_commas_are_refused(unseen: str) -> None:
    with pytest.raises(InputError, match="cannot be a player’s name"):
        player_names(["Ben", f"An{unseen}na"])


@pytest.mark.parametrize(
    "names",
    [
        ("Red", "Red"),
        ("Red", "Red "),
        ("Red", "red"),
        ("Straße", "STRASSE"),
        (COMPOSED, DECOMPOSED),
        (COMPOSED.upper(), DECOMPOSED),
        ("Anna  Maria", "anna\u2003maria"),
        ("Red", "Re\u200dd"),
        ("Red", "Red\ufe0f"),
        *[("Red", empty) for empty in ("", "  ", "\u00a0", "\u2003", "\u200d", "\u3164")],
    ],
)
def test_confusable_or_invisible_names_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="Every player needs a name of their own"):
        player_names([names[0], "Blue", names[1]])


def test_too_long_name_is_refused() -> None:
    assert player_names(["A" * 20], 20) == ("A" * 20,)
    with pytest.raises(InputError, match="too long to be read"):
        player_names(["A" * 21], 20)
    with pytest.raises(InputError, match="too long to be read"):
        player_names(["A" * 61])


@pytest.mark.parametrize(
    ("typed", "players", "called"),
    [
        ("Ann", ("Ann", "Ben"), "Ann"),
        ("ANN ", ("Ann", "Ben"), "Ann"),
        (DECOMPOSED, ("Ann", COMPOSED), COMPOSED),
        ("Cleo", ("Ann", "Ben"), None),
        ("red", ("Red", "red"), "red"),
        ("RED", ("Red", "red"), None),
    ],
)
def test_player_is_found_by_typed_name(typed: str, players: tuple[str, ...], called: str | None) -> None:
    assert player_called(typed, players) == called


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Anna WU CD t", ("Anna", "WU CD t")),
        ("anna maria  WU CD", ("Anna Maria", "WU CD")),
        ("ANNA", ("Anna", "")),
        (f"{DECOMPOSED} SS SF", (COMPOSED, "SS SF")),
        ("STRASSE SS SF", ("Straße", "SS SF")),
        ("Annabel SS SF", None),
        ("", None),
    ],
)
def test_player_name_is_split_from_the_pose(text: str, split: tuple[str, str] | None) -> None:
    assert player_and_rest(text, ("Anna", "Anna Maria", COMPOSED, "Straße")) == split
