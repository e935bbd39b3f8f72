"""`bunnymoose models`: a few lines over vision/model_files.py, which owns everything about MediaPipe's models."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bunnymoose_cv.vision.model_files import (
    ModelEntry,
    ModelState,
    fetch_models,
    manifest,
    model_state,
    models_folder,
)

app = typer.Typer(help="MediaPipe's models: fetch, check, list.", no_args_is_help=True)

_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per model.")]


@app.command()
def fetch(
    wheel: Annotated[
        Path | None,
        typer.Option("--from", metavar="WHEEL", help="MediaPipe's wheel on this computer; needs no network."),
    ] = None,
) -> None:
    """Make the models that are missing or damaged.

    They come out of MediaPipe's wheel, which pip downloads once (36 MB). Nothing else is ever downloaded.

    For example:

        bunnymoose models fetch

        bunnymoose models fetch --from mediapipe-0.10.21-cp311-cp311-manylinux_2_28_x86_64.whl
    """
    fetch_models(wheel)
    typer.echo(f"{len(manifest().entries)} models ready in {models_folder()}")


@app.command()
def check(*, as_json: _Json = False) -> None:
    """Say of each model whether it is whole; exit with 1 if one is not.

    For example:

        bunnymoose models check

        bunnymoose models check --json
    """
    states = [(entry, model_state(entry)) for entry in manifest().entries]
    for entry, state in states:
        typer.echo(_as_json(entry, state) if as_json else f"{state.value:8} {models_folder() / entry.model.value}")
    if any(state is not ModelState.READY for _, state in states):
        typer.echo("“bunnymoose models fetch” gets what is missing or damaged", err=True)
        raise typer.Exit(1)


@app.command("list")
def list_models(*, as_json: _Json = False) -> None:
    """List the models, what each finds, and where they come from.

    For example:

        bunnymoose models list

        bunnymoose models list --json
    """
    for entry in manifest().entries:
        typer.echo(_as_json(entry, model_state(entry)) if as_json else _as_line(entry))
    if not as_json:
        wheel = manifest().wheel
        typer.echo(f"out of {wheel} ({wheel.licence}), kept in {models_folder()}")


def _as_line(entry: ModelEntry) -> str:
    return f"{entry.model.value:42} {entry.size_bytes / 1e6:4.1f} MB  {model_state(entry).value:8} {entry.finds}"


def _as_json(entry: ModelEntry, state: ModelState) -> str:
    wheel = manifest().wheel
    return json.dumps(
        {
            "model": entry.model.value,
            "state": state.value,
            "path": str(models_folder() / entry.model.value),
            "finds": entry.finds,
            "size_bytes": entry.size_bytes,
            "sha256": entry.sha256,
            "source": f"{wheel.package}=={wheel.version}",
            "licence": wheel.licence,
        }
    )
