"""Majority votes over frames: three of five, each question by itself, and none after a movement."""

from __future__ import annotations

from bunnymoose_cv.session.laid_card_detector import FrameVotes


def test_three_of_five_frames_must_agree() -> None:
    votes: FrameVotes[str] = FrameVotes()
    agreed = [votes.add({1: answer}) for answer in ("a", None, "b", "a", "a")]
    assert agreed == [{}, {}, {}, {}, {1: "a"}]
    votes.forget()
    assert votes.frames == 0
    assert votes.add({1: "a"}) == {}


def test_questions_are_voted_on_apart_and_old_frames_no_longer_count() -> None:
    votes: FrameVotes[str] = FrameVotes()
    agreed = [votes.add({1: "a", 2: answer}) for answer in "bccccc"]
    assert agreed[2] == {1: "a"}
    assert agreed[-1] == {1: "a", 2: "c"}
    assert votes.frames == 5
