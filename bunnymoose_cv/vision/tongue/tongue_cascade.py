"""Tongue cascade: one mouth crop, more crops where the first leaves doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.logits import logit, sigmoid
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob
from bunnymoose_cv.vision.settings import TONGUE
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS, MouthPlace
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import TongueSettings
    from bunnymoose_cv.vision.faces.head import Head


SHIPPED_NET: Final = bundled("models/tongue.onnx")


class TongueReader:
    """Our tongue net, loaded. Belongs to one thread: workers each have theirs."""

    def __init__(self, settings: TongueSettings, model: Path | bytes = SHIPPED_NET) -> None:
        """Load a net.

        Args:
            model: the net's file or its bytes; another than the shipped one measures how good the way is
                (models/left_out).

        Raises:
            InputError: the net's file is not there.
        """
        if not isinstance(model, bytes) and not model.is_file():
            raise InputError(f"the tongue reader's model is missing at {model}: install bunnymoose again")
        self._settings = settings
        self._net = OnnxNet(model)

    def read(self, image: Image, head: Head, *, second_stage: bool = True) -> TongueReading:
        """Read the tongue of one head; that of what is not surely a face, or whose mouth was not found, is not sure.

        Args:
            image: blue-green-red bytes, shape (height, width, 3), unmirrored or mirrored.
            second_stage: whether an uncertain mouth goes through the second stage.

        Raises:
            TypeError: the image is no array of `uint8`.
            ValueError: the image has another shape, or the head has no two eyes.
        """
        return self.read_at(image, MouthPlace.of(head.face), second_stage=second_stage).at_head(head)

    def read_at(self, image: Image, place: MouthPlace, *, second_stage: bool = True) -> TongueReading:
        """Read the tongue of the mouth at a place, where no face need be seen.

        Args:
            image: blue-green-red bytes, shape (height, width, 3), unmirrored or mirrored.
            second_stage: whether an uncertain mouth goes through the second stage.

        Raises:
            TypeError: the image is no array of `uint8`.
            ValueError: the image has another shape.
        """
        check_image(image)
        logits = [self._logit(place.cut(image, CROPS[0]))]
        if second_stage and _is_uncertain(logits[0]):
            logits += [self._logit(place.cut(image, look)) for look in CROPS[1:]]
        return TongueReading.of(float(sigmoid(np.mean(logits))), self._settings)

    def _logit(self, mouth: Image) -> float:
        """The net's logit of a tongue that is out."""
        return float(logit(self._net.run(blob([mouth])).item(), _TINY))


def _is_uncertain(first: float) -> bool:
    """Tell if a logit lies between the thresholds of the second stage."""
    lowest, highest = logit(TONGUE.doubtful, _TINY).tolist()
    return bool(lowest < first < highest)


_TINY = 1e-9
