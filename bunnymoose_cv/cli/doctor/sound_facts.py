"""Facts about sound devices and voices."""

from __future__ import annotations

import shutil
import sys
from typing import Any

from bunnymoose_cv.cli.doctor.computer import SoundFacts
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import VoiceError, voice_of_language


def sound_facts() -> SoundFacts:
    """Ask the sound system for its devices and the speech engine for its voices."""
    outputs, inputs = _devices()
    voices, silence = _voices()
    return SoundFacts(_player(), outputs, inputs, voices, silence)


def _player() -> str:
    if sys.platform == "win32":
        return "winsound"
    names = ("afplay",) if sys.platform == "darwin" else ("aplay", "paplay")
    return next((name for name in names if shutil.which(name)), "")


def _devices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of outputs and inputs; none where there is no sound system."""
    try:
        import sounddevice

        devices: list[Any] = list(sounddevice.query_devices())
    except Exception:  # noqa: BLE001 - the sound system is missing or fails in its own ways
        return (), ()
    return (
        tuple(device["name"] for device in devices if device["max_output_channels"] > 0),
        tuple(device["name"] for device in devices if device["max_input_channels"] > 0),
    )


def _voices() -> tuple[dict[Language, str], str]:
    """The voice of each language, and the reason why there are none."""
    try:
        with Engine() as engine:
            all_voices = engine.voices()
    except VoiceError as error:
        sentence = str(error)
        return {}, f"{sentence[:1].upper()}{sentence[1:]}."
    found = ((language, voice_of_language(language.value, all_voices)) for language in Language)
    return {language: voice.name for language, voice in found if voice is not None}, ""
