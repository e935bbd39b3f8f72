"""Spools damaged by accident or on purpose."""

import io
import json
import os
import struct
import wave
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

NAN: Final = float("nan")


def rewrite(path: Path, change: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> None:
    """Rewrite a spool with other contents of some entries."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in {**entries, **change}.items():
            archive.writestr(name, content)


def change_index(path: Path, **fields: Any) -> None:
    """Change fields of a spool's index."""
    with zipfile.ZipFile(path) as archive:
        index = json.loads(archive.read("index.json"))
    rewrite(path, {"index.json": json.dumps({**index, **fields}).encode()})


def change_directory(path: Path, offset: int, *values: int, form: str = "<H") -> None:
    """Change a field of each entry of a spool's central directory (APPNOTE 4.3.12)."""
    content = bytearray(path.read_bytes())
    place = content.find(b"PK\x01\x02")
    while place >= 0:
        struct.pack_into(form, content, place + offset, *values)
        place = content.find(b"PK\x01\x02", place + 4)
    path.write_bytes(content)


def picture(width: int, height: int) -> bytes:
    """Return a grey JPEG."""
    return bytes(cv2.imencode(".jpg", np.full((height, width, 3), 128, np.uint8))[1])


def with_pictures(path: Path, content: bytes) -> None:
    """Replace all images of a spool."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".jpg")]
    rewrite(path, dict.fromkeys(names, content))


def with_sound(
    path: Path,
    rate: int,
    *,
    width: int = 2,
    samples: bytes = b"\1\0" * 800,
    cut_bytes: int | None = None,
) -> None:
    """Give a spool a sound with such a header, or only the first bytes of one."""
    content = io.BytesIO()
    with wave.open(content, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(width)
        written.setframerate(1)
        written.writeframes(samples)
    header = bytearray(content.getvalue())
    struct.pack_into("<I", header, 24, rate)
    change_index(path, sound_start_s=0.0)
    rewrite(path, {"sound.wav": bytes(header[:cut_bytes])})


def replace_by(path: Path, make: Callable[[Path], object]) -> None:
    """Replace a spool by something else."""
    path.unlink()
    make(path)


def end_with_large_directory(path: Path) -> None:
    """Leave a spool whose directory is said to have 3 GB, most of which are a hole in the file."""
    size = 3_000_000_000
    path.write_bytes(b"")
    with path.open("r+b") as file:
        file.seek(size)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, size, 0, 0))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "version": lambda path: change_directory(path, 6, 84),
    "method": lambda path: change_directory(path, 10, 77),
    "encrypted": lambda path: change_directory(path, 8, 1),
    "strong encryption": lambda path: change_directory(path, 8, 0x40),
    "patched": lambda path: change_directory(path, 8, 0x20),
    "offset": lambda path: change_directory(path, 42, 0xFFFFFFF0, form="<L"),
    "not UTF-8": lambda path: change_directory(path, 46, 0xFFFF),
    "empty pictures": lambda path: with_pictures(path, b""),
    "no pictures": lambda path: with_pictures(path, b"coffee"),
    "cut pictures": lambda path: with_pictures(path, picture(320, 240)[:300]),
    "1 × 1": lambda path: with_pictures(path, picture(1, 1)),
    "1 × 3000": lambda path: with_pictures(path, picture(1, 3000)),
    "30000 × 30000": lambda path: with_pictures(
        path, picture(3000, 3000).replace(b"\x0b\xb8\x0b\xb8", b"\x75\x30\x75\x30")
    ),
    "no entries": lambda path: zipfile.ZipFile(path, "w").close(),
    "no times": lambda path: change_index(path, cue_s=NAN),
    "endless times": lambda path: change_index(path, cue_s=1.0, sound_start_s=float("inf")),
    "index is a list": lambda path: rewrite(path, {"index.json": b"[]"}),
    "index is no text": lambda path: rewrite(path, {"index.json": b"\xff\xfe"}),
    "deep index": lambda path: rewrite(path, {"index.json": b"[" * 200_000}),
    "sound is no sound": lambda path: with_sound(path, 8000, cut_bytes=20),
    "sound is missing": lambda path: change_index(path, sound_start_s=0.0),
    "rate 0": lambda path: with_sound(path, 0),
    "rate 4e9": lambda path: with_sound(path, 4_000_000_000),
    "odd samples": lambda path: with_sound(path, 8000, width=1, samples=b"\1" * 801),
    "packed": lambda path: rewrite(path, {"index.json": b" " * 1_000_000_000}, zipfile.ZIP_DEFLATED),
    "large directory": end_with_large_directory,
    "folder": lambda path: replace_by(path, Path.mkdir),
}
if hasattr(os, "mkfifo"):
    DAMAGES["named pipe"] = lambda path: replace_by(path, os.mkfifo)
    DAMAGES["device"] = lambda path: replace_by(path, lambda place: place.symlink_to("/dev/zero"))
