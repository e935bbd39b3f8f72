"""Stored faces → `models/face.onnx`. Looks at no images.

Run from a checkout: `python -m training.faces.train`. Seeded; what is trained is kept in `training/work/`
as it goes (`--again` begins anew). One of five people teaches nothing: what is printed is measured on them.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch

from training.checkpoints import arrays_of
from training.content_cache import keyed
from training.export import export
from training.faces import face_net
from training.faces.face_augmentation import CurriculumStage, show
from training.faces.face_net import LESSONS, FaceNet, fit_faces
from training.faces.faces import GROUPS, WORK, Faces, left_out, packed_faces
from training.manifest import record_models
from training.paths import MODELS
from training.source_code import code_of
from training.trunk import as_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

from bunnymoose_cv.vision.nets.face_pose_net import SIZE, face_in

ROUNDS = 12
FAR = 0.35

torch.set_num_threads(1)
cv2.setNumThreads(1)


@torch.no_grad()
def report(name: str, net: FaceNet, faces: Faces, lesson: CurriculumStage) -> None:
    """Print how far off the found eyes are on left-out people, shown as in training."""
    draw, images = np.random.default_rng(0), faces.images()
    none = np.zeros(0, np.intp)
    off, turned, confidence, inside = [], [], [], []
    for _ in range(ROUNDS):
        shown = show(faces, images, none, lesson, draw)
        for said, eyes, axes in zip(net(as_inputs(shown.cuts)).numpy(), shown.eyes, shown.axes, strict=True):
            found = face_in(said)
            inside.append(bool(np.all((eyes.mean(0) >= 0) & (eyes.mean(0) < SIZE))))
            off.append(np.linalg.norm(found.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1]))
            turned.append(np.abs(found.axes - axes).mean())
            confidence.append(found.confidence)
    offs, sure, shows = np.array(off), np.array(confidence) > 0.5, np.array(inside)
    print(f"{name}: {shows.sum()} faces: {np.mean(sure[shows]):.3f} seen; of the seen, eyes off (eye distances)")
    print(np.percentile(offs[shows & sure], [50, 80, 90, 95, 98]).round(3), "axes off", np.nanmean(turned).round(3))
    print(f"{np.mean(offs[shows & sure] > FAR):.3f} of them off by more than {FAR}")
    if not shows.all():
        print(f"a face seen in {np.mean(sure[~shows]):.3f} of {(~shows).sum()} cuts without")


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure on left-out people, write what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="train also what is kept")
    options = parser.parse_args(arguments)
    faces = packed_faces()
    if GROUPS.exists():
        faces = Faces.join([faces, Faces.load(GROUPS)])
    out = left_out(faces)
    taught, unseen = (faces.take(np.flatnonzero(rows)) for rows in (~out, out))
    torch.manual_seed(0)
    net = FaceNet()
    for number, lesson in enumerate(LESSONS):
        begun = arrays_of(net.state_dict())
        file = keyed(WORK.parent / f"face{number}.pt", begun, taught, lesson, code_of(face_net.__file__))
        if options.again:
            file.unlink(missing_ok=True)
        net = fit_faces(net, taught, lesson, number, file)
    report("anywhere", net, unseen, CurriculumStage(0, close=0.0, elsewhere=0.0, rates=0.0))
    report("closely", net, unseen, CurriculumStage(0, close=1.0, elsewhere=0.0, rates=0.0))
    report("elsewhere", net, unseen, CurriculumStage(0, close=0.0, elsewhere=1.0, rates=0.0))
    # Not halved: each look at a face begins with the answer of the one before.
    export(net, torch.zeros(2, 3, SIZE, SIZE), MODELS / "face.onnx", "cuts", halved=False)
    record_models()


if __name__ == "__main__":
    main()
