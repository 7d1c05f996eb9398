"""Gymnasium environments: a policy on top of a controller, or torques alone.

>>> import gymnasium, sinew.gym
>>> env = gymnasium.make("Sinew/Push-v0")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample() * 0)

An action is a number from -1 to 1 for each degree of freedom of the joints: a torque over its limit, times `scale`, added to what the
controller gives. `controller="limp"` with `scale=1.0` is torques alone.

- `Sinew/Walk-v0`: the walker is to keep a speed.
- `Sinew/Push-v0`: it is pushed as well, at random times, from random sides.
- `Sinew/Track-v0`: torques alone follow a motion; the reward falls with the distance of the joints from it.

`gymnasium.make_vec("Sinew/Push-v0", num_envs=64)` steps all runs in parallel on all cores.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _sinew
from .simulation import _text


def _batch(count: int, scenario: dict[str, Any] | None, options: dict[str, Any]) -> tuple[_sinew.Batch, Any, Any]:
    options = dict(options)
    whole: dict[str, Any] = {"character": options.pop("character", "human"), **(scenario or {})}
    whole.setdefault("controller", options.pop("controller", "walker"))
    speed = float(options.get("speed", 0.0))
    if "command" not in whole and whole["controller"] != "limp":
        whole["command"] = [{"velocity": [speed, 0.0]}]
    whole["seconds"] = float(options["seconds"])
    text, _, _ = _text(whole, {})
    batch = _sinew.Batch(text, count, **options)
    inf = np.full(batch.observations, np.inf)
    observation = gymnasium.spaces.Box(-inf, inf, dtype=np.float64)
    action = gymnasium.spaces.Box(-1.0, 1.0, (batch.actions,), dtype=np.float64)
    return batch, observation, action


class SinewEnv(gymnasium.Env):
    """One run."""

    metadata: dict[str, Any] = {"render_modes": [], "render_fps": 60}

    def __init__(self, *, scenario: dict[str, Any] | None = None, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self._batch, self.observation_space, self.action_space = _batch(1, scenario, options)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self._batch.reset([0], [int(self.np_random.integers(2**63))])
        return self._batch.observe()[0], {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        actions = np.ascontiguousarray(np.asarray(action, dtype=np.float64)[None])
        reward, fell, over = self._batch.step(actions)
        return self._batch.observe()[0], float(reward[0]), bool(fell[0]), bool(over[0] and not fell[0]), {}


class SinewVectorEnv(VectorEnv):
    """Many runs, stepped in parallel. A run that ended begins anew in the next step."""

    def __init__(
        self, num_envs: int = 1, *, scenario: dict[str, Any] | None = None, render_mode: str | None = None, **options: Any
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self._batch, self.single_observation_space, self.single_action_space = _batch(num_envs, scenario, options)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._random = [np.random.default_rng(k) for k in range(num_envs)]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        if seed is not None:
            seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            # as a single environment draws them, so that both give the same runs
            self._random = [gymnasium.utils.seeding.np_random(s)[0] for s in seeds]
        self._begin(range(self.num_envs))
        self._ended[:] = False
        return self._batch.observe(), {}

    def _begin(self, runs: Any) -> None:
        runs = [int(k) for k in runs]
        self._batch.reset(runs, [int(self._random[k].integers(2**63)) for k in runs])

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        actions = np.ascontiguousarray(actions, dtype=np.float64)
        begun = self._ended.copy()
        reward, fell, over = self._batch.step(actions)
        if begun.any():
            self._begin(np.flatnonzero(begun))
            reward[begun], fell[begun], over[begun] = 0.0, False, False
        self._ended = fell | over
        return self._batch.observe(), reward, fell, over & ~fell, {}


_WALK = {"controller": "walker", "speed": 1.0, "seconds": 20.0, "substeps": 20, "scale": 0.2}
_ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "Sinew/Walk-v0": _WALK,
    "Sinew/Push-v0": {**_WALK, "push": 1.5},
    "Sinew/Track-v0": {"controller": "limp", "motion": "walk", "seconds": 10.0, "substeps": 20, "scale": 1.0},
}

for _id, _options in _ENVIRONMENTS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="sinew.gym:SinewEnv",
            vector_entry_point="sinew.gym:SinewVectorEnv",
            kwargs=_options,
            disable_env_checker=True,
        )
