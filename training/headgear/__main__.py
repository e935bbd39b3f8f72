"""Gather, then train both networks: `python -m training.headgear`."""

from training.headgear import gather, train_hands, train_sides

if __name__ == "__main__":
    gather.main()
    train_hands.main()
    train_sides.main()
