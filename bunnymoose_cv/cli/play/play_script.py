"""Rounds of a script, played the same way as by players.

An interrupted evening is resumed at the end of the game file, without repeating its events.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.footage import ClipFootage
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.deck import deck_of
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.sources.script_video_source import clip_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.referee.judged_round import JudgedRound
    from bunnymoose_cv.referee.referee import Referee
    from bunnymoose_cv.referee.script import Script, ScriptedRound
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round


def play_script(
    evening: Script, file: GameFile, referee: Referee, own: Deck | None = None
) -> Iterator[tuple[Round, JudgedRound]]:
    """Play the remaining rounds of a script, and yield each with its judgement.

    Args:
        file: the game, which may have been begun with the same script.
        referee: the referee of that game, which asks no questions. It finishes interrupted evidence.
        own: the players' own deck to deal from; None for the bundled one.

    Raises:
        InputError: a clip does not last until its Bam, or script, game and deck do not fit each other.
    """
    evening = _with_names_of(file.game, evening)
    played = len(file.game.rounds)
    if played > len(evening.rounds):
        raise InputError(
            f"The game has {played} rounds, the script {len(evening.rounds)}: go on with the script it was begun with"
        )
    clips = [clip_of(scripted) for scripted in evening.rounds[played:]]
    referee.finish_evidence(lambda number: _recorded_moment(evening, number))
    if played:
        _apply_corrections(evening.rounds[played - 1], played, file, referee)
    for number, (scripted, clip) in enumerate(zip(evening.rounds[played:], clips, strict=True), played + 1):
        _lay_cards(scripted, evening.seed, file, referee, deck_of(file.game.rules, own))
        judged = _judge(clip, scripted.bam_s, file, referee)
        _apply_corrections(scripted, number, file, referee)
        yield file.game.rounds[number - 1], judged


def _with_names_of(game: Game, evening: Script) -> Script:
    """Return the script with the players' names as spelled in the game."""
    names = dict(zip(evening.players, game.players, strict=True))
    rounds = (
        replace(
            scripted,
            bet=None if scripted.bet is None else names[scripted.bet],
            corrections={names[player]: pose for player, pose in scripted.corrections.items()},
        )
        for scripted in evening.rounds
    )
    return replace(evening, players=game.players, rounds=tuple(rounds))


def _recorded_moment(evening: Script, number: int) -> tuple[ClipFootage, float] | None:
    """Return the clip of a round and its cue in seconds; None if the clip is gone."""
    if number > len(evening.rounds):
        return None
    scripted = evening.rounds[number - 1]
    try:
        return ClipFootage(clip_of(scripted)), scripted.bam_s
    except InputError:
        return None


def _lay_cards(scripted: ScriptedRound, seed: int, file: GameFile, referee: Referee, deck: Deck) -> None:
    """Place the bet and deal, skipping events that have already happened."""
    if scripted.bet is not None and file.game.phase is Phase.BETTING and file.game.bet is None:
        referee.bet(scripted.bet)
    if scripted.cards is None:
        _deal(seed, file, referee, deck)
    elif file.game.phase is Phase.BETTING:
        referee.record_cards(scripted.cards)


def _judge(clip: Clip, bam_s: float, file: GameFile, referee: Referee) -> JudgedRound:
    """Freeze, unless Bam has been said already, and judge."""
    if file.game.phase is not Phase.FROZEN:
        referee.bam("the script")
    footage = ClipFootage(clip)
    referee.reset_tracking()
    referee.judge(footage, bam_s)
    return referee.watch(footage)


def _deal(seed: int, file: GameFile, referee: Referee, deck: Deck) -> None:
    """Deal to the end; the random numbers depend only on the seed and the events, so an interruption has no effect."""
    if HunterCard() not in deck.cards:
        raise InputError(f"The deck “{deck.title}” has no hunter, so that no deal ends: add one")
    while file.game.phase is not Phase.FROZEN:
        referee.deal_card(deck, Random(f"{seed} {len(file.entries)}"))


def _apply_corrections(scripted: ScriptedRound, number: int, file: GameFile, referee: Referee) -> None:
    """Apply the corrections of a finished round that change a pose."""
    for player, pose in scripted.corrections.items():
        if file.game.rounds[number - 1].facts.poses[player] != pose:
            referee.correct_pose(player, pose, number)
