"""Train the hand-shape network: `python -m training.hand_shape`."""

from training.hand_shape import train

if __name__ == "__main__":
    train.main()
