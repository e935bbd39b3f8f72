"""Rounds of a script, played the same way as people play them.

An evening that was interrupted goes on where the game file ends: what has happened is not done again.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.replay import ClipFootage
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.deck import deck_of
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.script_video_source import clip_of

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
    """Play what is left of a script.

    Args:
        file: the game, which may have been begun with the same script.
        referee: of that game; it asks nobody. Evidence that was interrupted is finished.
        own: the deck of people's own box, which is dealt from.

    Yields:
        each round that was played, by the rules and as it was seen.

    Raises:
        InputError: a clip cannot be read, or does not last until its Bam; the game has more rounds than the script;
            the deck has no hunter to end a deal.
    """
    evening = _with_names_of(file.game, evening)
    begun = len(file.game.rounds)
    if begun > len(evening.rounds):
        raise InputError(
            f"The game has {begun} rounds, the script {len(evening.rounds)}: go on with the script it was begun with"
        )
    clips = [clip_of(each) for each in evening.rounds[begun:]]
    referee.finish_evidence(lambda number: _recorded(evening, number))
    if begun:
        _apply_corrections(evening.rounds[begun - 1], begun, file, referee)
    for number, (each, clip) in enumerate(zip(evening.rounds[begun:], clips, strict=True), begun + 1):
        _lay_the_cards(each, evening.seed, file, referee, deck_of(file.game.rules, own))
        judged = _judge(clip, each.bam_s, file, referee)
        _apply_corrections(each, number, file, referee)
        yield file.game.rounds[number - 1], judged


def _with_names_of(game: Game, evening: Script) -> Script:
    """The script with the players' names as the game spells them."""
    names = dict(zip(evening.players, game.players, strict=True))
    rounds = (
        replace(
            each,
            bet=None if each.bet is None else names[each.bet],
            corrections={names[player]: pose for player, pose in each.corrections.items()},
        )
        for each in evening.rounds
    )
    return replace(evening, players=game.players, rounds=tuple(rounds))


def _recorded(evening: Script, number: int) -> tuple[ClipFootage, float] | None:
    """The clip of a round and its cue, seconds; None where it is no longer to be had."""
    if number > len(evening.rounds):
        return None
    each = evening.rounds[number - 1]
    try:
        return ClipFootage(clip_of(each)), each.bam_s
    except InputError:
        return None


def _lay_the_cards(each: ScriptedRound, seed: int, file: GameFile, referee: Referee, deck: Deck) -> None:
    """Bet and deal, except what has happened already."""
    if each.bet is not None and file.game.phase is Phase.BETTING and file.game.bet is None:
        referee.bet(each.bet)
    if each.cards is None:
        _deal(seed, file, referee, deck)
    elif file.game.phase is Phase.BETTING:
        referee.lay(each.cards)


def _judge(clip: Clip, bam_s: float, file: GameFile, referee: Referee) -> JudgedRound:
    """Bam, except where it has been said already, and verdicts."""
    if file.game.phase is not Phase.FROZEN:
        referee.bam("the script")
    footage = ClipFootage(clip)
    referee.reset_tracking()
    referee.judge(footage, bam_s)
    return referee.watch(footage)


def _deal(seed: int, file: GameFile, referee: Referee, deck: Deck) -> None:
    """Deal to the end; chance depends on the seed and on the events so far, so an interruption changes nothing."""
    if HunterCard() not in deck.cards:
        raise InputError(f"The deck “{deck.title}” has no hunter, so that no deal ends: add one")
    while file.game.phase is not Phase.FROZEN:
        referee.deal_card(deck, Random(f"{seed} {len(file.entries)}"))


def _apply_corrections(each: ScriptedRound, number: int, file: GameFile, referee: Referee) -> None:
    """The corrections of a round that is over, except what stands so already."""
    for player, pose in each.corrections.items():
        if file.game.rounds[number - 1].facts.poses[player] != pose:
            referee.correct_pose(player, pose, number)
