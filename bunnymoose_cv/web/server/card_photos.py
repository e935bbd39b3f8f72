"""The only upload: a photograph of cards, on the table at Bam or of the owner's own deck.

A POST is answered by 204, or by a status with one sentence for people. A photograph is checked from cheap to costly:
type by content, dimensions, pixels. The image of a table stays in memory until the next round begins and is written
nowhere.
"""

from __future__ import annotations

import asyncio
import warnings
from collections import Counter
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Final

from PIL import Image as PillowImage
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.images import decode_image, is_heic
from bunnymoose_cv.capture.jpeg_frame import encode_jpeg
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.cards.card_photo import CardPhoto, seen_piles
from bunnymoose_cv.session.cards.table_card_reader import deal_knowledge
from bunnymoose_cv.vision.geometry import shrink
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.limits import TokenBucket
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.server.refusals import StatusError
from bunnymoose_cv.web.urls import ENROL_CROP, ENROL_PHOTO, PHOTO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starlette.requests import Request

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host


MOST_PIXELS: Final = 12_500_000
"""Limit for a photograph. A browser scales it to at most four million pixels before it sends it."""

LEAST_SIDE: Final = 320
SHOWN_SIDE: Final = 1280
"""Longer side of the image that is shown back, in pixels."""

_JPEG: Final = b"\xff\xd8\xff"
_QUALITY: Final = 80

_TOO_LARGE: Final = Phrase("The photograph has too many pixels: send a smaller one.")
_DAMAGED: Final = Phrase("The photograph is damaged or was cut off: send it again.")


def checked_photo(content: bytes) -> Image:
    """Decode an uploaded photograph, upright; raise a `StatusError` unless it is a whole JPEG of a usable size."""
    if is_heic(content):
        raise StatusError(
            415,
            Phrase(
                "This is a HEIC picture, which cannot be read here: let the phone's camera save “most compatible” "
                "pictures, or send a JPEG."
            ),
        )
    if not content.startswith(_JPEG):
        raise StatusError(415, Phrase("This is not a JPEG picture: send a photograph."))
    try:  # the header alone
        with warnings.catch_warnings(action="ignore"), PillowImage.open(BytesIO(content), formats=("JPEG",)) as image:
            width, height = image.size
    except PillowImage.DecompressionBombError:
        raise StatusError(413, _TOO_LARGE) from None
    except Exception as error:  # a damaged header raises many kinds of errors
        raise StatusError(422, _DAMAGED) from error
    if width * height > MOST_PIXELS:
        raise StatusError(413, _TOO_LARGE)
    if min(width, height) < LEAST_SIDE:
        raise StatusError(422, Phrase("The photograph is too small to read cards on it: send a larger one."))
    try:
        return decode_image(content, "photograph")
    except UnreadableError as error:
        raise StatusError(422, _DAMAGED) from error


def shown_photo(image: Image) -> bytes:
    """Return a photograph as a smaller JPEG without metadata."""
    return encode_jpeg(shrink(image, SHOWN_SIDE)[0], _QUALITY)


_NOT_YOURS: Final = Phrase("Only the narrator's phone and the screen at the table photograph the cards.")
_NOT_ENROLLED_HERE: Final = Phrase("Only the screen at the table enrols a deck.")


def card_photo_routes(host: Host, limits: Limits) -> Sequence[Route]:
    """Return the routes of photographs of cards."""
    photos = _CardPhotos(host, limits)
    take = partial(photos.receive, Action.LAY, _NOT_YOURS, photos.read)
    enrol = partial(photos.receive, Action.SET_UP, _NOT_ENROLLED_HERE, photos.enrol)
    return (
        Route(PHOTO, take, methods=["POST"]),
        Route(f"{PHOTO}/{{number:int}}.jpg", photos.show),
        Route(ENROL_PHOTO, enrol, methods=["POST"]),
        Route(f"{ENROL_CROP}/{{number:int}}.jpg", photos.crop),
    )


