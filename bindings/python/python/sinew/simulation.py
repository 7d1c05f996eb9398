"""Scenarios that are played: to the end, or step by step."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _sinew
from .run import Run

Scenario = str | os.PathLike[str] | dict[str, Any] | None


def _text(scenario: Scenario, entries: dict[str, Any]) -> tuple[str, str, str | None]:
    """The TOML text of a scenario, what it is called in errors, and the folder of what it names."""
    file, folder = "scenario", None
    if scenario is None:
        scenario = {}
    if not isinstance(scenario, dict):
        path = Path(scenario) if not (isinstance(scenario, str) and "\n" in scenario) else None
        if path is None:
            text = str(scenario)
        else:
            text, file, folder = path.read_text(), str(path), str(path.parent)
        if entries:
            names = ", ".join(entries)
            raise _sinew.SinewError(f"a scenario of text takes no further entries ({names}); give a dict instead")
        return text, file, folder
    whole = {**scenario, **entries}
    speed = whole.pop("speed", None)
    if speed is not None:
        if "command" in whole:
            raise _sinew.SinewError("give `speed` or `command`, not both")
        whole["command"] = [{"velocity": [float(speed), 0.0]}]
    try:
        text = json.dumps(whole, default=_plain, allow_nan=False)
    except ValueError as error:
        raise _sinew.SinewError(f"a scenario is made of finite numbers, without NaN: {whole}") from error
    return _sinew.toml_of(text), file, folder


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise _sinew.SinewError(f"a scenario is made of numbers, names, lists and dicts, not of {type(value).__name__}")


class Parameters:
    """The parameters of a controller as attributes; `help(…)` and `dir(…)` list them. Angles are in rad."""

    def __init__(self, simulation: _sinew.Simulation) -> None:
        object.__setattr__(self, "_simulation", simulation)
        paths = simulation.parameters()
        short: dict[str, list[str]] = {}
        for path in paths:
            short.setdefault(path.split(".", 1)[1], []).append(path)
        # by the name alone where only one group has it
        known = {name: found[0] for name, found in short.items() if len(found) == 1}
        known.update({path.replace(".", "_"): path for path in paths})
        object.__setattr__(self, "_paths", known)

    def __dir__(self) -> list[str]:
        return sorted(self._paths)

    def _path(self, name: str) -> str:
        path = self._paths.get(name)
        if path is None:
            raise AttributeError(f"the {self._simulation.controller} has no parameter `{name}`; dir(…) lists them")
        return path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._simulation.get(self._path(name))

    def __setattr__(self, name: str, value: Any) -> None:
        self._simulation.set(self._path(name), value)


class Simulation(_sinew.Simulation):
    """A scenario step by step: `step`, `command`, `push`, `style`, `ask`; `q`, `v`, `tau`, `time`; parameters as attributes of `params`.

    >>> import sinew
    >>> sim = sinew.Simulation(controller="walker", seconds=5)
    >>> sim.command(forward=0.8)
    >>> sim.run(2.0)
    >>> sim.fall is None and bool(sim.q[0] > 0.4)
    True
    """

    def __new__(
        cls, scenario: Scenario = None, *, model: _sinew.Model | None = None, record: bool = False, **entries: Any
    ) -> Simulation:
        text, file, folder = _text(scenario, entries)
        return super().__new__(cls, text, file=file, folder=folder, model=model, record=record)

    @property
    def params(self) -> Parameters:
        """The controller's parameters."""
        return Parameters(self)

    def run(self, seconds: float, progress: Callable[[float], Any] | None = None) -> None:
        """Steps for a duration; `progress` is told the share that is done, ten times a second of the world."""
        end = self.time + seconds
        pieces = max(1, round(10 * seconds)) if progress else 1
        for piece in range(1, pieces + 1):
            until = end - seconds * (1 - piece / pieces)
            self.step(max(0, round((until - self.time) / self.dt)))
            if progress:
                progress(piece / pieces)

    def ask(self, name: str, **values: float) -> None:
        """Asks for something, as `ask("jump", height=0.2)`."""
        super().ask(name, list(values.items()))


def simulate(
    scenario: Scenario = None,
    *,
    model: _sinew.Model | None = None,
    progress: Callable[[float], Any] | None = None,
    **entries: Any,
) -> Run:
    """Plays a scenario to its end and returns the recording.

    A scenario is a file (`.toml`), its text, a dict, or the keywords of this function: the keys of `docs/scenarios.md`, and `speed` for a walk
    straight ahead.
    """
    simulation = Simulation(scenario, model=model, record=True, **entries)
    simulation.run(simulation.seconds - simulation.time, progress)
    summary = json.loads(simulation.summary())
    name = entries.get("name") or (Path(scenario).stem if isinstance(scenario, os.PathLike) else simulation.controller)
    return Run(simulation.recording(), name=name, summary=summary)
