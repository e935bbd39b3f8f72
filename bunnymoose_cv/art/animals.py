"""The two animals: their portraits and their wooden figures on the trail, with the narrator and the burst of Bam."""

from __future__ import annotations

from bunnymoose_cv.art.head_art import head
from bunnymoose_cv.art.ink import (
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
from bunnymoose_cv.rules.pose import Animal


def portrait(animal: Animal) -> str:
    """Draw the head of a real moose or rabbit, with its own antlers or ears."""
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


def narrator_art() -> str:
    """Draw the narrator, an owl that reads from a book, 250 × 250."""
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
    return image(group(body + face + beak + book + text + wings, move=(125, 135)), (250, 250))


def bam_art() -> str:
    """Draw the word Bam in a burst, 300 × 200."""
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
    return image(shape(burst, SUN) + lettering, (300, 200))


SYMBOL_SHAPES = {
    "●": "M0 -12A12 12 0 1 1 0 12A12 12 0 1 1 0 -12Z",
    "▲": "M0 -13L14 11H-14Z",
    "■": "M-11 -11H11V11H-11Z",
    "◆": "M0 -15L13 0 0 15-13 0Z",
    "★": "M0 -15L4.3 -5.2 14.5 -4.6 6.6 2 9 12.4 0 6.8-9 12.4-6.6 2-14.5 -4.6-4.3 -5.2Z",
    "✚": "M-4.5 -13H4.5V-4.5H13V4.5H4.5V13H-4.5V4.5H-13V-4.5H-4.5Z",
}
"""Symbols of the players, one for each colour, so that colour is never the only mark."""

_GROWN = {
    Animal.MOOSE: (
        "M38 34C30 36 24 32 20 25L9 21M20 25L11 11M21 25L24 8M27 31L35 17M62 34C70 36 76 32 80 25L91 21M80 25L89 11"
        "M79 25L76 8M73 31L65 17"
    ),
    Animal.RABBIT: "M42 36C38 28 36 22 37 13M58 36C62 28 64 22 63 13",
}
_BROAD = {Animal.MOOSE: 7.5, Animal.RABBIT: 13.0}
_BODY = {
    Animal.MOOSE: (
        "M50 22C62 22 67 30 66 39 66 46 70 49 69 56 68 62 65 65 62 66 76 70 84 86 84 106 84 114 80 116 76 116"
        "H24C20 116 16 114 16 106 16 86 24 70 38 66 35 65 32 62 31 56 30 49 34 46 34 39 33 30 38 22 50 22Z"
    ),
    Animal.RABBIT: (
        "M50 26C63 26 70 34 70 45 70 52 67 57 62 61 76 66 84 84 84 106 84 114 80 116 76 116"
        "H24C20 116 16 114 16 106 16 84 24 66 38 61 33 57 30 52 30 45 30 34 37 26 50 26Z"
    ),
}
_FACE = {
    Animal.MOOSE: dot(42, 37, 3.4)
    + dot(58, 37, 3.4)
    + patch("M50 45C60 45 66 49 66 55 66 62 58 65 50 65S34 62 34 55C34 49 40 45 50 45Z", PAPER, 0.55)
    + line("M45 54V54.2M55 54V54.2", INK, 4.5),
    Animal.RABBIT: dot(42, 43, 3.4)
    + dot(58, 43, 3.4)
    + patch("M50 46C59 46 63 50 63 55 63 60 57 62 50 62S37 60 37 55C37 50 41 46 50 46Z", PAPER, 0.55)
    + patch("M46 50H54C54 53 52 55 50 55S46 53 46 50Z", INK)
    + line("M50 55V58M44 59C46 62 49 61 50 58 51 61 54 62 56 59", INK, 2.5),
}


def figure_art(animal: Animal, colour: str, symbol: str) -> str:
    """Draw a figure in a CSS colour, 100 × 120, standing on its lower edge, with a symbol of `SYMBOL_SHAPES`."""
    body = limbs(_GROWN[animal], colour, _BROAD[animal], outline=4.5) + shape(_BODY[animal], colour)
    light = line("M26 100C27 88 31 78 37 72", PAPER, 4)
    badge = group(
        patch("M0 -21A21 21 0 1 1 0 21A21 21 0 1 1 0 -21Z", PAPER) + patch(SYMBOL_SHAPES[symbol], INK), move=(50, 90)
    )
    return image(body + _FACE[animal] + light + badge, (100, 120))
