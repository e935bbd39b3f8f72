"""The documentation: its links, terms, formats and examples are valid."""

import ast
import inspect
import re
import shlex
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest
from pydantic import BaseModel
from typer.core import TyperGroup

from bunnymoose_cv.calibration.profiles.profile_forms import PlayerForm, TableForm
from bunnymoose_cv.capture.camera_list import step_file
from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.core.folders import user_folder
from bunnymoose_cv.core.log import default_log_folder
from bunnymoose_cv.core.user_settings import SETTINGS_FILE
from bunnymoose_cv.cues.bam_file import default_bam_path
from bunnymoose_cv.output import game_json, judged_json, score_json
from bunnymoose_cv.record import evidence_json
from bunnymoose_cv.record.footage_spool import SUFFIX
from bunnymoose_cv.record.game_export import COLUMNS, export_game
from bunnymoose_cv.record.game_file import GAME_FILE
from bunnymoose_cv.record.game_folders import ORDER_FILE, StoredGame
from bunnymoose_cv.record.game_store import GameStore, default_games_folder
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.cards.deck_enrolment import default_deck_folder
from bunnymoose_cv.session.game_setup import default_setup_file
from bunnymoose_cv.session.practice.takes import TAKES_FILE, default_takes_folder
from bunnymoose_cv.web.auth.access_file import default_access_file
from bunnymoose_cv.web.limits import Limits
from tests.program import Program

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "models", "training", "fixtures")
PAGES = sorted((*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))))
LINK = re.compile(r'(?:\]\(|src=")(?!https?:|mailto:)([^)\s#"]*)(?:#([^)\s"]*))?[)"]')


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Python-Markdown generates them."""
    headings = re.findall(r"^#+ +(.+?) *$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^a-z0-9_\s-]", "", heading.lower()).strip()) for heading in headings}


def broken(page: Path) -> list[str]:
    """Return the links of a page whose file or heading does not exist."""
    found = []
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(f"{path}#{anchor}")
    return found


def test_every_link_has_a_target() -> None:
    assert len(PAGES) > 20
    assert {str(page.relative_to(ROOT)): links for page in PAGES if (links := broken(page))} == {}


def test_every_test_file_that_is_mentioned_exists() -> None:
    tests = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")]
    named = {name for page in PAGES for name in re.findall(r"`([\w/]*\btest_\w+\.py)", page.read_text("utf-8"))}
    assert named
    assert [name for name in sorted(named) if not any(f"/{path}".endswith(f"/{name}") for path in tests)] == []


def test_safety_page_states_the_stream_limits() -> None:
    limits, text = Limits(), (ROOT / "docs" / "explanation" / "safety.md").read_text("utf-8")
    assert f"{limits.event_streams_of_one} streams of events of one visitor, {limits.event_streams} in all" in text
    assert f"{limits.streams_of_one} live images of one visitor, {limits.streams} in all" in text


def test_navigation_lists_every_page() -> None:
    named = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8"))
    apart = re.compile(r"(?:accuracy/\w+|experiments)/")  # each linked from its overview
    pages = [str(page.relative_to(ROOT / "docs")) for page in PAGES if page.is_relative_to(ROOT / "docs")]
    assert [page for page in pages if page not in named and not apart.match(page)] == []


GLOSSARY = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
ENTRIES = re.findall(r"^\| (?!game term|field term|---)(.+?) \| (.+) \| (.+) \|$", GLOSSARY, re.MULTILINE)
DEFINED = {
    name
    for folder in ("bunnymoose_cv", "training")
    for path in (ROOT / folder).rglob("*.py")
    for pair in re.findall(r"\b(?:class|def) (\w+)|^\s*(\w+) *[:=]", path.read_text("utf-8"), re.MULTILINE)
    for name in pair
}
"""Names that the code defines."""

VOCABULARY = """
seat, player, narrator, headgear, antler, ear, tongue, pose, species, pile, table, card, bet, cue, freeze window,
reading, verdict, evidence, contest, correction, edition, profile,
image, frame, crop, tile, face, head, landmarks, detection, confidence, threshold, logit, probability, temperature,
log-odds, classifier, backbone, fusion, ensemble, cascade, non-maximum suppression, NMS, IoU, tracker, ring buffer,
debounce, jitter, hysteresis, median filter, dataset, training, validation, held-out, augmentation, pseudo-label,
domain gap, calibration, abstain, ablation, latency, throughput, warm-up, watchdog, back-off, lock, event, fold,
snapshot, migration
"""
"""Terms that engineers and players search for, of the game and of the field."""


def names(cell: str) -> list[str]:
    """Return the names of code in back-ticks in a cell, without files, folders and notation."""
    return [name for name in re.findall(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`", cell) if name not in places(cell)]


def places(cell: str) -> list[str]:
    """Return the files and folders in back-ticks in a cell."""
    return [name for name in re.findall(r"`([^`]+)`", cell) if name.endswith("/") or re.search(r"\.(py|toml)$", name)]


def found(place: str) -> list[Path]:
    """Return the paths that a place may mean: relative to the checkout or the package, or anywhere by name."""
    exact = [root / place for root in (ROOT, ROOT / "bunnymoose_cv") if (root / place).exists()]
    return exact or ([] if "/" in place else list((ROOT / "bunnymoose_cv").rglob(place)))


def test_every_path_in_the_glossary_exists() -> None:
    assert [place for place in sorted(set(places(GLOSSARY))) if not found(place)] == []


def test_every_term_has_a_glossary_row() -> None:
    terms = re.split(r",\s*", VOCABULARY.strip())
    entries = [entry for entry, _, _ in ENTRIES]
    assert len(terms) > 60
    assert [term for term in terms if not any(has_term(entry, term) for entry in entries)] == []


def has_term(entry: str, term: str) -> bool:
    return re.search(rf"\b{re.escape(term)}s?\b", entry, re.IGNORECASE) is not None


def test_every_name_in_the_glossary_is_defined_in_the_code() -> None:
    named = sorted({name for _, _, code in ENTRIES for name in names(code)})
    assert named
    assert [name for name in named if not all(map(is_defined, name.split(".")))] == []


def is_defined(name: str) -> bool:
    """Return whether code defines a name, or a module has it."""
    return name in DEFINED or bool(found(f"{name}.py"))


README = (ROOT / "README.md").read_text("utf-8")
ALL_COMMANDS = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
EXAMPLES = [
    tuple(example.split("\n", 1))
    for block in re.findall(r"^```console\n\$ (.*?)^```$", ALL_COMMANDS, re.MULTILINE | re.DOTALL)
    for example in block.split("\n$ ")
]
NAMED = sorted(set(re.findall(r"bunnymoose ([a-z]+)", README + ALL_COMMANDS)))


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_documented_example_prints_the_documented_output(
    command: str, output: str, bunnymoose: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert bunnymoose.output(*shlex.split(command)[1:]).strip() == output.strip()


def test_every_command_that_is_mentioned_exists() -> None:
    assert NAMED
    assert [command for command in NAMED if command not in COMMANDS] == []


def test_command_table_has_a_row_for_every_command() -> None:
    rows = "\n".join(line for line in ALL_COMMANDS.splitlines() if line.startswith("| "))
    assert COMMANDS
    assert [name for name in COMMANDS if not re.search(rf"`(?:bunnymoose )?{name}\b.* \|", rows)] == []


def test_cards_in_the_readme_parse() -> None:
    written = re.findall(r'--cards "([^"]+)"', README)
    assert written
    assert all(parse_table(cards) for cards in written)


def test_make_targets_in_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = sorted(set(re.findall(r"make ([a-z]+)", README)))
    assert targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


FORMATS = (ROOT / "docs" / "reference" / "formats.md").read_text("utf-8")
KEPT_SHAPES: list[type[BaseModel]] = [
    *(evidence_json.RoundShape, evidence_json.FrameEvidence, evidence_json.PlayerEvidence),
    *(evidence_json.HeadgearEvidence, evidence_json.VerdictEvidence, evidence_json.MoveEvidence),
    *(evidence_json.FilmShape, evidence_json.RepeatShape, PlayerForm, TableForm),
]
"""Schemas of the files in the user's data folder."""

