"""`bunnymoose models`: the bundled models, MediaPipe's and ours."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.vision.model_files import ModelEntry, ModelState, manifest, model_state, models_folder

app = typer.Typer(
    help="""The models, which come with the program: check, list.

    For example:

        bunnymoose models check

        bunnymoose models list
    """,
    no_args_is_help=True,
)

_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per model.")]


@app.command(hidden=True)
def fetch() -> None:
    """Say that nothing needs to be fetched: the models come with the program.

    For example:

        bunnymoose models fetch
    """
    echo("Nothing needs to be fetched: the models come with bunnymoose (“bunnymoose models check” checks them)")


@app.command()
def check(*, as_json: _Json = False) -> None:
    """Say of each model whether it is whole; exit with 1 if one is not.

    For example:

        bunnymoose models check

        bunnymoose models check --json
    """
    states = [(entry, model_state(entry)) for entry in manifest()]
    for entry, state in states:
        echo(_as_json(entry, state) if as_json else f"{state.value:8} {models_folder() / entry.model.value}")
    if any(state is not ModelState.READY for _, state in states):
        echo("A model is missing or damaged: install bunnymoose again", err=True)
        raise typer.Exit(1)


@app.command("list")
def list_models(*, as_json: _Json = False) -> None:
    """List the models with their purpose and origin.

    For example:

        bunnymoose models list

        bunnymoose models list --json
    """
    for entry in manifest():
        echo(_as_json(entry, model_state(entry)) if as_json else _as_line(entry))
    if not as_json:
        origins = dict.fromkeys(f"{entry.origin} ({entry.origin.licence})" for entry in manifest())
        echo(f"out of {' and '.join(origins)}, kept in {models_folder()}")


def _as_line(entry: ModelEntry) -> str:
    return f"{entry.model.value:42} {entry.size_bytes / 1e6:4.1f} MB  {model_state(entry).value:8} {entry.finds}"


def _as_json(entry: ModelEntry, state: ModelState) -> str:
    origin = entry.origin
    return json.dumps(
        {
            "model": entry.model.value,
            "state": state.value,
            "path": str(models_folder() / entry.model.value),
            "finds": entry.finds,
            "size_bytes": entry.size_bytes,
            "sha256": entry.sha256,
            "source": f"{origin.package}=={origin.version}",
            "licence": origin.licence,
        }
    )
