"""Gather faces and train the face network: `python -m training.faces`."""

from training.faces import faces, train

if __name__ == "__main__":
    faces.main()
    train.main()
