"""Train the tongue network: `python -m training.tongue`."""

from training.tongue import train

if __name__ == "__main__":
    train.main()
