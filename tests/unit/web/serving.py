"""A real screen in a process of its own, for tests to attack: a game at a table, controlled through its input.

    python serving.py FOLDER '{"names": [], "resume": false, "script": "", "blind": false, "deals": true, "limits": {}}'

It prints one line of JSON once it listens, then answers each line of its input with one line. The second address stands
for the local network: it is this computer's too, but nobody who comes in there sits at it. With `port` it listens on
that one, else on any that is free.
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
"""Cards of ours that guesses come from; few, since each takes its time."""

NETWORK = "127.0.0.2"


class Serving:
    """The screen, and what tests may ask of it besides what a browser may."""

    def __init__(self, folder: Path, wishes: dict[str, Any]) -> None:
        self._folder, self._resume, self._deals = folder, bool(wishes.get("resume")), bool(wishes.get("deals"))
        self._evening = read_script(Path(wishes["script"])) if wishes.get("script") else None
        self._blind = bool(wishes.get("blind"))
        self._has_doubts = bool(wishes.get("doubts"))
        self._doubts: DoubtfulRow | None = None
        self._said: list[str] = []
        self._games = GameStore(folder / "games")
        access = Access.of_the_evening(AccessFile(folder / "access.json"), resume=self._resume)
        rules = rules_for(DEFAULT_EDITION, advanced=True, variants=())
        players = tuple(wishes["names"]) if self._evening is None else self._evening.players
        rules = rules if self._evening is None else self._evening.rules
        language = Language(wishes.get("language", Language.ENGLISH))
        choices = GameSetup(players, rules, language=language, speaks=False)
        self.host = Host(self._games, access, choices, Openings(game=self._open))
        photos = wishes.get("photos")
        if isinstance(photos, str):
            self.host.card_reader = TableCardReader(lambda: enrolled(parse_table(photos)))
            self.host.card_reader.open_soon()
        elif photos:
            self.host.card_reader = MarkerReader()
        self.host.enrolment = DeckEnrolment(folder / "deck", lambda: enrolled(parse_table(PRINTED)))
        self._table: Session | None = None
        wished: dict[str, Any] = wishes["limits"]
        given: dict[str, Any] = {
            name: Pace(*value) if isinstance(value, list) else value for name, value in wished.items()
        }
        limits = replace(Limits(), **given)
        self._told: list[str] = []
        self.screen = open_server(self.host, (HERE, NETWORK), int(wishes.get("port", 0)), limits, self._told.append)

    def run(self) -> None:
        """Serve until the input ends."""
        self.host.begin(self.host.choices)
        Thread(target=self._obey, daemon=True).start()
        self.screen.run(open_browser=False, notify=lambda _: None)
        self.host.end()

    def _obey(self) -> None:
        self.screen.listens.wait()
        _say({"port": self.screen.port, "owner_key": self.host.access.owner_key})
        for line in sys.stdin:
            _say(self.answer(*line.split()))
        self.screen.stop()

    def answer(self, order: str, *about: str) -> object:
        """Carry out an order, and return the answer for the test."""
        access, table = self.host.access, self._table
        if table is None:
            raise AssertionError
        orders: dict[str, Callable[[], object]] = {
            "entries": lambda: _entries(table),
            "players": lambda: [[phone.number, phone.player] for phone in access.phones],
            "code": lambda: access.code,
            "once": lambda: self._on_loop(access.one_time_key),
            "remove": lambda: self._on_loop(lambda: access.remove(int(about[0]))),
            "evening": lambda: self._on_loop(access.begin_evening),
            "narrator": lambda: table.state.game.narrator,
            "bet": lambda: table.bet(table.state.game.seats[0], "people").result(),
            "cards": lambda: format_table(table.state.game.table),
            "lay": lambda: table.submit_cards(parse_table(about[0]), "people").result(),
            "folder": lambda: str(table.state.folder),
            "bam": lambda: table.bam(Maker.BUTTON, "people").result(),
            "photo": lambda: _photo(table),
            "show": lambda: table.correct_pose(about[0], Pose.parse("WU CU"), "people").result(),
            "size": lambda: table.state.photo and table.state.photo.size,
            "told": lambda: self._told,
            "said": lambda: self._said,
            "begin": lambda: self._begin(*about),
            "play": lambda: _play(table),
            "doubt": lambda: self._doubt(int(about[0])),
        }
        return orders[order]()

    def _begin(self, language: str = "en", names: str = "") -> None:
        """Begin another game, in a language and with other players."""
        self.host.end()
        players = tuple(names.split(",")) if names else self.host.choices.players
        self.host.begin(replace(self.host.choices, language=Language(language), players=players))

    def _doubt(self, count: int) -> None:
        """Read the first players of the row with a doubt at the next Bam."""
        assert self._doubts is not None
        self._doubts.doubt(count)

    def _on_loop(self, what: Callable[[], object]) -> object:
        if self.screen.loop is None:  # asked through ASGI, between two requests
            return what()
        done, answer = Event(), []

        def do() -> None:
            answer.append(what())
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
            dealing = load_dealer_setup(replace(choices, seed=5, tempo_s=1.0)) if self._deals else None
            self._table = stack.enter_context(Session(services, source, dealing=dealing))
            stack.callback(self._table.listen_to_lines(self._said.append))
            yield self._table


def enrolled(cards: Table) -> Enrolment:
    """Some faces of our printed deck."""
    numbers = face_numbers(load_deck(DEFAULT_EDITION))
    return Enrolment(tuple(EnrolledCard(CardFaceId(str(card)), printed_card(card, numbers[card])) for card in cards))


def _entries(table: Session) -> list[list[str]]:
    """Events of the table, once everything is done that was wanted before."""
    table.rest().result()
    return [[type(entry.event).__name__, entry.who] for entry in table.state.entries]


def _photo(table: Session) -> list[list[str]] | None:
    """Readings of the photograph, pile by pile, with the offered cards."""
    photo = table.state.photo
    return None if photo is None else [[str(pile.card), *map(str, pile.answers)] for pile in photo.piles]


def _play(table: Session) -> None:
    """Play one round by hand, and put it right."""
    seats = table.state.game.seats
    table.bet(seats[0], "people").result()
    table.submit_cards(parse_table("L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1"), "people").result()
    table.bam(Maker.BUTTON, "people").result()
    for player, pose in zip(seats, ("WU CD", "TS SF t", "WU --"), strict=True):
        table.correct_pose(player, Pose.parse(pose), "people").result()
    table.correct_pose(seats[2], Pose.parse("TS TS"), f"{seats[2]}'s phone", 1).result()


def _say(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - that is how tests hear it


if __name__ == "__main__":
    Serving(Path(sys.argv[1]), json.loads(sys.argv[2])).run()
