"""Gather, train, fine-tune on people, fit the fusion: `python -m training.headgear`."""

from training.headgear import fine_tune, gather, people_fusion, train

if __name__ == "__main__":
    gather.main()
    train.main([])
    fine_tune.main(["--out-of-fold"])
    people_fusion.main()
