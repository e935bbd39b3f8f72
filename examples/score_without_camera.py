"""Score given poses without a camera: python score_without_camera.py."""

from bunnymoose_cv import score

CARDS = "L.WU+1 B.CD+1/+1 TONGUE+3"
for pose in ("WU CD", "TS TF t", "-- SS"):
    result = score(pose, CARDS)
    print(f"{pose}: {'a bush' if result.total is None else result.total}")
    for line in result.lines:
        print(f"  {line.card}: {line.points:+d}, {line.why}")
