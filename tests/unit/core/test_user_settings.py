"""Default limits, a user's profile over them, and their page of the documentation."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.core.settings_page import settings_page
from bunnymoose_cv.core.user_settings import load_settings


def test_every_default_stands_with_unit_source_and_range() -> None:
    tables = tomllib.loads(bundled("calibration/default.toml").read_text("utf-8"))
    settings = [limit for group in tables.values() for limit in group.values()]
    assert settings
    for limit in settings:
        assert set(limit) == {"value", "unit", "source", "range"}
        assert limit["range"][0] <= limit["value"] <= limit["range"][1]


def test_an_own_profile_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    own = tmp_path / "profile.toml"
    own.write_text("[people]\nhand_reach = 4\n")
    changed, default = load_settings(own), load_settings()
    assert changed.people.hand_reach == 4
    assert changed.people.smallest_face == default.people.smallest_face
    assert changed.headgear == default.headgear


def test_a_camera_may_lie_on_its_side_and_mirror(tmp_path: Path) -> None:
    own = tmp_path / "profile.toml"
    own.write_text("[camera]\nrotation_degrees = 270\nmirrored = true\n")
    camera = load_settings(own).camera
    assert (camera.rotation_degrees, camera.mirrored) == (270, True)
    assert isinstance(camera.rotation_degrees, int)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[camera]\nrotation_degrees = 45\n", "rotation_degrees .* turned by 0, 90, 180 or 270 degrees"),
        ('[camera]\nmirrored = "yes"\n', "mirrored .* outside its range"),
        ("[camera]\nlost_after_s = 3\n", "lost_after_s .* outside its range from 0.5 to 1.9"),
        ("[freeze]\nframes = 6.5\n", "freeze.frames .* has to be a whole number, not 6.5"),
        ("[people]\nhand_reach = 400\n", "hand_reach .* outside its range"),
        ("[people]\narm_reach = 4\n", "people.arm_reach, which is no limit"),
        ('[people]\nhand_reach = "far"\n', "hand_reach .* outside its range"),
        ("spread = 0.99\n", "has spread where only a group as in default.toml stands"),
        ("headgear = 0.99\n", "has headgear where only a group"),
        ("[nonsense]\n", "has nonsense where only a group"),
        ("[[headgear]]\nspread = 0.99\n", "has headgear where only a group"),
        ("[people\n", "The settings file .* cannot be read"),
    ],
)
def test_a_bad_profile_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    own = tmp_path / "profile.toml"
    own.write_text(text)
    with pytest.raises(InputError, match=sentence) as caught:
        load_settings(own)
    assert "\n" not in str(caught.value)
    assert "profile.toml" in str(caught.value)


def test_a_folder_in_the_place_of_the_settings_file_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bunnymoose" / "profile.toml").mkdir(parents=True)
    with pytest.raises(InputError, match="cannot be read"):
        load_settings()


def test_a_missing_profile_that_was_named_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_settings(tmp_path / "nowhere.toml")


PAGE = Path(__file__).parents[3] / "docs" / "reference" / "settings.md"


def test_the_page_is_the_one_that_the_settings_give() -> None:
    assert PAGE.read_text("utf-8") == settings_page(), (
        "python -m bunnymoose_cv.core.settings_page > docs/reference/settings.md"
    )


def test_every_setting_of_a_profile_has_its_line() -> None:
    lines = settings_page().splitlines()
    names = [key for _, group in load_settings() for key in type(group).model_fields]
    assert len(names) > 20
    assert all(any(line.startswith(f"| `{name}` |") for line in lines) for name in names)
