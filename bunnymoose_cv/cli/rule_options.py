"""Options of the rules that are played by, shared by commands, and the rules they stand for."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from bunnymoose_cv.rules.deck import Rules, Variant, rules_for

EditionOption: TypeAlias = Annotated[str, typer.Option("--edition", help="Which rules: first or second.")]
AdvancedOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--advanced/--basic",
        help="Play with the advanced cards; without them a tongue means nothing (second edition only).",
    ),
]
SpeciesChangeOption: TypeAlias = Annotated[
    bool,
    typer.Option("--species-change/--no-species-change", help="A tongue makes a moose a rabbit, a rabbit a moose."),
]


def chosen_rules(edition: str, *, advanced: bool, species_change: bool) -> Rules:
    """The rules that `--edition`, `--advanced` or `--basic`, and `--no-species-change` stand for.

    Raises:
        InputError: there is no such edition.
    """
    variants = () if species_change else (Variant.NO_SPECIES_CHANGE,)
    return rules_for(edition, advanced=advanced, variants=variants)
