"""Manifest of the images, clips and sounds under `fixtures/`: their hashes and decoded properties.

    python -m tests.fixture_media    # after fixtures have changed: decodes every file and writes fixtures/media.csv

While the hashes match, tests compare the truths of the fixtures with these properties and decode nothing.
"""

import csv
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import av
import cv2

FIXTURES: Final = Path(__file__).parents[1] / "fixtures"
MANIFEST: Final = FIXTURES / "media.csv"
IMAGES: Final = {".jpg", ".png"}
CLIPS: Final = {".mp4"}
SOUNDS: Final = {".ogg"}


@dataclass(frozen=True, slots=True)
class Media:
    """An entry of the manifest.

    Attributes:
        file: path relative to `fixtures`.
        sha256: digest of its content, hexadecimal.
        width: pixels; 0 for a sound.
        height: pixels; 0 for a sound.
        codec: codec and pixel format of a clip; empty for others.
        rate: average frames per second of a clip, as a fraction; empty for others.
        frames: number of frames that can be decoded; 0 for a sound.
        last_s: time of the last frame of a clip, seconds; 0 for others.
    """

    file: str
    sha256: str
    width: int = 0
    height: int = 0
    codec: str = ""
    rate: str = ""
    frames: int = 0
    last_s: float = 0.0


def media_files() -> list[Path]:
    """Return all images, clips and sounds except the renderer's assets."""
    kinds = IMAGES | CLIPS | SOUNDS
    files = (path for path in FIXTURES.rglob("*") if path.suffix in kinds)
    return sorted(path for path in files if "render" not in path.relative_to(FIXTURES).parts)


def digest_of(path: Path) -> str:
    """Return the SHA-256 digest of a file's content."""
    return sha256(path.read_bytes()).hexdigest()


@cache
def manifest() -> dict[str, Media]:
    """Return the media of the manifest by file."""
    with MANIFEST.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kinds = {"width": int, "height": int, "frames": int, "last_s": float}
    return {row["file"]: Media(**{name: kinds.get(name, str)(value) for name, value in row.items()}) for row in rows}


def _decoded(path: Path) -> Media:
    name, digest = path.relative_to(FIXTURES).as_posix(), digest_of(path)
    if path.suffix in SOUNDS:
        return Media(name, digest)
    if path.suffix in IMAGES:
        image = cv2.imread(str(path))
        if image is None:
            raise ValueError(name)
        return Media(name, digest, image.shape[1], image.shape[0], frames=1)
    with av.open(str(path)) as container:
        video = container.streams.video[0]
        codec = f"{video.codec_context.name} {video.codec_context.pix_fmt}"
        times_s = [frame.time for frame in container.decode(video)]
        size = (video.width, video.height)
        return Media(name, digest, *size, codec, str(video.average_rate), len(times_s), round(times_s[-1], 3))


def write_manifest() -> None:
    """Decode every file and write the manifest."""
    with MANIFEST.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Media)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(_decoded(path)) for path in media_files())


if __name__ == "__main__":
    write_manifest()
