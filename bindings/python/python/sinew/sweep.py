"""Many runs of one scenario, on the cores of this machine or on a Ray cluster, with the same results on either.

Each run is known by a hash of its scenario and of the version of this package. Results are kept in a folder, one file each, written whole: a
sweep that was interrupted goes on where it was, and a run that was lost with its worker is played again.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from . import _sinew
from .simulation import Simulation


def _set(scenario: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with an entry changed, as `controller.lift` or `push.0.impulse`."""
    first, _, rest = path.partition(".")
    if isinstance(scenario, list):
        place = int(first)
        return [_set(x, rest, value) if rest and k == place else value if k == place else x for k, x in enumerate(scenario)]
    changed = dict(scenario)
    changed[first] = _set(changed.get(first, {}), rest, value) if rest else value
    return changed


def points(grid: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """All combinations of a grid, the last name fastest."""
    names = list(grid)
    return [dict(zip(names, values)) for values in itertools.product(*(list(grid[n]) for n in names))]


def key_of(scenario: dict[str, Any]) -> str:
    """What a run is known by: the same on every machine."""
    text = json.dumps(scenario, sort_keys=True, default=lambda x: x.tolist())
    return hashlib.sha256(f"{_sinew.__version__}\n{text}".encode()).hexdigest()


def play(scenario: dict[str, Any]) -> dict[str, Any]:
    """What happened in one run; a scenario that cannot be played says so in `error`."""
    try:
        simulation = Simulation(scenario)
        simulation.run(simulation.seconds - simulation.time)
    except _sinew.SinewError as error:
        return {"error": str(error)}
    summary = json.loads(simulation.summary())
    # times of computation are no results
    for name in ("realtime_factor", "control_us", "step_us"):
        summary.pop(name, None)
    q = simulation.q
    return {**summary, "q_sha256": hashlib.sha256(q.tobytes()).hexdigest()}


def _keep(folder: Path | None, key: str, row: dict[str, Any]) -> None:
    if folder is None:
        return
    part = folder / f"{key}.{os.getpid()}.part"
    part.write_text(json.dumps(row))
    part.replace(folder / f"{key}.json")


def sweep(
    scenario: dict[str, Any],
    grid: Mapping[str, Iterable[Any]],
    *,
    backend: str = "local",
    folder: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], Any] | None = None,
    together: int = 8,
) -> list[dict[str, Any]]:
    """Plays a scenario at every point of a grid; returns a row for each: the point, and what happened.

    `grid` maps paths of entries to values, as `{"seed": range(100), "push.0.impulse": [[20, 0, 0], [40, 0, 0]]}`. `backend` is `"local"` (all
    cores of this machine) or `"ray"` (a Ray cluster, which retries what a lost worker was doing). With a `folder`, results are kept there and
    not computed again. `pandas.DataFrame(rows)` makes a table; `table(rows).write_parquet` needs pyarrow.
    """
    if backend not in ("local", "ray"):
        raise _sinew.SinewError(f"a sweep runs on `local` or `ray`, not on `{backend}`")
    place = Path(folder) if folder is not None else None
    if place:
        place.mkdir(parents=True, exist_ok=True)
    all_points = points(grid)
    scenarios = []
    for point in all_points:
        changed = dict(scenario)
        for path, value in point.items():
            changed = _set(changed, path, value)
        scenarios.append(json.loads(json.dumps(changed, default=lambda x: x.tolist())))
    keys = [key_of(s) for s in scenarios]
    rows: dict[str, dict[str, Any]] = {}
    if place:
        for key in keys:
            try:
                rows[key] = json.loads((place / f"{key}.json").read_text())
            except (OSError, ValueError):
                pass
    todo = {key: s for key, s in zip(keys, scenarios) if key not in rows}
    total, done = len(set(keys)), len(rows)

    def took(key: str, row: dict[str, Any]) -> None:
        nonlocal done
        rows[key] = row
        _keep(place, key, row)
        done += 1
        if progress:
            progress(done, total)

    if backend == "local":
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            # the GIL is released while a run is stepped
            futures = {pool.submit(play, s): key for key, s in todo.items()}
            for future in as_completed(futures):
                took(futures[future], future.result())
    else:
        _on_ray(todo, took, together)
    return [{**point, **rows[key]} for point, key in zip(all_points, keys)]


def _on_ray(todo: dict[str, dict[str, Any]], took: Callable[[str, dict[str, Any]], None], together: int) -> None:
    """Plays runs on a Ray cluster, a few to a task; a task whose worker dies is given to another."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("this backend needs Ray: pip install 'sinew-physics[ray]'") from error
    if not ray.is_initialized():
        ray.init()

    @ray.remote(max_retries=-1)
    def batch(runs: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
        return [(key, play(scenario)) for key, scenario in runs]

    items = list(todo.items())
    waiting = [batch.remote(items[k : k + together]) for k in range(0, len(items), together)]
    while waiting:
        ready, waiting = ray.wait(waiting)
        for key, row in ray.get(ready[0]):
            took(key, row)
