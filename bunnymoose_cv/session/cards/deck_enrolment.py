"""Enrolment of the owner's deck from photographs: unnamed proposals, known faces, missing faces.

All files are in the user's data folder. Images of bought cards never leave it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Final

import cv2

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import make_private, user_folder
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.vision.cards.card_markers import is_marked
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.vision.cards.enrolment_photos import CardLook, propose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.vision.cards.enrolment import CardProposal

MOST_PROPOSALS: Final = 300
"""Limit of unnamed proposals; a box has 111 cards."""


def default_deck_folder() -> Path:
    """Return the default folder of the enrolled deck."""
    return user_folder() / "deck"


@dataclass(frozen=True, eq=False)
class Proposal:
    """Photographed card that waits for its name.

    Attributes:
        crop: the image of the card, upright if that is known, blue-green-red.
        copies: the number of copies seen in all photographs.
        guess: the most similar known card; None without one.
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
    """Thread-safe enrolment of a deck, face by face; raise an `InputError` if the stored one cannot be read.

    Args:
        printed: creates the enrolment of our printed deck, for guesses and for games with that deck.

    Attributes:
        enrolment: the known faces.
        proposals: the proposals that wait for a name, oldest first.
    """

    def __init__(self, folder: Path, printed: Callable[[], Enrolment]) -> None:
        self._folder = folder
        self._make_printed = printed
        self._numbers = count(1)
        self._lock = Lock()
        self._changes: Observable[[]] = Observable()
        self.enrolment = Enrolment.load(folder) if Enrolment.is_at(folder) else Enrolment()
        self._to_play_with: Enrolment | None = None
        self.proposals: tuple[Proposal, ...] = ()

    @cached_property
    def _printed(self) -> Enrolment:
        return self._make_printed()

    @property
    def to_play_with(self) -> Enrolment:
        """Faces for the card reader: the enrolled ones, and our printed ones of the other cards."""
        if self._to_play_with is None:  # one object until a face is named, since data prepared for it is cached
            own = set(self.enrolment.ids)
            ours = (face for face in self._printed.faces if face.face not in own)
            self._to_play_with = Enrolment((*self.enrolment.faces, *ours))
        return self._to_play_with

    def proposal(self, number: int) -> Proposal | None:
        """Return a proposal by its number; None if it no longer waits."""
        return next((proposal for proposal in self.proposals if proposal.number == number), None)

    def missing(self, deck: Table) -> Table:
        """Return the faces of a deck that are not enrolled yet."""
        return tuple(map(parse_card, self.enrolment.missing(CardFaceId(str(card)) for card in deck)))

    def add(self, image: Image) -> int:
        """Add the cards of a photograph, and return the number of new proposals; copies of a waiting card are counted.

        Raise an `InputError` if no card was found, or too many proposals wait already.
        """
        found = propose([image], self.to_play_with)
        if not found:
            raise InputError(
                Phrase(
                    "No card was found: lay them apart on something plain, or on the mat, and photograph from above."
                )
            )
        looks = [CardLook.of(card.crop) for card in found]
        with self._lock:
            own = [CardLook.of(face.crop) for face in self.enrolment.faces]
            waiting = list(self.proposals)
            for card, look in zip(found, looks, strict=True):
                if not any(look.shows_same_as(known) for known in own):
                    self._count(waiting, card, look)
            if len(waiting) > MOST_PROPOSALS:
                raise InputError(Phrase("Too many cards are waiting for names: name some first."))
            added = len(waiting) - len(self.proposals)
            self.proposals = tuple(waiting)
        self._changes.notify()
        return added

    def _count(self, waiting: list[Proposal], found: CardProposal, look: CardLook) -> None:
        """Count a card as a copy of a waiting one, or add it; of equal crops one with a guess is kept."""
        # If several faces compete, the card is more likely an unknown one.
        guess = parse_card(found.guess[0].face) if len(found.guess) == 1 else None
        for index, other in enumerate(waiting):
            if look.shows_same_as(other.look):
                waiting[index] = replace(other, copies=other.copies + found.copies)
                if guess is not None and other.guess is None:  # a new number, so that no page shows the old image
                    waiting[index] = Proposal(next(self._numbers), found.crop, waiting[index].copies, guess)
                return
        waiting.append(Proposal(next(self._numbers), found.crop, found.copies, guess))

    def confirm(self, number: int, card: Card) -> None:
        """Name a proposal; a face that was enrolled before gets the new image.

        Raise an `InputError` if the proposal no longer waits, or the disk refuses it, so that it goes on waiting.
        """
        with self._lock:
            proposal = self._waiting(number)
            self._store(self.enrolment.with_face(self._name_face(card, proposal.crop)))
            self._drop(number)
        self._changes.notify()

    def reject(self, number: int) -> None:
        """Drop a proposal that is not a card or is known already; raise an `InputError` if it no longer waits."""
        with self._lock:
            self._waiting(number)
            self._drop(number)
        self._changes.notify()

    def turn(self, number: int) -> None:
        """Turn a proposal that is upside down; raise an `InputError` if it no longer waits."""
        with self._lock:
            proposal = self._waiting(number)
            crop = cv2.rotate(proposal.crop, cv2.ROTATE_180).astype(proposal.crop.dtype)
            turned = replace(proposal, crop=crop, number=next(self._numbers))  # so that no page shows the old image
            self.proposals = tuple(turned if other is proposal else other for other in self.proposals)
        self._changes.notify()

    def forget(self, card: Card) -> None:
        """Forget an enrolled face; raise an `InputError` if the disk refuses."""
        with self._lock:
            self._store(self.enrolment.without(CardFaceId(str(card))))
        self._changes.notify()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Register a listener for changes, called on the thread that made them; return the unsubscribe function."""
        return self._changes.listen(callback)

    def _name_face(self, card: Card, crop: Image) -> EnrolledCard:
        """Return a face with its image, and with the marker of our printed card if the image shows it."""
        face = CardFaceId(str(card))
        marker = next((ours.marker for ours in self._printed.faces if ours.face == face), None)
        return EnrolledCard(face, crop, marker if is_marked(crop, marker) else None)

    def _waiting(self, number: int) -> Proposal:
        proposal = self.proposal(number)
        if proposal is None:
            raise InputError(Phrase("That card already has a name."))
        return proposal

    def _drop(self, number: int) -> None:
        self.proposals = tuple(proposal for proposal in self.proposals if proposal.number != number)

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
        self.enrolment, self._to_play_with = enrolment, None
