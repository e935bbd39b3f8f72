"""Options that several commands share: camera, microphone, deck, rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for

CameraOption: TypeAlias = Annotated[
    str | None, typer.Option("--camera", metavar="N|NAME|FILE|URL", help="The camera; “bunnymoose cameras” lists them.")
]
MicrophoneOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--microphone", metavar="NAME", help="The microphone of the round; empty for the default one."),
]
DeckOption: TypeAlias = Annotated[
    Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your box; usually those of our deck.")
]
EditionOption: TypeAlias = Annotated[str, typer.Option("--edition", help="The rules: first or second.")]
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


def camera_or_first(camera: str | None) -> str:
    """Return the given camera or, if None, the name of the first one; raise an `InputError` without any."""
    from bunnymoose_cv.capture.camera_list import list_cameras

    where = camera or next((found.name for found in list_cameras()), None)
    if where is None:
        raise InputError(Phrase("This computer has no camera: plug one in, or give a stream or a clip with --camera."))
    return where


def chosen_rules(edition: str, *, advanced: bool, species_change: bool) -> Rules:
    """Return the rules chosen by `--edition`, `--advanced` or `--basic`, and `--no-species-change`."""
    variants = () if species_change else (Variant.NO_SPECIES_CHANGE,)
    return rules_for(edition, advanced=advanced, variants=variants)
