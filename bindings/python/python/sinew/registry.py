"""What there is: characters, controllers, motions."""

from __future__ import annotations

import functools
import json
from typing import Any

from . import _sinew


def characters() -> list[str]:
    """Names of the built-in characters."""
    return _sinew.characters()


def motions() -> list[str]:
    """Names of the built-in motions."""
    return _sinew.motions()


@functools.cache
def _systems() -> dict[str, dict[str, Any]]:
    return {system["name"]: system for system in json.loads(_sinew.controllers())}


def controllers(name: str | None = None) -> Any:
    """Names of the controllers, or everything about one: parameters, styles, requests, signals."""
    systems = _systems()
    if name is None:
        return list(systems)
    if name not in systems:
        raise _sinew.SinewError(f"there is no controller `{name}`; controllers are {', '.join(systems)}")
    return systems[name]
