"""`bunnymoose score` and `bunnymoose best`: points of poses typed by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.columns import Columns

from bunnymoose_cv.announcements.phrases import NARRATOR, announce
from bunnymoose_cv.cli.shared_options import AdvancedOption, EditionOption, SpeciesChangeOption, chosen_rules
from bunnymoose_cv.cli.tables import score_grid
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.output.score_json import extremes_json, scores_json
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION
from bunnymoose_cv.rules.pose import ALL_POSES, Pose
from bunnymoose_cv.rules.round import Verdict, announcements
from bunnymoose_cv.rules.scoring import highest_and_lowest
from bunnymoose_cv.rules.scoring import score as score_pose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.rules.scoring import Score

CardsOption = Annotated[
    str, typer.Option("--cards", help="The cards on the piles, such as “L.WU+1 B.CD+1/-1 RABBIT*2”.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def score(
    *,
    pose: Annotated[
        list[str], typer.Option("--pose", help="Left, right, and t for the tongue: “WU CD t”. Once per player.")
    ],
    cards: CardsOption,
    edition: EditionOption = DEFAULT_EDITION,
    advanced: AdvancedOption = True,
    species_change: SpeciesChangeOption = True,
    bet: Annotated[
        int | None, typer.Option("--bet", help="The seat that the narrator bet on.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score poses against the cards on the table, and say why.

    For example:

        bunnymoose score --pose "WU CD t" --cards "L.WU+1 B.CD+1/-1 RABBIT*2"

        bunnymoose score --pose "WU WU" --pose "-- SS" --cards "B.WU+1 REVERSE" --bet 2

        bunnymoose score --pose "TS TS t" --cards "MOOSE+2" --basic --json
    """
    rules = chosen_rules(edition, advanced=advanced, species_change=species_change)
    table = parse_table(cards)
    verdicts = tuple(
        Verdict(f"Seat {seat}", seat, score_pose(Pose.parse(text), table, rules))
        for seat, text in enumerate(pose, start=1)
    )
    if bet is not None and not 1 <= bet <= len(verdicts):
        seats = "there is one pose, so name seat 1" if len(verdicts) == 1 else f"name a seat from 1 to {len(verdicts)}"
        raise InputError(f"There is no seat {bet} to bet on: {seats}.")
    if as_json:
        echo(json_line(scores_json([verdict.score for verdict in verdicts], bet)))
    else:
        _print_verdicts(verdicts, bet)


def best(
    *,
    cards: CardsOption,
    edition: EditionOption = DEFAULT_EDITION,
    advanced: AdvancedOption = True,
    species_change: SpeciesChangeOption = True,
    as_json: JsonOption = False,
) -> None:
    """Find the poses that score most and least against the cards on the table; all 162 poses are tried.

    For example:

        bunnymoose best --cards "L.WU+1 B.CD+1/-1 REVERSE HUNTER R.?F-1 MOOSE*2"

        bunnymoose best --cards "TONGUE+3 RABBIT-3" --no-species-change --json
    """
    rules = chosen_rules(edition, advanced=advanced, species_change=species_change)
    highest, lowest = highest_and_lowest(parse_table(cards), rules)
    if as_json:
        echo(json_line(extremes_json(len(ALL_POSES), highest, lowest)))
        return
    console = Terminal()
    for words, scores in (("Most", highest), ("Least", lowest)):
        first, *others = scores
        console.print(f"[bold]{words}: {first.total:+d}[/] with {_pose_words(first)}")
        console.print(score_grid(first))
        if others:
            console.print(f"{len(others)} more score the same:")
            console.print(Columns([str(score.pose) for score in others], padding=(0, 3)))
        console.print()
    console.print(f"{len(ALL_POSES)} poses tried; a bush scores nothing, and both its figures go back 1.")


def _print_verdicts(verdicts: Sequence[Verdict], bet: int | None) -> None:
    console = Terminal()
    for verdict in verdicts:
        heading = f"{verdict.player}: " if len(verdicts) > 1 else ""
        console.print(f"[bold]{heading}[/]{_pose_words(verdict.score)}")
        console.print(score_grid(verdict.score))
    for said in announcements(verdicts):
        names = said.players if len(verdicts) > 1 else ()
        console.print(announce(said.score.species, said.score.total, names), style="bold")
    if bet is not None:
        copied = verdicts[bet - 1].score
        console.print(announce(copied.species, copied.total, [NARRATOR]), style="bold")


def _pose_words(scored: Score) -> str:
    """Format a pose and its species: `WU CD t, a moose that counts as a rabbit`."""
    animal, species = scored.pose.animal, scored.species
    counts_as = "" if species is animal else f" that counts as a {species.value}"
    return f"{scored.pose}, a {animal.value}{counts_as}"
