"""`bunnymoose profile`: what is stored of players and tables, shown, used, deleted, passed on."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - Typer reads it at run time
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.profiles.profile_files import StoredProfile

app = typer.Typer(
    help="""Profiles of players and tables: one readable TOML each, on this computer alone.

    For example:

        bunnymoose profile list

        bunnymoose profile show player Anna
    """,
    no_args_is_help=True,
)

KIND = typer.Argument(metavar="player|table", help="What is stored: a player or a table.")
NAME = typer.Argument(metavar="NAME", help="As it was typed.")


@app.command("list")
def list_profiles(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False
) -> None:
    """List all profiles; a damaged one is named on stderr, and that none is stored.

    For example:

        bunnymoose profile list
    """
    from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files

    lists = {kind: default_profile_files().list(kind) for kind in ProfileKind}
    if not any(listed.profiles or listed.damaged for listed in lists.values()):
        echo("No profile of a player or a table is stored yet.", err=True)
    for kind, listed in lists.items():
        for error in listed.damaged:
            echo(error.sentence, err=True)
        for profile in listed.profiles:
            facts = {"kind": kind.value, "name": profile.name, **_facts(profile)}
            line = json.dumps(facts, ensure_ascii=False) if as_json else f"{kind.value:7} {profile.name}"
            echo(line)


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
    profile = _stored(kind, name)
    facts = {"kind": kind.value, "name": profile.name, **_facts(profile)}
    if as_json:
        echo(json.dumps(facts, ensure_ascii=False))
        return
    for key, value in facts.items():
        echo(f"{key:9} {', '.join(map(str, value)) if isinstance(value, list) else value}")


@app.command()
def use(kind: Annotated[ProfileKind, KIND], name: Annotated[str, NAME]) -> None:
    """Offer a table again at the next set-up; players are used by their names, without being told.

    For example:

        bunnymoose profile use table Kitchen
    """
    from bunnymoose_cv.calibration.profiles.table_profile import TableProfile
    from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles

    profile = _stored(kind, name)
    if isinstance(profile, TableProfile):
        default_table_profiles().use(profile)


@app.command()
def delete(kind: Annotated[ProfileKind, KIND], name: Annotated[str, NAME]) -> None:
    """Delete a profile for good, also a damaged one.

    For example:

        bunnymoose profile delete player Anna
    """
    from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files

    default_profile_files().delete(kind, name)


@app.command()
def export(
    kind: Annotated[ProfileKind, KIND],
    name: Annotated[str, NAME],
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write there; else to stdout.")] = None,
) -> None:
    """Write a profile as TOML, to take it to another computer.

    For example:

        bunnymoose profile export player Anna --out anna.toml
    """
    from bunnymoose_cv.cli.framework.output_guard import check_output_file
    from bunnymoose_cv.core.atomic_files import whole_file
    from bunnymoose_cv.core.errors import InputError

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
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What “export” wrote.")],
    *,
    replaces: Annotated[bool, typer.Option("--replace", help="Also where one of that name is stored.")] = False,
) -> None:
    """Store a profile that was exported.

    For example:

        bunnymoose profile import player anna.toml
    """
    from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
    from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files, read_exported
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.rules.player_names import player_names

    profile, store = read_exported(file, kind), default_profile_files()
    player_names((profile.name,) if isinstance(profile, PlayerProfile) else profile.players)
    if store.path(kind, profile.name).exists() and not replaces:
        raise InputError(
            Phrase("A profile “{name}” is stored already: say --replace, or delete it first.", name=profile.name)
        )
    store.keep(profile)


def _stored(kind: ProfileKind, name: str) -> StoredProfile:
    """The profile.

    Raises:
        InputError: there is none, or it is damaged.
    """
    from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.core.phrase import Phrase

    found = default_profile_files().find(kind, name)
    if found is None:
        raise InputError(Phrase("There is no profile “{name}”.", name=name))
    return found


def _facts(profile: StoredProfile) -> dict[str, object]:
    from bunnymoose_cv.calibration.profiles.table_profile import TableProfile

    if isinstance(profile, TableProfile):
        return {"camera": profile.camera, "players": list(profile.players), "used": profile.used}
    return {"exempt": sorted(each.value for each in profile.exempt)}
