"""Language, voice and tempo on the set-up page."""

from __future__ import annotations

import pytest

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages.setup_page import audio_parts
from tests.unit.web.states import BEGUN, PLAYERS


@pytest.mark.parametrize("language", Language)
def test_a_language_chosen_during_a_game_is_said_to_count_from_the_next(language: Language) -> None:
    part = audio_parts(Choices(PLAYERS, BEGUN.rules, language=language), (), Texts())["language"]
    assert f'<option value="{language}" selected' in part
    assert ("the next one has the new one" in part) is (language is not Language.ENGLISH)
