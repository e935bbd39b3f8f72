"""Gather, train both networks, fine-tune the side network on people: `python -m training.headgear`."""

from training.headgear import fine_tune, gather, train_hands, train_sides

if __name__ == "__main__":
    gather.main()
    train_hands.main()
    train_sides.main()
    fine_tune.main()
