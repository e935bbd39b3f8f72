"""Mutations of the bytes of a seed: flips, cuts, splices, zeros, boundary numbers, words of the format."""

from collections.abc import Sequence
from random import Random
from typing import Final

LONGEST: Final = 2_000_000
"""Maximum bytes of a mutated input, so that a run fits in memory."""

_BORDERS: Final = (
    b"\0" * 4,
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"\x80\0\0\0",
    b"\0\0\0\x01",
    b"\xff\xfe",
    b"\xed\xa0\x80",
)

_WORDS: Final = (
    *(b"0", b"-1", b"1e308", b"inf", b"nan", b"9" * 5000, b"0x" + b"f" * 40, b"true", b"null", b'""', b"[]", b"{}"),
    *(b"[" * 2000, b"{" * 2000, b'"', b"'", b"\n", b"\r\n", b"=", b"\\", b"\xe9", b"\xef\xbb\xbf", b"\x1b[2J", b"%00"),
    *("×−±’“".encode(), "\u202e".encode(), b"../" * 40, b"a" * 300, b"A" * 20_000),
)


def mutated(seeds: Sequence[bytes], chance: Random) -> bytes:
    """Return a seed with up to six mutations."""
    content = bytearray(chance.choice(seeds))
    for _ in range(chance.randint(1, 6)):
        chance.choice(_MUTATORS)(content, seeds, chance)
    return bytes(content[:LONGEST])


def _flip(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    for _bit in range(chance.randint(1, 8) if content else 0):
        content[_place(content, chance)] ^= 1 << chance.randrange(8)


def _byte(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    if content:
        content[_place(content, chance)] = chance.randrange(256)


def _cut(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    del content[chance.randint(0, len(content)) :]


def _drop(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    start = chance.randint(0, len(content))
    del content[start : start + chance.choice((1, 4, 64, 4096))]


def _repeat(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    start = chance.randint(0, len(content))
    piece = bytes(content[start : start + chance.choice((1, 8, 512))])
    content[start:start] = piece * chance.choice((1, 2, 100))


def _splice(content: bytearray, seeds: Sequence[bytes], chance: Random) -> None:
    other = chance.choice(seeds)
    start = chance.randint(0, len(content))
    content[start:] = other[chance.randint(0, len(other)) :]


def _zeros(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    start = chance.randint(0, len(content))
    length = chance.choice((4, 1024, 100_000))
    content[start : start + length] = bytes(length)


def _border(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    value, start = chance.choice(_BORDERS), chance.randint(0, len(content))
    content[start : start + len(value)] = value


def _word(content: bytearray, _: Sequence[bytes], chance: Random) -> None:
    start = chance.randint(0, len(content))
    content[start : start + chance.choice((0, 0, 1, 5))] = chance.choice(_WORDS)


def _place(content: bytearray, chance: Random) -> int:
    """Return a position, every second time in the header."""
    return chance.randrange(min(len(content), 64) if chance.random() < 0.5 else len(content))


_MUTATORS: Final = (_flip, _byte, _cut, _drop, _repeat, _splice, _zeros, _border, _word, _word)
