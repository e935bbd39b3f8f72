"""Bundled resources: the models, the default calibration, the demo clip.

In a wheel they stand in `bunnymoose_cv/bundle/` (pyproject.toml puts them there); in a checkout they stand in the
top-level folders they were made in.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_BUNDLE = _PACKAGE / "bundle"


def bundled(name: str) -> Path:
    """The path of a file that travels with the program, such as `models/headgear.onnx`."""
    return (_BUNDLE if _BUNDLE.is_dir() else _PACKAGE.parent) / name
