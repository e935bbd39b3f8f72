"""Images, films and downloads, each by numbers alone: no part of a request ever becomes a part of a path.

The number of a game is `game_number`, which later games do not change. Phones see only the current game.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_own_file
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.output.game_json import game_download
from bunnymoose_cv.record.game_export import exported, rounds_csv
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.game_store import GamesFolderError
from bunnymoose_cv.record.replay import captions
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.referee.current_round import current_lines
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.live_image import MEDIA_TYPE
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, still_jpeg
from bunnymoose_cv.web.urls import game_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from starlette.requests import Request

    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.live_image import LiveImage


_logger = logging.getLogger(__name__)

_MOST_DIGITS: Final = 20


def media_routes(host: Host, live: LiveImage) -> Sequence[Route]:
    """Return the routes of images, films and downloads."""
    media = _Media(host)
    numbered = {
        "/still/{round:int}/{number:int}.jpg": media.still,
        "/frame/{round:int}/{number:int}.jpg": media.frame,
        "/film/{game:int}/{round:int}.mp4": media.film,
        "/film/{game:int}/{round:int}.vtt": media.captions,
        "/film/{game:int}/{round:int}.jpg": media.poster,
        "/film/{game:int}/{round:int}/{seat:int}.mp4": media.seat_film,
        "/film/{game:int}/highlights.mp4": media.highlights,
        "/download/{game:int}.zip": media.everything,
        "/download/{game:int}.csv": media.table,
        "/download/{game:int}.json": media.events,
    }
    return (
        Route("/live.mjpeg", partial(_live, live)),
        Route("/clock.json", _clock),
        *(Route(path, partial(_answer, endpoint)) for path, endpoint in numbered.items()),
    )


async def _live(live: LiveImage, request: Request) -> Response:
    """Stream the table as it is, unmirrored."""
    visitor, waits = visitor_of(request), "waits" in request.query_params
    if not live.places.has_room(visitor, waits=waits):
        return PlainTextResponse("", status_code=429)
    return StreamingResponse(live.parts(visitor, waits=waits), media_type=MEDIA_TYPE)


async def _clock(_request: Request) -> Response:
    """Send the clock of cues and frames, in seconds, by which a page changes the pattern of the delay."""
    return JSONResponse({"seconds": time.monotonic()})


class _NothingError(Exception):
    """Request for something that does not exist, or that the visitor may not see."""


def _answer(endpoint: Callable[[Request], Response], request: Request) -> Response:
    """Answer a request; with 404 also if a number in its address is longer than any of ours."""
    try:
        if any(number >= 10**_MOST_DIGITS for number in request.path_params.values()):
            raise _NothingError  # noqa: TRY301 - answered like all others below
        return endpoint(request)
    except _NothingError:
        return PlainTextResponse("", status_code=404)


class _Media:
    """Endpoints of media. They block, so they are not async, and Starlette runs them beside the server's loop."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def still(self, request: Request) -> Response:
        """Send a player at Bam, in the game that is played."""
        return self._image(request, still_jpeg)

    def frame(self, request: Request) -> Response:
        """Send a frame around Bam, in the game that is played."""
        return self._image(request, frame_jpeg)

    def _image(self, request: Request, make: Callable[[TableState, int, int], bytes | None]) -> Response:
        session, numbers = self._host.session, request.path_params
        content = None if session is None else make(session.state, numbers["round"], numbers["number"])
        if content is None:
            raise _NothingError
        return Response(content, media_type="image/jpeg")

    def film(self, request: Request) -> Response:
        """Serve the replay of a round; of the current game to all visitors."""
        return _file(self._round(request).replay)

    def captions(self, request: Request) -> Response:
        """Send the current announcements of a round, as captions of its replay."""
        folder, number, kept = self._folder(request), request.path_params["round"], self._round(request)
        try:
            seen, times = kept.read(), kept.read_times()
            with GameFile.open(folder) as file:
                game = file.game
        except InputError:
            _logger.info("captions without readable evidence", exc_info=True)
            raise _NothingError from None
        if seen is None or times is None:
            raise _NothingError
        said = current_lines(game, number, seen.language) if number <= len(game.rounds) else seen.said
        return Response(captions(said, times), media_type="text/vtt")

    def poster(self, request: Request) -> Response:
        """Send the image of a round at Bam, without readings, which may be corrected later."""
        try:
            return _file(self._round(request).frozen(), "image/jpeg")
        except EvidenceError:
            _logger.info("a round without readable evidence", exc_info=True)
            raise _NothingError from None

    def seat_film(self, request: Request) -> Response:
        """Serve the near film of one player of a round, if it exists and the visitor may see it."""
        kept, seat = self._round(request), request.path_params["seat"]
        if not visitor_of(request).may(Action.SEE_CLOSE_UPS, self._player_in(request.path_params["round"], seat)):
            raise _NothingError
        return _file(kept.seat_film(seat))

    def _player_in(self, number: int, seat: int) -> str | None:
        """Return the player in a seat of a finished round of the current game, or None."""
        rounds = () if self._host.session is None else self._host.session.state.game.rounds
        verdicts = rounds[number - 1].verdicts if 1 <= number <= len(rounds) else ()
        return next((verdict.player for verdict in verdicts if verdict.seat == seat), None)

    def highlights(self, request: Request) -> Response:
        """Serve the highlights of a game; of the current game to all visitors."""
        return _file(StoredGame(0, self._folder(request)).highlights)

    def everything(self, request: Request) -> Response:
        """Send a game with all its films and images."""
        game = self._game(request)
        content = exported(game, delimiter=self._delimiter(request))
        return StreamingResponse(content, media_type="application/zip", headers=_attachment(f"{game.name}.zip"))

    def table(self, request: Request) -> Response:
        delimiter = self._delimiter(request)
        return self._download(request, lambda file: rounds_csv(file, delimiter).encode("utf-8-sig"), "text/csv", "csv")

    def _delimiter(self, request: Request) -> str:
        """Return the sign between cells that spreadsheets in the screen's language expect; a comma if asked for."""
        is_english = self._host.texts.language is Language.ENGLISH
        return "," if is_english or request.query_params.get("format") == "comma" else ";"

    def events(self, request: Request) -> Response:
        return self._download(request, lambda file: game_download(file.game).encode(), "application/json", "json")

    def _download(self, request: Request, write: Callable[[GameFile], bytes], media_type: str, ending: str) -> Response:
        kept = self._game(request)
        with GameFile.open(kept.folder) as file:
            content = write(file)
        return Response(content, media_type=media_type, headers=_attachment(f"{kept.name}.{ending}"))

    def _game(self, request: Request) -> StoredGame:
        """Return the requested game, for the owner; none if the games cannot be listed, which the history reports."""
        number = request.path_params["game"]
        if visitor_of(request).may(Action.BROWSE):
            with suppress(GamesFolderError, StopIteration):
                return next(game for game in self._host.games if game_number(game.folder) == number)
        raise _NothingError

    def _folder(self, request: Request) -> Path:
        """Return the folder of the requested game; to a phone only if it is the current one."""
        playing = self._host.folder
        is_current = playing is not None and game_number(playing) == request.path_params["game"]
        if playing is not None and is_current and visitor_of(request).may(Action.SEE):
            return playing
        return self._game(request).folder

    def _round(self, request: Request) -> RoundFolder:
        return round_folder(self._folder(request), request.path_params["round"])


def _attachment(name: str) -> Mapping[str, str]:
    """Return the header by which a browser saves an answer under a name (RFC 6266); folders may have been renamed."""
    quoted = quote(as_unicode(name))
    parameter = f'filename="{name}"' if quoted == name else f"filename*=UTF-8''{quoted}"
    return {"content-disposition": f"attachment; {parameter}"}


def _file(path: Path, media_type: str = "video/mp4") -> Response:
    if not is_own_file(path):
        raise _NothingError
    return FileResponse(path, media_type=media_type)
