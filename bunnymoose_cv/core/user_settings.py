"""Thresholds and settings that a user may change: `calibration/default.toml` and the user's own settings file."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from bunnymoose_cv.core.errors import InputError, value_fault
from bunnymoose_cv.core.folders import bundled, user_folder
from bunnymoose_cv.core.input_file import UNUSABLE, read_toml, toml_fault

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS_FILE = "profile.toml"


def _value_in_range(table: Any) -> Any:
    """Check a setting's table against its range, and return the value."""
    if not isinstance(table, dict):
        message = "stands as a table with value, unit, source and range"
        raise ValueError(message)  # noqa: TRY004 - pydantic turns a ValueError into its own
    missing = [key for key in ("value", "unit", "source", "range") if key not in table]
    if missing:
        message = f"has no {' and no '.join(missing)}"
        raise ValueError(message)
    low, high = table["range"]
    if not isinstance(table["value"], int | float) or not low <= table["value"] <= high:
        message = f"is {table['value']}, outside its range from {low} to {high}"
        raise ValueError(message)
    return table["value"]


Setting = Annotated[float, BeforeValidator(_value_in_range)]
Count = Annotated[int, BeforeValidator(_value_in_range)]


def _right_angle(value: float) -> float:
    """Check that an image can be turned by an angle without loss."""
    if value not in {0, 90, 180, 270}:
        message = f"is {value}, but a picture is turned by 0, 90, 180 or 270 degrees"
        raise ValueError(message)
    return value


RightAngle = Annotated[int, BeforeValidator(_right_angle), BeforeValidator(_value_in_range)]
Switch = Annotated[bool, BeforeValidator(_value_in_range)]


class _SettingsGroup(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PeopleSettings(_SettingsGroup):
    """Thresholds for distinguishing players from bystanders and assigning hands to players."""

    smallest_face: Setting
    sure_face: Setting
    hand_reach: Setting


class HeadgearSettings(_SettingsGroup):
    """Ask thresholds: confidence that each field of a headgear needs to be accepted without a question."""

    kind: Setting
    spread: Setting
    direction: Setting
    form: Setting
    place: Setting


class TongueSettings(_SettingsGroup):
    """Ask thresholds of a tongue: between these probabilities the reading is unclear."""

    clear_in: Setting
    clear_out: Setting


class QuestionSettings(_SettingsGroup):
    """Probability of the move above which no question is asked, and time after which the likeliest answer counts."""

    move: Setting
    answer_s: Setting


class FreezeSettings(_SettingsGroup):
    """Freeze window around the cue in which players are read, the time watched after it, and the prior of the game."""

    before_s: Setting
    after_s: Setting
    frames: Count
    tongue_s: Setting
    watched_s: Setting
    headgear_prior: Setting


class CameraSettings(_SettingsGroup):
    """Camera settings: orientation, requested mode, delay, time until it counts as lost, memory of the ring buffer."""

    rotation_degrees: RightAngle
    mirrored: Switch
    width: Count
    height: Count
    frames_per_s: Setting
    delay_s: Setting
    lost_after_s: Setting
    buffer_before_s: Setting
    buffer_after_s: Setting
    buffer_megabytes: Setting


class RecordSettings(_SettingsGroup):
    """Limits of stored evenings: their number and their disk space."""

    keep_evenings: Count
    keep_megabytes: Setting


class Settings(_SettingsGroup):
    """Thresholds and settings of every group."""

    people: PeopleSettings
    headgear: HeadgearSettings
    tongue: TongueSettings
    questions: QuestionSettings
    freeze: FreezeSettings
    camera: CameraSettings
    record: RecordSettings


def load_settings(own: Path | None = None) -> Settings:
    """Load the default settings, each replaced by the value that the user's own settings file gives.

    Args:
        own: the user's settings file; None uses `profile.toml` in the user's data folder, if it exists.

    Raises:
        InputError: the settings file cannot be read, names an unknown setting or group, or has a value out of range.
    """
    tables = tomllib.loads(bundled("calibration/default.toml").read_text("utf-8"))
    path = own or user_folder() / SETTINGS_FILE
    if own is not None or path.exists() or path.is_symlink():  # a broken link is reported
        _override(tables, path)
    try:
        return Settings.model_validate(tables)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"The limit {name} in {path} {value_fault(first)}; mend it there, or take the limit out."
        ) from error


def _override(tables: dict[str, Any], path: Path) -> None:
    """Override the default tables with the values of a settings file, `[group]` with `name = value`."""
    try:
        own = read_toml(path)
    except UNUSABLE as error:
        raise InputError(f"The settings file {path} {toml_fault(error)}.") from error
    for group, values in own.items():
        if group not in tables or not isinstance(values, dict):
            raise InputError(
                f"The settings file {path} has {group}, but only groups of settings as in default.toml are allowed."
            )
        for name, value in values.items():
            if name not in tables[group]:
                raise InputError(f"The settings file {path} names {group}.{name}, which is no limit; see default.toml.")
            tables[group][name]["value"] = value
