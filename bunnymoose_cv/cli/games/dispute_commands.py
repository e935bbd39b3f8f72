"""`bunnymoose contest`, `correct` and `undo`: the evidence of a verdict, and its correction."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from bunnymoose_cv.cli.games.kept_game_arguments import (
    GameArgument,
    GamesOption,
    JsonOption,
    OpenOption,
    RoundArgument,
    kept_games,
    seat_of,
    seats_of,
)
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.unicode_text import is_unseen

SeatArgument = Annotated[str, typer.Argument(metavar="SEAT", help="The player: the seat, 1 at the left, or the name.")]


def _somebody(name: str) -> str:
    if all(letter.isspace() or is_unseen(letter) for letter in name):
        raise InputError("--who is empty: name who says so.")
    return name


WhoOption = Annotated[
    str, typer.Option("--who", metavar="NAME", callback=_somebody, help="Your name, which is recorded.")
]


def contest(
    game: GameArgument,
    round_number: RoundArgument,
    seat: SeatArgument,
    *,
    show_it: OpenOption = False,
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the evidence of a verdict: what was read and why, what each card scored, and the images.

    For example:

        bunnymoose contest last 3 Blue

        bunnymoose contest last 3 2 --open

        bunnymoose contest 2026-11-21 3 2 --json
    """
    from bunnymoose_cv.cli.games.game_reports import show_dispute
    from bunnymoose_cv.output.game_json import dispute_json
    from bunnymoose_cv.record.game_corrections import Dispute
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.round_folder import round_folder

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        players = seats_of(file.game, round_number)
        number = seat_of(players, seat)
        evidence = round_folder(kept.folder, round_number)
        dispute = Dispute.of(file, round_number, number, players[number - 1], evidence)
    if as_json:
        echo(json_line(dispute_json(dispute)))
    else:
        show_dispute(Terminal(), dispute)
    still = evidence.still
    if show_it and (not is_visible(still) or typer.launch(str(still))):
        raise InputError(f"{still} cannot be shown: look whether it is there and open it by hand.")


def correct(
    game: GameArgument,
    round_number: RoundArgument,
    seat: SeatArgument,
    pose: Annotated[
        str, typer.Argument(metavar="POSE", help="The correct pose: left, right, t for the tongue: “WU CD t”.")
    ],
    *,
    who: WhoOption = "people",
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, which is recorded.")] = "put right",
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Correct what a player showed, in any round. Later rounds are scored again, and the changes are printed.

    A pose equal to the verdict is not a correction, and nothing is recorded.

    For example:

        bunnymoose correct last 3 Blue "WU CD t"

        bunnymoose correct last 3 2 "-- SS" --who Anna --why "the hand was off the head" --json
    """
    from bunnymoose_cv.cli.games.game_reports import show_changes
    from bunnymoose_cv.output.game_json import effects_json
    from bunnymoose_cv.record.game_corrections import changes, pose_in
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.rules.events import PoseCorrected
    from bunnymoose_cv.rules.fold import changes_nothing
    from bunnymoose_cv.rules.pose import Pose

    shown = Pose.parse(pose)
    kept = kept_games(games).find(game)
    with closing(GameFile.open(kept.folder)) as file:
        players = seats_of(file.game, round_number)
        player = players[seat_of(players, seat) - 1]
        before, was = file.game, pose_in(file.game, round_number, player)
        correction = PoseCorrected(round_number, player, shown)
        is_unchanged = changes_nothing(before, correction)
        after = before if is_unchanged else file.append(correction, why, who)
    changed = changes(before, after)
    if as_json:
        about = {"game": kept.name, "round": round_number, "player": player, "before": str(was), "after": str(shown)}
        echo(json_line({**about, "who": who, "why": why, "written": not is_unchanged, **effects_json(changed)}))
    elif is_unchanged:
        echo(f"Round {round_number}: {player} was judged by {shown} already: nothing is written down.")
    else:
        echo(f"Round {round_number}: {player} showed {shown}, not {was}.")
        show_changes(changed)


def undo(
    game: GameArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Undo more than corrections: verdicts, cards, Bam.")] = False,
    who: WhoOption = "people",
    games: GamesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Undo the newest correction, or with --yes the newest entry of any kind, and print the changes.

    For example:

        bunnymoose undo last

        bunnymoose undo last --who Anna --json
    """
    from bunnymoose_cv.cli.games.game_reports import event_words, show_changes
    from bunnymoose_cv.output.game_json import undone_json
    from bunnymoose_cv.record.game_corrections import changes
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.rules.events import Correction, GameStarted, Undone

    kept = kept_games(games).find(game)
    with closing(GameFile.open(kept.folder)) as file:
        before, newest = file.game, file.standing[-1]
        event = newest.event
        if isinstance(event, GameStarted | Undone):
            raise InputError("There is nothing left to undo: the game has only begun.")
        words = event_words(event)
        if not (yes or isinstance(event, Correction)):
            raise InputError(f"No correction is left to undo; the newest event is “{words}”: take that back with --yes")
        after = file.append(Undone(), "undone", who)
    changed = changes(before, after)
    if as_json:
        echo(json_line(undone_json(kept.name, event, who, changed)))
    else:
        echo(f"Taken back, as {newest.who} had said: {words}.")
        show_changes(changed)
