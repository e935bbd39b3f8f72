"""Real screen in a separate process for tests: a game at a table, controlled through its standard input.

    python serving.py FOLDER '{"names": [], "resume": false, "script": "", "blind": false, "deals": true, "limits": {}}'

It prints one line of JSON once it listens, then answers each line of its input with one line. A second loopback address
simulates the local network. Without `port` it listens on any free port.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

from bunnymoose_cv.art.card_images import printed_card
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.cards import Table, format_table, parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, face_numbers, load_deck, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
from bunnymoose_cv.session.game_setup import GameSetup, load_dealer_setup
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.sources.video_source import NoVideoSource, VideoSource
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.limits import Limits, Pace
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.server.addresses import HERE
from bunnymoose_cv.web.server.table_server import open_server
from tests.doubles import EVENING_PX, CannedReader, row_reading
from tests.unit.web.doubtful_row import ROW, DoubtfulRow
from tests.unit.web.marker_reader import MarkerReader
from tests.unit.web.openings import Openings

PRINTED = "L.WU+2 L.WU-1 B.CD+1 REVERSE MOOSE+2 HUNTER"
"""Printed cards that are known to the enrolment; few, to save time."""

NETWORK = "127.0.0.2"


class Serving:
    """Screen with functions that tests call."""

    def __init__(self, folder: Path, options: dict[str, Any]) -> None:
        self._folder, self._resume, self._deals = folder, bool(options.get("resume")), bool(options.get("deals"))
        self._evening = read_script(Path(options["script"])) if options.get("script") else None
        self._blind = bool(options.get("blind"))
        self._has_doubts = bool(options.get("doubts"))
        self._doubts: DoubtfulRow | None = None
        self._announcements: list[str] = []
        self._games = GameStore(folder / "games")
        access = Access.of_the_evening(AccessFile(folder / "access.json"), resume=self._resume)
        rules = rules_for(DEFAULT_EDITION, advanced=True, variants=())
        players = tuple(options["names"]) if self._evening is None else self._evening.players
        rules = rules if self._evening is None else self._evening.rules
        language = Language(options.get("language", Language.ENGLISH))
        choices = GameSetup(players, rules, language=language, speaks=False)
        self.host = Host(self._games, access, choices, Openings(game=self._open))
        photos = options.get("photos")
        if isinstance(photos, str):
            self.host.card_reader = TableCardReader(lambda: enrolled(parse_table(photos)))
            self.host.card_reader.open_soon()
        elif photos:
            self.host.card_reader = MarkerReader()
        self.host.enrolment = DeckEnrolment(folder / "deck", lambda: enrolled(parse_table(PRINTED)))
        self._table: Session | None = None
        given: dict[str, Any] = {
            name: Pace(*value) if isinstance(value, list) else value for name, value in options["limits"].items()
        }
        limits = replace(Limits(), **given)
        self._reported: list[str] = []
        self.screen = open_server(
            self.host, (HERE, NETWORK), int(options.get("port", 0)), limits, self._reported.append
        )

    def run(self) -> None:
        """Serve until the input ends."""
        self.host.begin(self.host.choices)
        Thread(target=self._answer_calls, daemon=True).start()
        self.screen.run(open_browser=False, notify=lambda _: None)
        self.host.end()

    def _answer_calls(self) -> None:
        self.screen.listens.wait()
        try:
            _reply({"port": self.screen.port, "owner_key": self.host.access.owner_key})
            for line in sys.stdin:
                _reply(self.call(*line.split()))
        finally:  # also after a call that failed, or its test would wait for ever
            self.screen.stop()

    def call(self, name: str, *arguments: str) -> object:
        """Call a function by its name, and return its result for the test."""
        access, table = self.host.access, self._table
        if table is None:
            raise AssertionError
        functions: dict[str, Callable[[], object]] = {
            "entries": lambda: _entries(table),
            "players": lambda: [[phone.number, phone.player] for phone in access.phones],
            "code": lambda: access.code,
            "once": lambda: self._on_loop(access.one_time_key),
            "remove": lambda: self._on_loop(lambda: access.remove(int(arguments[0]))),
            "evening": lambda: self._on_loop(access.begin_evening),
            "narrator": lambda: table.state.game.narrator,
            "bet": lambda: table.bet(table.state.game.seats[0], "people").result(),
            "cards": lambda: format_table(table.state.game.table),
            "lay": lambda: table.submit_cards(parse_table(arguments[0]), "people").result(),
            "folder": lambda: str(table.state.folder),
            "bam": lambda: table.bam(Maker.BUTTON, "people").result(),
            "photo": lambda: _photo(table),
            "show": lambda: table.correct_pose(arguments[0], Pose.parse("WU CU"), "people").result(),
            "size": lambda: table.state.photo and table.state.photo.size,
            "reported": lambda: self._reported,
            "said": lambda: self._announcements,
            "begin": lambda: self._begin(*arguments),
            "play": lambda: _play(table),
            "doubt": lambda: self._doubt(int(arguments[0])),
        }
        return functions[name]()

    def _begin(self, language: str = "en", names: str = "") -> None:
        """Begin another game, in a language and with other players."""
        self.host.end()
        players = tuple(names.split(",")) if names else self.host.choices.players
        self.host.begin(replace(self.host.choices, language=Language(language), players=players))

    def _doubt(self, count: int) -> None:
        """Make the readings of the first players in the row doubtful at the next Bam."""
        assert self._doubts is not None
        self._doubts.doubt(count)

    def _on_loop(self, function: Callable[[], object]) -> object:
        """Call `function` on the event loop of the screen, and return its result."""
        if self.screen.loop is None:  # called through ASGI, between two requests
            return function()
        done, answer = Event(), []

        def do() -> None:
            answer.append(function())
            done.set()

        self.screen.loop.call_soon_threadsafe(do)
        done.wait()
        return answer[0]

    @contextmanager
    def _open(self, choices: GameSetup) -> Iterator[Session]:
        where = "a test" if self._evening is None else "a script"
        started = GameStarted(choices.players, choices.rules)
        with ExitStack() as stack:
            file = stack.enter_context(open_game(self._games, started, source=where, resume=self._resume))
            self._doubts = DoubtfulRow(ROW) if self._has_doubts else None
            row = row_reading(("WU WU", "TS TS", "WU CD t"), EVENING_PX)
            reader = stack.enter_context(self._doubts or CannedReader(row))
            silent = replace(choices, speaks=False)
            services = stack.enter_context(open_services(file, reader, silent, lambda _: None))
            source: VideoSource
            if self._doubts is not None:
                source = self._doubts.camera
            else:
                source = NoVideoSource() if self._evening is None or self._blind else ScriptVideoSource(self._evening)
            dealing = load_dealer_setup(replace(choices, seed=5, tempo_s=8.0)) if self._deals else None
            self._table = stack.enter_context(Session(services, source, dealing=dealing))
            stack.callback(self._table.listen_to_lines(self._announcements.append))
            yield self._table


def enrolled(cards: Table) -> Enrolment:
    """Return an enrolment of some faces of our printed deck."""
    numbers = face_numbers(load_deck(DEFAULT_EDITION))
    return Enrolment(tuple(EnrolledCard(CardFaceId(str(card)), printed_card(card, numbers[card])) for card in cards))


def _entries(table: Session) -> list[list[str]]:
    """Return the events of the table and their authors, after all earlier commands."""
    table.rest().result()
    return [[type(entry.event).__name__, entry.who] for entry in table.state.entries]


def _photo(table: Session) -> list[list[str]] | None:
    """Return the card of each photographed pile, followed by the offered cards."""
    photo = table.state.photo
    return None if photo is None else [[str(pile.card), *map(str, pile.answers)] for pile in photo.piles]


def _play(table: Session) -> None:
    """Play one round by hand, and correct a pose."""
    seats = table.state.game.seats
    table.bet(seats[0], "people").result()
    table.submit_cards(parse_table("L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1"), "people").result()
    table.bam(Maker.BUTTON, "people").result()
    for player, pose in zip(seats, ("WU CD", "TS SF t", "WU --"), strict=True):
        table.correct_pose(player, Pose.parse(pose), "people").result()
    table.correct_pose(seats[2], Pose.parse("TS TS"), f"{seats[2]}'s phone", 1).result()


def _reply(result: object) -> None:
    print(json.dumps(result), flush=True)  # noqa: T201 - the answer for the test


if __name__ == "__main__":
    Serving(Path(sys.argv[1]), json.loads(sys.argv[2])).run()
