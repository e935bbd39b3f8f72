"""Follow the players of a camera, stream or clip: python follow_stream.py SOURCE [SECONDS]."""

import sys

# Live sources and the tracker are no public API: these modules may change without notice.
from bunnymoose_cv.capture.frame import SourceEndedError
from bunnymoose_cv.capture.image_geometry import AS_IT_IS
from bunnymoose_cv.capture.live import open_live
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.video.tracker import Tracker


def follow(address: str, seconds: float) -> None:
    """Print the poses of each frame that is read."""
    with Reader() as reader, open_live(address, AS_IT_IS, reader.settings.camera) as source:
        tracker = Tracker(reader)
        frame = source.read()
        first_s = frame.time_s
        while frame.time_s - first_s <= seconds:
            poses = [str(player.pose) for player in tracker.read(frame).players]
            print(f"{frame.time_s - first_s:5.2f} s: {' | '.join(poses) or 'nobody'}")
            frame = source.read()


if len(sys.argv) < 2:
    sys.exit(__doc__)
try:
    follow(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10.0)
except SourceEndedError:  # a clip is over
    pass
except InputError as error:  # an error that the user can correct, in one sentence
    sys.exit(str(error))