PRINTED = (judged_json, score_json, game_json)
"""Modules of the objects that commands print."""


def files_of_a_round() -> list[str]:
    """Return the names of the files of a round's evidence."""
    kept = round_folder(Path("game"), 1)
    return [path.name for path in (kept.json, kept.still, kept.replay, kept.times)]


def paths_in_the_folder() -> list[str]:
    """Return the paths in the user's data folder that modules name."""
    access = default_access_file(8080)
    named = (
        *(default_games_folder(), default_deck_folder(), default_log_folder(), default_takes_folder() / TAKES_FILE),
        *(step_file(), default_bam_path(), default_setup_file().path),
    )
    return [*(path.relative_to(user_folder()).as_posix() for path in named), access.path.name.replace("8080", "PORT")]


def commands_with_json() -> list[str]:
    """Return the names of the commands with the option `--json`."""
    named = []
    for name, lazy in COMMANDS.items():
        command = lazy.load(name)
        inner = command.commands if isinstance(command, TyperGroup) else {}
        every = {name: command} | {f"{name} {inner_name}": found for inner_name, found in inner.items()}
        named += [
            inner_name for inner_name, found in every.items() if any("--json" in option.opts for option in found.params)
        ]
    return named


def test_every_command_with_json_output_is_described() -> None:
    commands = commands_with_json()
    assert commands
    assert [command for command in commands if not is_described(command)] == []


def is_described(command: str) -> bool:
    return re.search(rf"[` ]{command}(?:`| --json| --no-screen)", FORMATS) is not None


@pytest.mark.parametrize("module", PRINTED)
def test_every_printed_key_is_documented(module: ModuleType) -> None:
    made = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Dict)]
    keys = {str(key.value) for node in made for key in node.keys if isinstance(key, ast.Constant)}
    assert keys
    assert [key for key in sorted(keys) if not re.search(rf'["`]{key}["`]', FORMATS)] == []


def test_every_key_of_a_stored_file_is_documented() -> None:
    keys = {(shape.__name__, key) for shape in KEPT_SHAPES for key in shape.model_fields}
    assert [key for key in sorted(keys) if f"`{key[1]}`" not in FORMATS] == []


def test_every_file_and_column_is_documented() -> None:
    of_the_user = [SETTINGS_FILE, GAME_FILE, ORDER_FILE, SUFFIX, *paths_in_the_folder()]
    of_a_game = [f"{name}`" for name in (StoredGame(1, Path("game")).highlights.name, *files_of_a_round())]
    columns = [f"`{column}`" for column in COLUMNS]
    assert [name for name in (*of_the_user, *of_a_game, *columns) if name not in FORMATS] == []


def test_every_file_of_a_new_game_and_its_export_is_documented(tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games")
    with store.begin(GameStarted(("Red", "Blue", "Green"), rules_for()), who="test") as file:
        begun = [path.name for path in file.folder.iterdir()]
    export_game(next(iter(store)), tmp_path / "game.zip")
    with ZipFile(tmp_path / "game.zip") as archive:
        exported = [Path(name).name for name in archive.namelist()]
    assert [name for name in {*begun, *exported} if f"`{name}`" not in FORMATS] == []
