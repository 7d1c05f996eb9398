"""Recorded runs as mappings of arrays."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import _sinew


class Run(Mapping[str, np.ndarray]):
    """A recording: `run["q"]` is an array with a row per step. The same arrays as in the `.npz` file that `save` writes.

    `time`, `q`, `v`, `tau` and the contact forces are described in `docs/recordings.md`; what the controller tells of itself is among
    the arrays under its own names.
    """

    def __init__(self, content: bytes, *, name: str = "run", summary: dict[str, Any] | None = None) -> None:
        self._content = bytes(content)
        self._arrays = np.load(io.BytesIO(self._content), allow_pickle=False)
        self._report: dict[str, Any] | None = None
        self.name = name
        #: What happened, in numbers: the same as `sinew simulate --json` prints. Empty for a run that was read from a file.
        self.summary: dict[str, Any] = summary or {}

    def __getitem__(self, key: str) -> np.ndarray:
        if key not in self._arrays.files:
            raise KeyError(f"`{key}`: a recording has {', '.join(self._arrays.files)}")
        return self._arrays[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays.files)

    def __len__(self) -> int:
        return len(self._arrays.files)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {len(self['time'])} rows, {len(self)} arrays)"

    @property
    def fell(self) -> bool | None:
        """Whether the character fell; nothing is known of a run that was read from a file."""
        return self.summary.get("fell")

    def verify(self) -> dict[str, Any]:
        """The audit: whether every step is physics, and by how much each check holds."""
        if self._report is None:
            self._report = json.loads(_sinew.verify(self._content))
        return self._report

    @property
    def holds(self) -> bool:
        """Whether the audit holds."""
        return bool(self.verify()["holds"])

    def html(self) -> str:
        """A page that shows the run in any browser, offline."""
        return _sinew.html(self._content, self.name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the recording (`.npz`) or the page (`.html`)."""
        path = Path(path)
        if path.suffix not in (".npz", ".html"):
            raise _sinew.SinewError(f"`{path}`: a run is written as .npz or .html")
        content = self._content if path.suffix == ".npz" else self.html().encode()
        # whole or not at all
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Plots arrays over time with matplotlib: by default height and speed of the root. Returns the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("plots need matplotlib: pip install 'sinew-physics[plot]'") from error
        if ax is None:
            _, ax = plt.subplots()
        for name in names:
            values = self[name]
            if len(values) != len(self["time"]):
                raise _sinew.SinewError(f"`{name}` has no row per step: its shape is {values.shape}")
            ax.plot(self["time"], values, label=name)
        if not names:
            ax.plot(self["time"], self["q"][:, 2], label="height of the root, m")
            ax.plot(self["time"], self["v"][:, 0], label="speed forward, m/s")
        ax.set_xlabel("time, s")
        ax.legend()
        return ax


def load(path: str | os.PathLike[str]) -> Run:
    """Reads a recording."""
    path = Path(path)
    return Run(path.read_bytes(), name=path.stem)
