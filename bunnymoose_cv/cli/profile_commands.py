"""`bunnymoose profile`: the stored profiles of players and tables, to show, use, delete, export and import."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - Typer reads it at run time
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files, read_exported
from bunnymoose_cv.calibration.profiles.profile_forms import PlayerProfile, ProfileKind, TableProfile
from bunnymoose_cv.cli.framework.named_files import check_output_file
from bunnymoose_cv.cli.games.kept_game_arguments import kept_games
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.player_names import player_names

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.profiles.profile_forms import StoredProfile

app = typer.Typer(
    help="""Profiles of players and tables: one readable TOML each, on this computer alone.

    For example:

        bunnymoose profile list

        bunnymoose profile show player Anna
    """,
    no_args_is_help=True,
)

KIND = typer.Argument(metavar="player|table", help="What is stored: a player or a table.")
NAME = typer.Argument(metavar="NAME", help="The name, as it was typed.")


@app.command("list")
def list_profiles(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")] = False
) -> None:
    """List all profiles; a damaged one is named on stderr, and that none is stored.

    For example:

        bunnymoose profile list
    """
    lists = {kind: default_profile_files().list(kind) for kind in ProfileKind}
    if not any(listed.profiles or listed.damaged for listed in lists.values()):
        echo("No profile of a player or a table is stored yet.", err=True)
    for kind, listed in lists.items():
        for error in listed.damaged:
            echo(error.sentence, err=True)
        for profile in listed.profiles:
            echo(json.dumps(_facts(profile), ensure_ascii=False) if as_json else f"{kind.value:7} {profile.name}")


@app.command()
def show(
    kind: Annotated[ProfileKind, KIND],
    name: Annotated[str, NAME],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what is stored.

    For example:

        bunnymoose profile show player Anna
    """
    facts = _facts(_stored(kind, name))
    if as_json:
        echo(json.dumps(facts, ensure_ascii=False))
        return
    for key, value in facts.items():
        echo(f"{key:9} {', '.join(map(str, value)) if isinstance(value, list) else value}")


@app.command()
def use(kind: Annotated[ProfileKind, KIND], name: Annotated[str, NAME]) -> None:
    """Offer a table again at the next set-up. Profiles of players are found by name and need no command.

    For example:

        bunnymoose profile use table Kitchen
    """
    profile = _stored(kind, name)
    if isinstance(profile, TableProfile):
        default_profile_files().use_table(profile)


@app.command()
def delete(kind: Annotated[ProfileKind, KIND], name: Annotated[str, NAME]) -> None:
    """Delete a profile for good, also a damaged one; with a player's go the near films in the kept games.

    For example:

        bunnymoose profile delete player Anna
    """
    from bunnymoose_cv.record.short_films import remove_seat_films

    default_profile_files().delete(kind, name)
    if kind is ProfileKind.PLAYER:
        remove_seat_films(kept_games(None), name)


@app.command()
def export(
    kind: Annotated[ProfileKind, KIND],
    name: Annotated[str, NAME],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file to write; usually standard output.")
    ] = None,
) -> None:
    """Write a profile as TOML, to take it to another computer.

    For example:

        bunnymoose profile export player Anna --out anna.toml
    """
    text = _stored(kind, name).text
    if out is None:
        for line in text.splitlines():
            echo(line)
        return
    check_output_file(out)
    try:
        with whole_file(out) as part:
            part.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}): name another file with --out.") from error


@app.command("import")
def import_profile(
    kind: Annotated[ProfileKind, KIND],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by “export”.")],
    *,
    replaces: Annotated[bool, typer.Option("--replace", help="Replace a stored one of that name.")] = False,
) -> None:
    """Store a profile that was exported.

    For example:

        bunnymoose profile import player anna.toml
    """
    profile, store = read_exported(file, kind), default_profile_files()
    player_names((profile.name,) if isinstance(profile, PlayerProfile) else profile.players)
    if store.path(kind, profile.name).exists() and not replaces:
        raise InputError(
            Phrase("A profile “{name}” already exists: use --replace, or delete it first.", name=profile.name)
        )
    store.keep(profile)


def _stored(kind: ProfileKind, name: str) -> StoredProfile:
    found = default_profile_files().find(kind, name)
    if found is None:
        raise InputError(Phrase("There is no profile “{name}”.", name=name))
    return found


def _facts(profile: StoredProfile) -> dict[str, object]:
    named: dict[str, object] = {"kind": profile.kind.value, "name": profile.name}
    if isinstance(profile, TableProfile):
        return named | {"camera": profile.camera, "players": list(profile.players), "used": profile.used}
    return named | {"exempt": sorted(exemption.value for exemption in profile.exempt)}
