"""The only upload: a photograph of cards, on the table at Bam or of the owner's own deck.

    POST /cards/photo              a JPEG, by the narrator's phone or the screen at the table
    GET  /cards/photo/NUMBER.jpg   the photograph of the open round, as it is shown back
    POST /enrol/photo              a JPEG of own cards, by the screen at the table alone
    GET  /enrol/crop/NUMBER.jpg    a card that waits for its name, for the screen at the table alone

A POST is answered by 204, or by a status with one sentence for people. The image of a table stays in memory until the
next round begins and is written nowhere.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.card_photo import CardPhoto, seen_piles
from bunnymoose_cv.session.table_card_reader import deal_knowledge
from bunnymoose_cv.web.auth.access import Action, visitor_of
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.server.rate_limits import TokenBucket
from bunnymoose_cv.web.server.uploaded_photo import PhotoError, checked_photo, shown_photo
from bunnymoose_cv.web.urls import ENROL_CROP, ENROL_PHOTO, PHOTO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starlette.requests import Request

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host

_NOT_YOURS: Final = Phrase("Only the narrator's phone and the screen at the table photograph the cards.")
_NOT_ENROLLED_HERE: Final = Phrase("Only the screen at the table enrols a deck.")
_TOO_OFTEN: Final = Phrase("Not so fast: wait a moment and send the photograph once more.")
_TOO_SLOW: Final = Phrase("The photograph took too long to arrive: send it once more.")


def card_photo_routes(host: Host, limits: Limits) -> Sequence[Route]:
    """Routes of photographs of cards."""
    photos = _CardPhotos(host, limits)
    return (
        Route(PHOTO, photos.take, methods=["POST"]),
        Route(f"{PHOTO}/{{number:int}}.jpg", photos.show),
        Route(ENROL_PHOTO, photos.enrol, methods=["POST"]),
        Route(f"{ENROL_CROP}/{{number:int}}.jpg", photos.crop),
    )


class _CardPhotos:
    """Endpoints that take photographs and show them back."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host, self._limits = host, limits
        self._rate = TokenBucket(limits.photos)
        self._at_work: Counter[str] = Counter()
        self._numbers = count(1)

    async def take(self, request: Request) -> Response:
        """Take a photograph of the table."""
        return await self._receive(request, Action.LAY, _NOT_YOURS, self._read)

    async def enrol(self, request: Request) -> Response:
        """Take a photograph of own cards."""
        return await self._receive(request, Action.SET_UP, _NOT_ENROLLED_HERE, self._enrol)

    async def _receive(
        self, request: Request, action: Action, not_yours: Phrase, read: Callable[[Visitor, bytes], None]
    ) -> Response:
        """Take a photograph: who may, how often and how many are asked before a byte of it is read."""
        visitor = visitor_of(request)
        try:
            _expect(visitor, action, not_yours)
            with self._admitted(visitor):
                content = await self._body(request)
                await run_in_threadpool(read, visitor, content)
        except PhotoError as error:
            return self._refuse(error.status, error.sentence)
        except InputError as error:
            return self._refuse(409, error.sentence)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        return Response(status_code=204)

    async def show(self, request: Request) -> Response:
        """Serve the photograph of the open round to everybody who may see the table."""
        visitor = visitor_of(request)
        photo = None if self._host.session is None else self._host.session.state.photo
        if photo is None or photo.number != request.path_params["number"] or not visitor.may(Action.SEE):
            return PlainTextResponse("", status_code=404)
        return Response(photo.jpeg, media_type="image/jpeg")

    def crop(self, request: Request) -> Response:
        """Serve the crop of a card that waits for its name."""
        visitor = visitor_of(request)
        enrolment = self._host.enrolment
        waits = None if enrolment is None else enrolment.proposal(request.path_params["number"])
        if waits is None or not visitor.may(Action.SET_UP):
            return PlainTextResponse("", status_code=404)
        return Response(shown_photo(waits.crop), media_type="image/jpeg")

    @contextmanager
    def _admitted(self, visitor: Visitor) -> Iterator[None]:
        """Let one photograph of a visitor in."""
        busy = self._at_work[visitor.key] or self._at_work.total() >= self._limits.photos_at_once
        if busy or not self._rate.allows(visitor.key):
            raise PhotoError(429, _TOO_OFTEN)
        self._at_work[visitor.key] += 1
        try:
            yield
        finally:
            self._at_work[visitor.key] -= 1
            self._at_work += Counter()  # forgets who has none any more

    async def _body(self, request: Request) -> bytes:
        """Read the body; a middleware has bounded its length."""
        try:
            async with asyncio.timeout(self._limits.photo_s):
                return await request.body()
        except TimeoutError:
            raise PhotoError(408, _TOO_SLOW) from None

    def _read(self, visitor: Visitor, content: bytes) -> None:
        """Decode and read a photograph, and tell the table; on a thread of its own, while poses are judged.

        Raises:
            InputError: nobody waits for the cards, nothing can read them, or the visitor may lay none by now.
        """
        image = checked_photo(content)
        session, card_reader = self._host.require_session(), self._host.card_reader
        if card_reader is None:
            raise InputError(Phrase("No deck is known here that cards could be read by: lay them by hand."))
        game = session.state.game
        if game.phase is not Phase.FROZEN and not session.state.judging:
            raise InputError(Phrase("Photograph the cards once Bam has been said."))
        reading = card_reader.read(image, deal_knowledge(cards_of(game, self._host.deck), game.table))
        piles, found = seen_piles(reading, game.rules.piles)
        number, shown = next(self._numbers), shown_photo(image)
        photo = CardPhoto(number, game.round_number, shown, reading.size, piles, found, reading.advice)
        visitor.expect(Action.LAY)
        session.see_cards(photo, visitor.name).result()

    def _enrol(self, _visitor: Visitor, content: bytes) -> None:
        """Decode a photograph of own cards, and find them."""
        enrolment = self._host.enrolment
        if enrolment is None:
            raise InputError(Phrase("No deck can be enrolled here"))
        enrolment.add(checked_photo(content))

    def _refuse(self, status: int, sentence: str) -> Response:
        return PlainTextResponse(self._host.texts(sentence), status_code=status, headers={"connection": "close"})


def _expect(visitor: Visitor, action: Action, not_yours: Phrase) -> None:
    """Refuse who may not do something."""
    if not visitor.may(action):
        raise PhotoError(403, not_yours)
