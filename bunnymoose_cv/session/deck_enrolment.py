"""Enrolment of the owner's deck from photographs: proposals that wait for a name, known faces, missing ones.

Everything lies in the user's data folder. Images of bought cards never leave it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Final

import cv2

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_folder import make_private, user_folder
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.vision.cards.card_markers import is_marked
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.vision.cards.enrolment_photos import propose
from bunnymoose_cv.vision.cards.equal_cards import CardLook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.vision.cards.enrolment import CardProposal

MOST_PROPOSALS: Final = 300
"""Limit of proposals that wait; a box holds 111 cards."""


def default_deck_folder() -> Path:
    """Default folder of the enrolled deck."""
    return user_folder() / "deck"


@dataclass(frozen=True, eq=False)
class Proposal:
    """Photographed card that waits for its name.

    Attributes:
        crop: upright as far as that is known, blue-green-red.
        copies: how many of it were seen, in whatever photographs.
        guess: the card it is taken for; None where it is like nothing known.
    """

    number: int
    crop: Image
    copies: int
    guess: Card | None

    @cached_property
    def look(self) -> CardLook:
        """Appearance by which equal cards of other photographs are recognised."""
        return CardLook.of(self.crop)


class DeckEnrolment:
    """Thread-safe enrolment of a deck, face by face.

    Args:
        printed: makes the enrolment of our printed deck, for guesses and for whoever plays with it.

    Raises:
        InputError: what is kept is damaged, or was written by a later version.
    """

    def __init__(self, folder: Path, printed: Callable[[], Enrolment]) -> None:
        self._folder = folder
        self._make_printed = printed
        self._numbers = count(1)
        self._lock = Lock()
        self._changes: Observable[[]] = Observable()
        self._enrolment = Enrolment.load(folder) if Enrolment.is_at(folder) else Enrolment()
        self._to_play_with: Enrolment | None = None
        self._proposals: tuple[Proposal, ...] = ()

    @property
    def enrolment(self) -> Enrolment:
        """Known faces."""
        return self._enrolment

    @cached_property
    def _printed(self) -> Enrolment:
        return self._make_printed()

    @property
    def to_play_with(self) -> Enrolment:
        """Faces to read cards by: the enrolled ones, and our printed ones of which none was enrolled."""
        if self._to_play_with is None:  # the very same until a face is named: what is prepared for it is kept
            own = set(self._enrolment.ids)
            ours = (face for face in self._printed.faces if face.face not in own)
            self._to_play_with = Enrolment((*self._enrolment.faces, *ours))
        return self._to_play_with

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Proposals that wait for a name, oldest first."""
        return self._proposals

    def proposal(self, number: int) -> Proposal | None:
        """Proposal by its number; None where it waits no more."""
        return next((each for each in self._proposals if each.number == number), None)

    def missing(self, deck: Table) -> Table:
        """Faces of a deck that are not enrolled yet."""
        return tuple(map(parse_card, self._enrolment.missing(CardFaceId(str(card)) for card in deck)))

    def add(self, image: Image) -> int:
        """Take the cards of a photograph up as proposals; of a card that waits already another copy is counted.

        Returns:
            How many of them nobody had photographed before.

        Raises:
            InputError: none was found, or too many wait already.
        """
        found = propose([image], self.to_play_with)
        if not found:
            raise InputError(
                Phrase(
                    "No card was found: lay them apart on something plain, or on the mat, and photograph from above."
                )
            )
        looks = [CardLook.of(each.crop) for each in found]
        with self._lock:
            own = [CardLook.of(face.crop) for face in self._enrolment.faces]
            waiting = list(self._proposals)
            for each, look in zip(found, looks, strict=True):
                if not any(look.shows_same_as(known) for known in own):
                    self._count(waiting, each, look)
            if len(waiting) > MOST_PROPOSALS:
                raise InputError(Phrase("Too many cards wait for their names: name some first."))
            added = len(waiting) - len(self._proposals)
            self._proposals = tuple(waiting)
        self._tell()
        return added

    def _count(self, waiting: list[Proposal], found: CardProposal, look: CardLook) -> None:
        """Count a card among those that wait, or let it wait itself; of equal crops the one that is known is kept."""
        guess = _guess(found)
        for index, other in enumerate(waiting):
            if look.shows_same_as(other.look):
                waiting[index] = replace(other, copies=other.copies + found.copies)
                if guess is not None and other.guess is None:  # a new number, so that no page shows the old image
                    waiting[index] = Proposal(next(self._numbers), found.crop, waiting[index].copies, guess)
                return
        waiting.append(Proposal(next(self._numbers), found.crop, found.copies, guess))

    def confirm(self, number: int, card: Card) -> None:
        """Name a proposal; a face that was enrolled before gets the new image.

        Raises:
            InputError: it waits no more, or the disk refuses; then it goes on waiting.
        """
        with self._lock:
            proposal = self._waiting(number)
            self._store(self._enrolment.with_face(self._name_face(card, proposal.crop)))
            self._drop(number)
        self._tell()

    def reject(self, number: int) -> None:
        """Drop a proposal that is no card, or one that is known already.

        Raises:
            InputError: it waits no more.
        """
        with self._lock:
            self._waiting(number)
            self._drop(number)
        self._tell()

    def turn(self, number: int) -> None:
        """Turn a proposal that stands on its head.

        Raises:
            InputError: it waits no more.
        """
        with self._lock:
            self._waiting(number)
            turned = tuple(
                _turn_card(each, next(self._numbers)) if each.number == number else each for each in self._proposals
            )
            self._proposals = turned
        self._tell()

    def forget(self, card: Card) -> None:
        """Forget an enrolled face.

        Raises:
            InputError: the disk refuses.
        """
        with self._lock:
            self._store(self._enrolment.without(CardFaceId(str(card))))
        self._tell()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Register a listener for changes, called on the thread that made them; returns what ends the listening."""
        return self._changes.listen(callback)

    def _name_face(self, card: Card, crop: Image) -> EnrolledCard:
        """Face with its image, and with the marker of our printed card where the image shows that."""
        face = CardFaceId(str(card))
        marker = next((ours.marker for ours in self._printed.faces if ours.face == face), None)
        return EnrolledCard(face, crop, marker if is_marked(crop, marker) else None)

    def _waiting(self, number: int) -> Proposal:
        proposal = self.proposal(number)
        if proposal is None:
            raise InputError(Phrase("That card has its name already."))
        return proposal

    def _drop(self, number: int) -> None:
        self._proposals = tuple(each for each in self._proposals if each.number != number)

    def _store(self, enrolment: Enrolment) -> None:
        try:
            make_private(self._folder)
            enrolment.save(self._folder)
        except OSError as error:
            raise InputError(
                Phrase(
                    "The deck cannot be kept in {folder} ({reason}): make room, or give yourself the right to write "
                    "there.",
                    folder=str(self._folder),
                    reason=error.strerror or str(error),
                )
            ) from error
        self._enrolment, self._to_play_with = enrolment, None

    def _tell(self) -> None:
        self._changes.tell()


def _guess(found: CardProposal) -> Card | None:
    """Take a guess that stands alone: where several faces compete the card is more likely an unknown one."""
    return parse_card(found.guess[0].face) if len(found.guess) == 1 else None


def _turn_card(proposal: Proposal, number: int) -> Proposal:
    """Turn a card by half, under another number, so that no page shows the old image."""
    crop = cv2.rotate(proposal.crop, cv2.ROTATE_180).astype(proposal.crop.dtype)
    return Proposal(number, crop, proposal.copies, proposal.guess)
