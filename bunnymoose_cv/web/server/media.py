"""Images, films and downloads, each by numbers alone: no part of a request ever becomes a part of a path.

    /live.mjpeg                          the table as it is, unmirrored
    /clock.json                          the clock of cues and frames, for the pattern of the delay
    /still/ROUND/SEAT.jpg                a player at Bam       } of the game
    /frame/ROUND/NUMBER.jpg              a frame around Bam    } that is played
    /film/GAME/ROUND.mp4                 a round's replay, in ranges as browsers ask for it
    /film/GAME/ROUND.vtt                 what was announced in it, as captions
    /film/GAME/ROUND.jpg                 what everybody showed in it, drawn in
    /film/GAME/ROUND/SEAT.mp4            one player of it, near and slowly, once that was made
    /film/GAME/highlights.mp4            once they were made
    /download/GAME.zip, .csv, .json      everything; scores as a table (?format=comma); what happened

GAME is `game_number`, whoever's game was begun since. Phones see the game that is played and no other evening.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bunnymoose_cv.core.input_file import is_own_file
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.captions import captions
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GamesFolderError
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.record.rounds_csv import rounds_csv
from bunnymoose_cv.web.auth.access import Action, Visitor, visitor_of
from bunnymoose_cv.web.live.live_image import MEDIA_TYPE
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, still_jpeg
from bunnymoose_cv.web.server.downloads import game_json
from bunnymoose_cv.web.urls import game_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from starlette.requests import Request

    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.live_image import LiveImage

_logger = logging.getLogger(__name__)

_MOST_DIGITS: Final = 20
"""Of a number in an address; no game and no round has more."""


def media_routes(host: Host, live: LiveImage) -> Sequence[Route]:
    """Routes of images, films and downloads."""
    media = _Media(host, live)
    return (
        Route("/live.mjpeg", media.live),
        Route("/clock.json", _tell_clock),
        Route("/still/{round:int}/{number:int}.jpg", media.still),
        Route("/frame/{round:int}/{number:int}.jpg", media.frame),
        Route("/film/{game:int}/{round:int}.mp4", media.film),
        Route("/film/{game:int}/{round:int}.vtt", media.captions),
        Route("/film/{game:int}/{round:int}.jpg", media.poster),
        Route("/film/{game:int}/{round:int}/{seat:int}.mp4", media.seat_film),
        Route("/film/{game:int}/highlights.mp4", media.highlights),
        Route("/download/{game:int}.zip", media.everything),
        Route("/download/{game:int}.csv", media.table),
        Route("/download/{game:int}.json", media.events),
    )


async def _tell_clock(request: Request) -> Response:
    """Tell the time of cues and frames, in seconds; a page shows the pattern of the delay by it."""
    del request
    return JSONResponse({"seconds": time.monotonic()})


class _Media:
    """Endpoints of media; what blocks runs beside the server's loop, as Starlette runs functions that are not async."""

    def __init__(self, host: Host, live: LiveImage) -> None:
        self._host = host
        self._live = live

    # The game that is played.

    async def live(self, request: Request) -> Response:
        """Serve the live image of the table."""
        visitor = visitor_of(request)
        waits = "waits" in request.query_params
        if not self._live.places.has_room(visitor, waits=waits):
            return PlainTextResponse("", status_code=429)
        return StreamingResponse(self._live.parts(visitor, waits=waits), media_type=MEDIA_TYPE)

    def still(self, request: Request) -> Response:
        """Send the still of a player at Bam."""
        return self._image(request, still_jpeg)

    def frame(self, request: Request) -> Response:
        """Send a frame around Bam."""
        return self._image(request, frame_jpeg)

    def _image(self, request: Request, made: Callable[[TableState, int, int], bytes | None]) -> Response:
        numbers = _numbers(request, "round", "number")
        if self._host.session is None or numbers is None:
            return _nothing()
        content = made(self._host.session.state, *numbers)
        return _nothing() if content is None else Response(content, media_type="image/jpeg")

    # Kept games.

    def film(self, request: Request) -> Response:
        """Serve the replay of a round; of the running game to everybody."""
        numbers = _numbers(request, "game", "round")
        folder = None if numbers is None else self._folder_for(visitor_of(request), numbers[0])
        return _nothing() if folder is None or numbers is None else _film(round_folder(folder, numbers[1]).replay)

    def captions(self, request: Request) -> Response:
        """Send the captions of a round's replay."""
        numbers = _numbers(request, "game", "round")
        folder = None if numbers is None else self._folder_for(visitor_of(request), numbers[0])
        if folder is None or numbers is None:
            return _nothing()
        kept = round_folder(folder, numbers[1])
        try:
            seen, times = kept.read(), kept.read_times()
        except EvidenceError:
            _logger.info("captions without readable evidence", exc_info=True)
            return _nothing()
        if seen is None or times is None:
            return _nothing()
        return Response(captions(seen.said, times), media_type="text/vtt")

    def poster(self, request: Request) -> Response:
        """Send the judged image of a round, with the readings drawn in."""
        numbers = _numbers(request, "game", "round")
        folder = None if numbers is None else self._folder_for(visitor_of(request), numbers[0])
        if folder is None or numbers is None:
            return _nothing()
        still = round_folder(folder, numbers[1]).still
        return FileResponse(still, media_type="image/jpeg") if is_own_file(still) else _nothing()

    def seat_film(self, request: Request) -> Response:
        """Serve the film of one player of a round, where it was made."""
        numbers = _numbers(request, "game", "round", "seat")
        folder = None if numbers is None else self._folder_for(visitor_of(request), numbers[0])
        if folder is None or numbers is None:
            return _nothing()
        return _film(round_folder(folder, numbers[1]).seat_film(numbers[2]))

    def highlights(self, request: Request) -> Response:
        """Serve the highlights of a game."""
        game = self._game(request)
        return _nothing() if game is None else _film(game.highlights)

    def everything(self, request: Request) -> Response:
        """Send a game with all its films and images."""
        game = self._game(request)
        if game is None:
            return _nothing()
        content = self._host.games.download(game, delimiter=self._delimiter(request))
        return StreamingResponse(content, media_type="application/zip", headers=_attachment(f"{game.name}.zip"))

    def table(self, request: Request) -> Response:
        """Send the rounds of a game, for a spreadsheet."""
        delimiter = self._delimiter(request)
        return self._download(request, lambda file: rounds_csv(file, delimiter).encode("utf-8-sig"), "text/csv", "csv")

    def _delimiter(self, request: Request) -> str:
        """Return the sign between cells that spreadsheets in the screen's language expect; a comma if asked for."""
        is_english = self._host.texts.language is Language.ENGLISH
        return "," if is_english or request.query_params.get("format") == "comma" else ";"

    def events(self, request: Request) -> Response:
        """Send the events of a game, for other programs."""
        return self._download(request, lambda file: game_json(file.game).encode(), "application/json", "json")

    def _download(self, request: Request, write: Callable[[GameFile], bytes], media_type: str, ending: str) -> Response:
        kept = self._game(request)
        if kept is None:
            return _nothing()
        with GameFile.open(kept.folder) as file:
            content = write(file)
        return Response(content, media_type=media_type, headers=_attachment(f"{kept.name}.{ending}"))

    def _game(self, request: Request) -> StoredGame | None:
        """The kept game that the owner means; None for a phone."""
        numbers = _numbers(request, "game")
        if numbers is None or not visitor_of(request).may(Action.BROWSE):
            return None
        return self._find_game(numbers[0])

    def _folder_for(self, visitor: Visitor, number: int) -> Path | None:
        """Folder of a game that a visitor may see."""
        playing = self._host.folder
        if playing is not None and game_number(playing) == number and visitor.may(Action.SEE):
            return playing
        if not visitor.may(Action.BROWSE):
            return None
        kept = self._find_game(number)
        return None if kept is None else kept.folder

    def _find_game(self, number: int) -> StoredGame | None:
        """The kept game of a number; None also where the games cannot be listed, which the history tells."""
        with suppress(GamesFolderError):
            return next((game for game in self._host.games if game_number(game.folder) == number), None)
        return None


def _attachment(name: str) -> Mapping[str, str]:
    """Header that has a browser save what comes under a name (RFC 6266); people may have renamed a game's folder."""
    quoted = quote(as_unicode(name))
    told = f'filename="{name}"' if quoted == name else f"filename*=UTF-8''{quoted}"
    return {"content-disposition": f"attachment; {told}"}


def _film(path: Path) -> Response:
    return FileResponse(path, media_type="video/mp4") if is_own_file(path) else _nothing()


def _numbers(request: Request, *names: str) -> tuple[int, ...] | None:
    """The numbers in an address; None where one is longer than any of ours."""
    numbers = tuple(request.path_params[name] for name in names)
    return numbers if all(number < 10**_MOST_DIGITS for number in numbers) else None


def _nothing() -> Response:
    return PlainTextResponse("", status_code=404)
