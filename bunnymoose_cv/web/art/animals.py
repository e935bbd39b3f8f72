"""The two animals themselves, the narrator and Bam."""

from __future__ import annotations

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.web.art.head_art import head
from bunnymoose_cv.web.art.ink import (
    FINE,
    INK,
    MOOSE,
    PAPER,
    RABBIT,
    SUN,
    TONGUE,
    disc,
    dot,
    group,
    image,
    limbs,
    line,
    patch,
    shape,
)


def portrait(animal: Animal) -> str:
    """The head of a real moose or rabbit, with antlers or ears of its own."""
    grown = _antlers() if animal is Animal.MOOSE else _ears()
    return grown + head(animal)


def _antlers() -> str:
    beam = (
        "M34 -40C50 -44 56 -54 60 -62M60 -62C74 -66 92 -78 98 -98M60 -62C64 -76 72"
        " -92 74 -106M58 -60C54 -76 50 -90 48 -102M64 -60C80 -58 100 -64 108 -72"
    )
    one = limbs(beam, MOOSE, 15)
    ear = shape("M36 -30C52 -40 66 -32 70 -22 58 -16 44 -16 36 -22Z", MOOSE, strength=0.38)
    return "".join(group(one + ear, flip=flip) for flip in (False, True))


def _ears() -> str:
    ear = shape("M10 -42C4 -76 12 -108 26 -110 42 -110 44 -72 34 -40Z", RABBIT, strength=0.38)
    inside = patch("M18 -48C15 -74 20 -96 26 -98 34 -96 34 -70 28 -46Z", TONGUE, 0.5)
    return "".join(group(ear + inside, flip=flip) for flip in (False, True))


def narrator_art(name: str = "") -> str:
    """The narrator, an owl that reads out of a book: 250 × 250."""
    body = shape(
        "M-60 -20C-64 -66 -40 -92 -50 -104 -30 -104 -18 -94 0 -94S30 -104"
        " 50 -104C40 -92 64 -66 60 -20 58 40 40 70 0 70S-58 40 -60 -20Z",
        MOOSE,
        strength=0.55,
    )
    face = "".join(
        disc(x, -46, 25, PAPER) + dot(x * 0.86, -42, 9) + dot(x * 0.86 + 3, -45, 2.6, PAPER) for x in (-25, 25)
    )
    beak = shape("M-9 -32H9C8 -20 3 -14 0 -12 -3 -14 -8 -20 -9 -32Z", SUN)
    book = shape("M0 26C-20 12 -52 12 -76 18V74C-52 68 -20 68 0 82 20 68 52 68 76 74V18C52 12 20 12 0 26Z", PAPER)
    text = line(
        "M0 26V82M-60 34C-44 31 -28 33 -16 39M-60 50C-44 47 -28 49"
        " -16 55M60 34C44 31 28 33 16 39M60 50C44 47 28 49 16 55",
        INK,
        FINE,
    )
    wings = limbs("M-58 6C-70 16 -76 28 -74 42M58 6C70 16 76 28 74 42", MOOSE, 14)
    return image(group(body + face + beak + book + text + wings, move=(125, 135)), (250, 250), name)


def bam_art(name: str = "") -> str:
    """The shout itself, lettered in a burst: 300 × 200."""
    burst = (
        "M150 8L174 38 218 14 222 50 276 42 254 80 294 102 254 122"
        " 272 160 222 154 214 188 174 164 148 194 126 164 84 188"
        " 78 154 26 160 46 122 6 102 46 80 24 42 78 50 82 14 126 38Z"
    )
    letters = (
        "M70 68V132M70 70H88C108 70 108 98 88 98H70M88 98C114 98 114 132 88 132H70"
        "M122 132L144 68 166 132M130 112H158M180 132V68L206 106 232 68V132"
    )
    lettering = line(letters, INK, 23) + line(letters, PAPER, 13)
    return image(shape(burst, SUN) + lettering, (300, 200), name)
