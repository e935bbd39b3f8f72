"""Spoken questions: one short sentence a player, in five languages."""

from itertools import product

import pytest

from bunnymoose_cv.announcements.questions import announce_unanswered, ask_about, remind
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Pose


@pytest.mark.parametrize(
    ("answers", "question"),
    [
        (["TS WU", "WU WU"], "Blue: is your left an ear?"),
        (["WU WU", "TS WU"], "Blue: is your left an antler?"),
        (["-- WU", "TF WU"], "Blue: is your left an ear?"),
        (["WU TF", "WU --"], "Blue: is your right an ear?"),
        (["CU WU", "WU WU"], "Blue: is your left antler compact?"),
        (["WU WD", "WU WU"], "Blue: does your right antler point down?"),
        (["TF TS", "TS TS"], "Blue: is your left ear floppy?"),
        (["SS TS", "TS TS"], "Blue: is your left ear at the side?"),
        (["TS TS t", "TS TS"], "Blue: is your tongue out?"),
        (["TS TS", "TS TS t"], "Blue: is your tongue out?"),
        (["CD WU", "WU WU"], "Blue: what do you show?"),
        (["CU WU", "WU CU"], "Blue: what do you show?"),
        (["CU WU t", "WU WU"], "Blue: what do you show?"),
        (["CU WU", "WU WU", "TS WU"], "Blue: what do you show?"),
        (["CU WU"], "Blue: what do you show?"),
    ],
    ids=str,
)
def test_the_voice_asks_for_the_one_open_field_or_for_all(answers: list[str], question: str) -> None:
    assert ask_about("Blue", [Pose.parse(answer) for answer in answers]) == question


@pytest.mark.parametrize("language", Language)
def test_questions_differ_in_every_language(language: Language) -> None:
    headgears = ("WU", "CU", "WD", "TS", "SS", "TF")
    pairs = [(f"{one} CD", f"{other} CD") for one, other in product(headgears, headgears) if one != other]
    pairs += [(f"CD {one}", f"CD {other}") for one, other in product(headgears, headgears) if one != other]
    asked = {ask_about("Ana", (Pose.parse(one), Pose.parse(other)), language) for one, other in pairs}
    assert len(asked) == 21
    assert all(line.startswith("Ana") and line.endswith("?") and len(line) < 60 for line in asked)


@pytest.mark.parametrize("language", Language)
def test_the_reminder_names_every_player(language: Language) -> None:
    sentences = [tell(names, language) for tell in (remind, announce_unanswered) for names in (["Ana"], ["Ana", "Bo"])]
    assert len(set(sentences)) == len(sentences)
    assert all("Ana" in sentence and "{" not in sentence for sentence in sentences)