class _CardPhotos:
    """Endpoints that take photographs and show them back."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host, self._limits = host, limits
        self._rate = TokenBucket(limits.photos)
        self._at_work: Counter[str] = Counter()
        self._numbers = count(1)

    async def receive(
        self, action: Action, not_yours: Phrase, read: Callable[[Visitor, bytes], None], request: Request
    ) -> Response:
        """Receive a photograph. Permission, rate and number are checked before a byte of it is read."""
        visitor = visitor_of(request)
        try:
            if not visitor.may(action):
                raise StatusError(403, not_yours)
            with self._admitted(visitor):
                content = await self._body(request)
                await run_in_threadpool(read, visitor, content)
        except InputError as error:
            status = error.status if isinstance(error, StatusError) else 409
            sentence = self._host.texts(error.sentence)
            return PlainTextResponse(sentence, status_code=status, headers={"connection": "close"})
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        return Response(status_code=204)

    async def show(self, request: Request) -> Response:
        """Serve the photograph of the open round to all visitors who may see the table."""
        visitor = visitor_of(request)
        photo = None if self._host.session is None else self._host.session.state.photo
        if photo is None or photo.number != request.path_params["number"] or not visitor.may(Action.SEE):
            return PlainTextResponse("", status_code=404)
        return Response(photo.jpeg, media_type="image/jpeg")

    def crop(self, request: Request) -> Response:
        """Serve a card that waits for its name to the screen at the table alone."""
        visitor = visitor_of(request)
        enrolment = self._host.enrolment
        proposal = None if enrolment is None else enrolment.proposal(request.path_params["number"])
        if proposal is None or not visitor.may(Action.SET_UP):
            return PlainTextResponse("", status_code=404)
        return Response(shown_photo(proposal.crop), media_type="image/jpeg")

    @contextmanager
    def _admitted(self, visitor: Visitor) -> Iterator[None]:
        """Admit one photograph of a visitor at a time, within the limits."""
        busy = self._at_work[visitor.key] or self._at_work.total() >= self._limits.photos_at_once
        if busy or not self._rate.allows(visitor.key):
            raise StatusError(429, Phrase("Not so fast: wait a moment and send the photograph again."))
        self._at_work[visitor.key] += 1
        try:
            yield
        finally:
            self._at_work[visitor.key] -= 1
            self._at_work += Counter()  # drops visitors without a photograph

    async def _body(self, request: Request) -> bytes:
        """Read the body; a middleware has bounded its length."""
        try:
            async with asyncio.timeout(self._limits.photo_s):
                return await request.body()
        except TimeoutError:
            raise StatusError(408, Phrase("The photograph took too long to arrive: send it again.")) from None

    def read(self, visitor: Visitor, content: bytes) -> None:
        """Decode and read a photograph, and pass the result to the session, in a thread while poses are judged."""
        image = checked_photo(content)
        session, card_reader = self._host.require_session(), self._host.card_reader
        if card_reader is None:
            raise InputError(Phrase("No deck has been enrolled here, so cards cannot be read: lay them by hand."))
        game = session.state.game
        if game.phase is not Phase.FROZEN and not session.state.judging:
            raise InputError(Phrase("Photograph the cards once Bam has been said."))
        reading = card_reader.read(image, deal_knowledge(cards_of(game, self._host.choices.deck), game.table))
        piles, found = seen_piles(reading, game.rules.piles)
        number, shown = next(self._numbers), shown_photo(image)
        photo = CardPhoto(number, game.round_number, shown, reading.size, piles, found, reading.advice)
        visitor.expect(Action.LAY)
        session.see_cards(photo, visitor.name).result()

    def enrol(self, _visitor: Visitor, content: bytes) -> None:
        """Decode a photograph of the owner's cards, and find them."""
        enrolment = self._host.enrolment
        if enrolment is None:
            raise InputError(Phrase("No deck can be enrolled here"))
        enrolment.add(checked_photo(content))
