"""Characters that move under physics: no GPU, no training.

>>> import sinew
>>> run = sinew.simulate(controller="walker", speed=1.0, seconds=3, push=[dict(time=1.5, impulse=[30, 0, 0])])
>>> run.fell, run.holds
(False, True)
>>> float(round(run["time"][-1], 2))
3.0
"""

from ._sinew import Clip, Model, SinewError, __version__
from .registry import characters, controllers, motions
from .run import Run, load
from .simulation import Simulation, simulate
from .sweep import sweep
from .view import view

__all__ = [
    "Clip",
    "Model",
    "Run",
    "Simulation",
    "SinewError",
    "__version__",
    "characters",
    "controllers",
    "load",
    "motions",
    "simulate",
    "sweep",
    "view",
]
