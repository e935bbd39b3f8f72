"""An evening of two rounds at the screen, step by step: at the table, on the narrator's phone, on a player's phone.

A callback receives each page on the way: test_evening.py looks for faults in it, and screenshots.py takes the images
of docs/reference/screen.md.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LARGE, SMALL, Open, Visit
from tests.browser.program import Program

PATIENCE_MS: Final = 60_000

WORDS: Final = ("--silent", "--lan", "--language", "en", "--tempo", "30", "--seed", "5")
"""Options of the program. The dealer lays one card at once, and would lay the next long after it is paused."""

ROUND_2: Final = "B.TS-1 R.SS+3 L.?S+2 R.CD+2 B.TF+1 TONGUE-3"

IMAGE_IS_THERE: Final = f"""async (picture) => {{
    for (let tries = 0; picture.naturalWidth <= 100; tries++) {{
        if (tries > {PATIENCE_MS / 200}) throw Error('in vain');
        await new Promise((done) => setTimeout(done, 200));
    }}
}}"""
"""Script that waits inside a page until an image has loaded."""


class Party(NamedTuple):
    """Players round the table, from the first narrator to the left."""

    first: str
    second: str
    third: str
    fourth: str


class Evening:
    """An evening that is being played.

    Args:
        open_page: factory of pages, each on another device.
        look: callback for each page worth looking at, with a name for it.
    """

    def __init__(self, program: Program, open_page: Open, party: Party, look: Callable[[str, Page], None]) -> None:
        self._program, self._open_page, self._party, self._look = program, open_page, party, look
        self.visits: list[Visit] = []
        self.table = self._device(LARGE)

    def _device(self, size: tuple[int, int]) -> Page:
        visit = self._open_page(size)
        visit.page.set_default_timeout(PATIENCE_MS)
        self.visits.append(visit)
        return visit.page

    def play(self, while_verdicts_wait: Callable[[], None] = lambda: None, *, checks: bool = True) -> Locator:
        """Play the whole evening.

        Args:
            while_verdicts_wait: callback during the questions of the first round.
            checks: whether the table is checked, too; test_camera.py covers the check.

        Returns:
            The film of the first round, in the history.
        """
        self.come_to_the_table()
        self.practise()
        if checks:
            self.check_the_table()
        self.set_up()
        self.join()
        self.bet()
        self.enter_cards_in_three_ways()
        self.say_bam()
        self.wait_for_verdicts()
        while_verdicts_wait()
        self.answer()
        self.see_verdicts()
        self.contest()
        self.undo()
        self.play_a_round_by_keys()
        return self.look_back()

    # Before the game.

    def come_to_the_table(self) -> None:
        self.table.goto(self._program.address)
        expect(self.table.get_by_role("heading", name="Who plays?")).to_be_visible()

    def practise(self) -> None:
        """Check that the practice asks for a pose and says what to change."""
        self._go("Practice")
        expect(self.table.locator(".hint")).to_contain_text(re.compile(r"\w"))
        self.wait_for_the_live_video()
        self._look("practice", self.table)
        self._go("New game")

    def check_the_table(self) -> None:
        """Run the check of the table and skip its question about the right hand."""
        self.table.get_by_role("link", name="Check the table").click()
        expect(self.table.get_by_text("hold your right hand up")).to_be_visible()
        self.table.keyboard.press("n")
        expect(self.table.locator(".findings li").filter(has_text="Computer")).to_be_visible()
        self.wait_for_the_live_video()
        self._look("check", self.table)
        self._go("New game")

    def set_up(self) -> None:
        """Name all players and wait until each is seen."""
        for number, name in enumerate(self._party, 1):
            self.table.get_by_label(f"Name of player {number}").fill(name)
        expect(self.table.get_by_text(f"{self._party.first} narrates first")).to_be_visible()
        expect(self.table.get_by_text("Everybody is seen.")).to_be_visible()
        self.wait_for_the_live_video()
        self._look("setup", self.table)
        self.table.get_by_role("button", name="Begin").click()
        self.table.wait_for_url("**/table")

    def join(self) -> None:
        self._go("Phones")
        expect(self.table.get_by_role("img", name="Code that a phone joins with")).to_be_visible()
        address = self._program.join_address()
        self.narrators = self._join(address, self._party.first)
        self.players = self._join(address, self._party.third)
        expect(self.table.get_by_role("heading", name="2 phones have joined")).to_be_visible()
        self._look("phones", self.table)
        self._go("Table")

    def _join(self, address: str, player: str) -> Page:
        phone = self._device(SMALL)
        phone.goto(address)
        answer = phone.get_by_role("button", name=player)
        expect(answer).to_be_visible()
        if player == self._party.first:
            self._look("join", phone)
        answer.tap()
        phone.wait_for_url("**/phone")
        return phone

    # The first round.

    def bet(self) -> None:
        self.narrators.get_by_role("button", name=self._party.third).tap()
        said = f"{self._party.first} bets on {self._party.third}: lay the first card"
        expect(self.table.get_by_role("heading", name=said)).to_be_visible()

    def enter_cards_in_three_ways(self) -> None:
        """Pick cards on the phone, type some at the table, and have the referee deal the rest."""
        phone = self.narrators
        phone.get_by_role("link", name="Lay cards").tap()
        phone.get_by_role("button", name="wide antler down", exact=True).tap()
        phone.get_by_role("button", name="on your right: wide antler down, 2 back", exact=True).tap()
        expect(phone.get_by_role("heading", name="Next: pile 2")).to_be_visible()
        phone.get_by_role("button", name="reversal", exact=True).tap()
        expect(phone.get_by_role("heading", name="Next: pile 3")).to_be_visible()
        self._look("cards", phone)
        for number, card in ((4, "tongue+2"), (5, "l.?f-2")):
            self._type(card.upper())
            expect(phone.get_by_role("heading", name=f"Next: pile {number}")).to_be_visible()
        for number in (6, 1):
            self.table.keyboard.press("s")
            expect(phone.get_by_role("heading", name=f"Next: pile {number}")).to_be_visible()
            expect(self._control("Let the dealer rest")).to_be_visible()
            if number == 1:
                self.wait_for_the_live_video()
                self._look("table", self.table)
            self.table.keyboard.press("s")
            expect(self._control("Deal")).to_be_visible()

    def say_bam(self) -> None:
        self.narrators.get_by_role("button", name="Bam!").tap()

    def wait_for_verdicts(self) -> None:
        for page in (self.table, self.players):
            expect(page.locator(".verdict")).to_have_count(3)

    @property
    def asked(self) -> int:
        return self.table.locator(".verdict.asks").count()

    def answer(self) -> None:
        """Answer with one tap per player: Blue on the own phone, all others at the table."""
        self._look("asked", self.table)
        self._look("phone", self.players)
        asked = self._party.third
        own = self.players.locator(".verdict.asks", has_text=asked)
        if own.count():
            own.get_by_role("button", name="Yes, ").tap()
            # A tap at the table is refused before its page has received the answer.
            for page in (self.players, self.table):
                expect(page.locator(".verdict.asks", has_text=asked)).to_have_count(0)
        self._answer_at_the_table()
        expect(self.table.locator(".waiting.moment")).to_be_visible()
        self._look("moment", self.table)

    def _answer_at_the_table(self) -> None:
        asks = self.table.locator(".verdict.asks")
        while waiting := asks.count():
            asks.locator(".choice").first.click()
            expect(asks).to_have_count(waiting - 1)

    def see_verdicts(self) -> None:
        """Check the answered verdicts, with a reason for every card."""
        self._go("Verdicts")
        expect(self.table.get_by_role("heading", name="Round 1: the verdicts")).to_be_visible()
        expect(self.table.locator(".lines li")).to_have_count(18)
        self._look("verdicts", self.table)

    def contest(self) -> None:
        """Enter a wrong pose on a player's phone; every page shows what that changed, and who entered it."""
        phone = self.players
        phone.get_by_role("link", name=f"Contest the verdict about {self._party.third}").tap()
        expect(phone.get_by_role("heading", name="Around Bam")).to_be_visible()
        left = phone.get_by_role("group", name=f"On {self._party.third}’s left")
        left.get_by_role("radio", name="wide antler up").tap()
        phone.get_by_role("button", name="Correct it").tap()
        for page in (phone, self.table):
            expect(page.get_by_role("heading", name="What the correction changed")).to_be_visible()
        expect(self.table.locator(".changes del").first).to_be_visible()
        expect(phone.locator(".corrections")).to_contain_text(f"{self._party.third}'s phone")
        expect(phone.locator(".corrections")).to_contain_text(re.compile(r"\d\d:\d\d"))
        self._look("contest", phone)

    def undo(self) -> None:
        self._go("Table")
        badge = self.table.get_by_text("corrected by")
        expect(badge).to_be_visible()
        self.table.keyboard.press("u")
        expect(badge).to_have_count(0)
        expect(self.players.locator(".corrections")).to_contain_text("Nothing has been corrected")

    # The second round.

    def play_a_round_by_keys(self) -> None:
        """Bet, lay cards and say Bam at the table without a mouse."""
        self.table.keyboard.press("1")
        said = f"{self._party.fourth} bets on {self._party.first}: lay the first card"
        expect(self.table.get_by_role("heading", name=said)).to_be_visible()
        self._type(ROUND_2)
        expect(self.table.locator(".piles .face")).to_have_count(6)
        expect(self.table.locator("html[data-closed]")).to_have_count(0)  # a dialog has just closed: no key is Bam
        self.table.keyboard.press("Space")
        expect(self.table.get_by_role("article").first).to_be_visible()  # look-alikes share a tile
        self._answer_at_the_table()
        expect(self.table.get_by_text("Round 3 of")).to_be_visible()

    # Afterwards.

    def look_back(self) -> Locator:
        """Check the history of both rounds and return the film of the first."""
        self._go("History")
        expect(self.table.get_by_role("article")).to_have_count(2)
        for number in (2, 1):
            film = self.table.locator("video").and_(self.table.get_by_label(f"Film of round {number}", exact=True))
            expect(film).to_be_visible()
        self._look("history", self.table)
        return film

    def take_along(self, kind: str) -> bytes:
        address = self.table.get_by_role("link", name=kind).get_attribute("href")
        answer = self.table.request.get(f"{self.table.url.partition('/history')[0]}{address}")
        assert answer.ok
        return answer.body()

    # Steps that recur.

    def _go(self, name: str) -> None:
        self.table.get_by_role("navigation", name="Pages").get_by_role("link", name=name, exact=True).click()
        expect(self.table.locator("[aria-current=page]").first).to_have_text(name)

    def _control(self, name: str) -> Locator:
        return self.table.locator(".controls").get_by_role("button", name=re.compile(f"^{name}"))

    def _type(self, cards: str) -> None:
        self.table.keyboard.press("c")
        field = self.table.get_by_role("dialog", name="Type cards").get_by_role("textbox")
        expect(field).to_be_focused()
        field.fill(cards)
        field.press("Enter")
        expect(self.table.get_by_role("dialog")).to_have_count(0)

    def wait_for_the_live_video(self) -> None:
        self.table.locator(".glass img").evaluate(IMAGE_IS_THERE)
