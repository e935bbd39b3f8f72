"""Published state: each snapshot follows the newest one, and everybody who listens gets it."""

from dataclasses import dataclass, replace

from bunnymoose_cv.core.published import Published, VersionedState


@dataclass(frozen=True, slots=True)
class Count(VersionedState):
    """A state with one number."""

    number: int


def test_each_snapshot_follows_the_newest_one() -> None:
    published = Published(Count(5))
    heard: list[Count] = []
    end = published.listen(heard.append)
    published.publish(replace(published.state, number=6))
    published.publish(Count(7))
    end()
    published.publish(Count(8))
    assert heard == [Count(6, version=1), Count(7, version=2)]
    assert published.state == Count(8, version=3)
