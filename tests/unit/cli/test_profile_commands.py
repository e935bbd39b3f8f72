"""`bunnymoose profile` from export to import, with one sentence for what is wrong."""

import json
from pathlib import Path
from shutil import rmtree

import pytest
from typer.testing import CliRunner

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.table_profile import TableProfile
from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.cli import app
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.exemptions import Exemption

pytestmark = pytest.mark.usefixtures("data_folder")


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["profile", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_player_goes_to_another_computer_and_is_deleted(tmp_path: Path) -> None:
    default_profile_files().keep(PlayerProfile("Anna", frozenset({Exemption.TONGUE})))
    run("export", "player", "Anna", "--out", str(tmp_path / "anna.toml"))
    run("delete", "player", "Anna")
    assert run("list") == ""
    run("import", "player", str(tmp_path / "anna.toml"))
    (line,) = run("list", "--json").splitlines()
    assert json.loads(line)["exempt"] == ["tongue"]
    with pytest.raises(InputError, match="stored already"):
        run("import", "player", str(tmp_path / "anna.toml"))
    assert "tongue" in run("show", "player", "anna")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_where_none_is_stored_the_list_says_so(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["profile", "list", *options], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No profile of a player or a table is stored yet.\n"


def test_what_cannot_be_written_is_told_with_a_remedy(tmp_path: Path) -> None:
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


def test_a_table_is_offered_again_once_it_is_used() -> None:
    files, tables = default_profile_files(), default_table_profiles()
    files.keep(TableProfile("Kitchen", "C920"))
    assert tables.last() is None
    run("use", "table", "Kitchen")
    last = tables.last()
    assert last is not None
    assert last.name == "Kitchen"


def test_a_damaged_profile_is_named_and_the_others_listed() -> None:
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
def test_a_file_that_cannot_be_imported_is_told_why(tmp_path: Path, content: str | None, sentence: str) -> None:
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
def test_names_by_which_nobody_can_play_are_not_imported(
    tmp_path: Path, kind: str, profile: PlayerProfile | TableProfile
) -> None:
    (tmp_path / "profile.toml").write_text(profile.text, "utf-8")
    with pytest.raises(InputError, match=r"is no name of a player|needs a name of their own"):
        run("import", kind, str(tmp_path / "profile.toml"))
    assert run("list") == ""


@pytest.mark.parametrize("words", [("show", "player"), ("delete", "player"), ("export", "player"), ("use", "table")])
@pytest.mark.parametrize("name", ["Nobody", "\udcff"])
def test_a_profile_that_is_not_there_is_one_sentence(words: tuple[str, str], name: str) -> None:
    with pytest.raises(InputError, match=f"There is no profile “{name}”"):
        run(*words, name)


def test_a_profile_is_found_however_its_name_was_typed() -> None:
    default_profile_files().keep(PlayerProfile("Zoe\u0308  Maria", frozenset({Exemption.TONGUE})))
    assert json.loads(run("show", "player", "zo\u00eb maria", "--json"))["name"] == "Zo\u00eb Maria"
