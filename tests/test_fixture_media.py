"""Images, clips and sounds of the fixtures are those of the manifest, whose facts other tests compare with truths."""

from tests.fixture_media import FIXTURES, IMAGES, digest_of, manifest, media_files


def test_every_file_is_listed_with_its_hash() -> None:
    there = {path.relative_to(FIXTURES).as_posix(): digest_of(path) for path in media_files()}
    assert there == {name: media.sha256 for name, media in manifest().items()}, "python -m tests.fixture_media"
    assert len(there) > 700


def test_every_image_and_clip_could_be_decoded() -> None:
    seen = [media for media in manifest().values() if not media.file.startswith("sounds/")]
    assert [media.file for media in seen if not (media.width and media.height and media.frames)] == []
    assert sum(media.file.endswith(tuple(IMAGES)) for media in seen) > 600
