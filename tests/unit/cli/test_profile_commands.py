"""`bunnymoose profile` from export to import, with one sentence for each error."""

import json
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from typer.testing import CliRunner

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_forms import PlayerProfile, ProfileKind, TableProfile
from bunnymoose_cv.cli import app
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore, default_games_folder
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.exemptions import Exemption

pytestmark = pytest.mark.usefixtures("data_folder")


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["profile", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_player_profile_is_exported_deleted_and_imported(tmp_path: Path) -> None:
    default_profile_files().keep(PlayerProfile("Anna", frozenset({Exemption.TONGUE})))
    run("export", "player", "Anna", "--out", str(tmp_path / "anna.toml"))
    run("delete", "player", "Anna")
    assert run("list") == ""
    run("import", "player", str(tmp_path / "anna.toml"))
    (line,) = run("list", "--json").splitlines()
    assert json.loads(line)["exempt"] == ["tongue"]
    with pytest.raises(InputError, match="already exists"):
        run("import", "player", str(tmp_path / "anna.toml"))
    assert "tongue" in run("show", "player", "anna")


def test_deleting_a_player_deletes_their_seat_films(played_games: Path) -> None:
    kept = GameStore(Path(copytree(played_games, default_games_folder()))).find("last")
    blues, greens = (round_folder(kept.folder, 1).seat_film(seat) for seat in (1, 2))
    for film in (blues, greens):
        film.write_bytes(b"a film")
    default_profile_files().keep(PlayerProfile("Green"))
    run("delete", "player", "green")
    assert (blues.exists(), greens.exists()) == (True, False)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_list_without_profiles_reports_it(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["profile", "list", *options], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No profile of a player or a table is stored yet.\n"


def test_write_errors_are_reported_with_a_remedy(tmp_path: Path) -> None:
    files = default_profile_files()
    files.keep(PlayerProfile("Anna"))
    run("export", "player", "Anna", "--out", str(tmp_path / "anna.toml"))
    with pytest.raises(InputError, match=r"cannot be written \(.+\): name another file with --out"):
        run("export", "player", "Anna", "--out", str(tmp_path / "anna.toml" / "anna.toml"))
    rmtree(files.folder)
    files.folder.write_text("in the way")
    with pytest.raises(InputError, match="There is no profile “Anna”"):
        run("delete", "player", "Anna")
    with pytest.raises(InputError, match=r"cannot be kept in .+: make room"):
        run("import", "player", str(tmp_path / "anna.toml"))


def test_used_table_is_offered_as_the_last() -> None:
    files = default_profile_files()
    files.keep(TableProfile("Kitchen", "C920"))
    assert files.last_table() is None
    run("use", "table", "Kitchen")
    last = files.last_table()
    assert last is not None
    assert last.name == "Kitchen"


def test_damaged_profile_is_named_and_others_are_listed() -> None:
    files = default_profile_files()
    files.keep(PlayerProfile("Ben"))
    files.path(ProfileKind.PLAYER, "Anna").write_text("nonsense")
    result = CliRunner().invoke(app, ["profile", "list"])
    assert result.stdout.split() == ["player", "Ben"]
    assert files.path(ProfileKind.PLAYER, "Anna").name in result.stderr
    with pytest.raises(InputError, match="damaged"):
        run("show", "player", "Anna")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, r"cannot be read \(No such file or directory\): check its name"),
        ("format = 2\n", "was written by a newer version of this program: update the program"),
        ('format = 1\nkind = "table"\n', "is no profile of a player .*: name what “bunnymoose profile export” wrote"),
        ('format = 1\nkind = "player"\nname = ""\n', r"is no profile of a player \(name has to have 1 to 60 printable"),
        ("[[[", "is no valid TOML"),
    ],
)
def test_failed_import_states_the_reason(tmp_path: Path, content: str | None, sentence: str) -> None:
    if content is not None:
        (tmp_path / "anna.toml").write_text(content)
    with pytest.raises(InputError, match=sentence) as caught:
        run("import", "player", str(tmp_path / "anna.toml"))
    assert "delete" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "profile"),
    [
        ("player", PlayerProfile("Anna, Ben")),
        ("table", TableProfile("Kitchen", "C920", ("Ann", "ann"))),
        ("table", TableProfile("Kitchen", "C920", ("Ann", "Ben,Cleo"))),
    ],
)
def test_profile_with_unplayable_names_is_not_imported(
    tmp_path: Path, kind: str, profile: PlayerProfile | TableProfile
) -> None:
    (tmp_path / "profile.toml").write_text(profile.text, "utf-8")
    with pytest.raises(InputError, match=r"cannot be a player’s name|needs a name of their own"):
        run("import", kind, str(tmp_path / "profile.toml"))
    assert run("list") == ""


@pytest.mark.parametrize("words", [("show", "player"), ("delete", "player"), ("export", "player"), ("use", "table")])
@pytest.mark.parametrize("name", ["Nobody", "\udcff"])
def test_missing_profile_is_one_sentence(words: tuple[str, str], name: str) -> None:
    with pytest.raises(InputError, match=f"There is no profile “{name}”"):
        run(*words, name)


def test_profile_is_found_by_any_unicode_form_or_case_of_its_name() -> None:
    default_profile_files().keep(PlayerProfile("Zoe\u0308  Maria", frozenset({Exemption.TONGUE})))
    assert json.loads(run("show", "player", "zo\u00eb maria", "--json"))["name"] == "Zo\u00eb Maria"
