"""Addresses of the server that more than one module names: pages, commands, photographs, films and downloads.

No part of a request ever becomes a part of a path: games, rounds and seats are numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SETUP: Final = "/setup"
TABLE: Final = "/table"
CARDS: Final = "/cards"
VERDICTS: Final = "/verdicts"
HISTORY: Final = "/history"
FILMS: Final = "/films"
"""Page on which a phone shows and downloads the films of the current game."""

PRACTICE: Final = "/practice"
HOW_TO_PLAY: Final = "/how-to-play"
JOIN: Final = "/join"
"""Page on which a phone chooses its player; with the code in its query, phones join by it."""

PHONE: Final = "/phone"
OPEN: Final = "/open"
"""Address at which the owner logs in, with a key in its query."""

EVENTS: Final = "/events"
"""Beginning of the address of a page's events; the page's own follows."""

COMMANDS: Final = "/command/"
"""Beginning of the addresses of commands (server/command_endpoint.py)."""

STYLE: Final = "/style/"
"""Beginning of the addresses of our style sheets and scripts."""

PHOTO: Final = "/cards/photo"
ENROL_PHOTO: Final = "/enrol/photo"
"""The two addresses for uploads: photographs of cards on the table, and of the owner's deck (card_photos.py)."""

ENROL_CROP: Final = "/enrol/crop"
"""Beginning of the addresses of photographed cards that wait for their names."""

FACES: Final = "/cards/faces.html"
ENROL_FACES: Final = "/enrol/faces.html"
UNDERSTOOD: Final = "/cards/understood.html"


def contest_address(round_number: int, seat: int) -> str:
    """Return the address of the page about one verdict of the game that is played."""
    return f"/contest/{round_number}/{seat}"


def evening_address(folder: Path) -> str:
    """Return the address of the page about a kept game."""
    return f"{HISTORY}/{game_number(folder)}"


def game_number(folder: Path) -> int:
    """Return the number of a game in addresses: the digits of its start, which later games do not change."""
    return int("".join(filter(str.isdecimal, folder.name)) or 0)


def film_address(folder: Path, round_number: int, kind: str = "mp4") -> str:
    """Return the address of the replay of a round of a game, of its captions (`vtt`), or of its poster (`jpg`)."""
    return f"/film/{game_number(folder)}/{round_number}.{kind}"


def seat_film_address(folder: Path, round_number: int, seat: int) -> str:
    """Return the address of the film of one player in a round of a game."""
    return f"/film/{game_number(folder)}/{round_number}/{seat}.mp4"


def highlights_address(folder: Path) -> str:
    """Return the address of the highlights of a game."""
    return f"/film/{game_number(folder)}/highlights.mp4"


def download_address(folder: Path, kind: str) -> str:
    """Return the address of a game's download: `zip`, `csv` or `json`."""
    return f"/download/{game_number(folder)}.{kind}"
