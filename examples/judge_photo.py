"""Judge a photo: python judge_photo.py PHOTO ["L.WU+1 TONGUE+3"]."""

import sys

from bunnymoose_cv import InputError, judge

if len(sys.argv) < 2:
    sys.exit(__doc__)
try:
    judgement = judge(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
except InputError as error:  # an error that the user can correct, in one sentence
    sys.exit(str(error))
for player in judgement.players:
    print(
        f"Seat {player.reading.seat}: {player.reading.pose},",
        f"in question: {', '.join(player.reading.unclear) or 'nothing'}",
    )
    for line in player.score.lines if player.score else ():
        print(f"  {line.card}: {line.points:+d}, {line.why}")
print(*judgement.said, sep="\n")
