"""Gather, then train all networks of headgear: `python -m training.headgear`."""

from training.hand_shape import train as train_shapes
from training.headgear import gather, train_hands, train_sides

if __name__ == "__main__":
    gather.main()
    train_shapes.main()
    train_hands.main()
    train_sides.main()
