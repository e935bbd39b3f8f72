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
PRACTICE: Final = "/practice"
JOIN: Final = "/join"
"""The page where a phone says whose it is, and with the code in its query the way in for phones."""

PHONE: Final = "/phone"
OPEN: Final = "/open"
"""The way in for the owner, with a key in its query."""

EVENTS: Final = "/events"
"""Beginning of the address of a page's events; the page's own follows."""

COMMANDS: Final = "/command/"
"""Beginning of the addresses that take what people press on a page (commands/registry.py)."""

STYLE: Final = "/style/"
"""Beginning of the addresses of our style sheets and scripts."""

PHOTO: Final = "/cards/photo"
ENROL_PHOTO: Final = "/enrol/photo"
"""The two addresses that take anything: a photograph of cards, on the table and of the own deck (card_photos.py)."""

ENROL_CROP: Final = "/enrol/crop"
"""Beginning of the addresses of photographed cards that wait for their names."""

FACES: Final = "/cards/faces.html"
ENROL_FACES: Final = "/enrol/faces.html"
UNDERSTOOD: Final = "/cards/understood.html"


def photo_address(number: int) -> str:
    """Address of a photograph."""
    return f"{PHOTO}/{number}.jpg"


def crop_address(number: int) -> str:
    """Address of a photographed card that waits for its name."""
    return f"{ENROL_CROP}/{number}.jpg"


def contest_address(round_number: int, seat: int) -> str:
    """Address of the page about one verdict of the game that is played."""
    return f"/contest/{round_number}/{seat}"


def evening_address(folder: Path) -> str:
    """Address of the page about a kept game."""
    return f"{HISTORY}/{game_number(folder)}"


def game_number(folder: Path) -> int:
    """Number of a game in addresses: the digits of its start, which no later game changes."""
    return int("".join(filter(str.isdecimal, folder.name)) or 0)


def film_address(folder: Path, round_number: int) -> str:
    """Address of the replay of a round of a game."""
    return f"/film/{game_number(folder)}/{round_number}.mp4"


def captions_address(folder: Path, round_number: int) -> str:
    """Address of the captions of that replay."""
    return f"/film/{game_number(folder)}/{round_number}.vtt"


def poster_address(folder: Path, round_number: int) -> str:
    """Address of the judged image of a round of a game: it stands for the film until that plays."""
    return f"/film/{game_number(folder)}/{round_number}.jpg"


def seat_film_address(folder: Path, round_number: int, seat: int) -> str:
    """Address of the film of one player in a round of a game."""
    return f"/film/{game_number(folder)}/{round_number}/{seat}.mp4"


def highlights_address(folder: Path) -> str:
    """Address of the highlights of a game."""
    return f"/film/{game_number(folder)}/highlights.mp4"


def download_address(folder: Path, kind: str) -> str:
    """Address of a game's download: `zip`, `csv` or `json`."""
    return f"/download/{game_number(folder)}.{kind}"
