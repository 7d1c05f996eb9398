"""Environments: the checker of Gymnasium, seeds, many at once."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import sinew.gym  # noqa: E402, F401
from gymnasium.utils.env_checker import check_env  # noqa: E402

NAMES = ["Sinew/Walk-v0", "Sinew/Push-v0", "Sinew/Track-v0"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_the_checker_is_content(name):
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


def test_the_bare_controller_walks_without_help():
    env = gymnasium.make("Sinew/Walk-v0")
    env.reset(seed=1)
    rewards = []
    for _ in range(200):
        _, reward, fell, _, _ = env.step(np.zeros(env.action_space.shape))
        assert not fell
        rewards.append(reward)
    # after it has sped up it keeps what is asked for
    assert np.mean(rewards[-50:]) > 0.8


def test_the_same_seed_is_the_same_run():
    def play(seed):
        env = gymnasium.make("Sinew/Push-v0")
        env.reset(seed=seed)
        random = np.random.default_rng(5)
        return np.stack([env.step(0.2 * random.uniform(-1, 1, env.action_space.shape))[0] for _ in range(150)])

    assert np.array_equal(play(3), play(3))
    assert not np.array_equal(play(3), play(4))


def test_many_at_once_are_as_one_at_a_time():
    many = gymnasium.make_vec("Sinew/Push-v0", num_envs=3)
    seen, _ = many.reset(seed=7)
    single = [gymnasium.make("Sinew/Push-v0").unwrapped for _ in range(3)]
    for k, env in enumerate(single):
        assert np.array_equal(env.reset(seed=7 + k)[0], seen[k])
    action = np.zeros(many.action_space.shape)
    for _ in range(100):
        seen, reward, *_ = many.step(action)
        for k, env in enumerate(single):
            alone, own, *_ = env.step(action[k])
            assert np.array_equal(alone, seen[k]) and own == reward[k]


def test_bad_actions_are_refused():
    env = gymnasium.make("Sinew/Walk-v0").unwrapped
    env.reset(seed=0)
    with pytest.raises(sinew.SinewError, match="their shape is"):
        env.step(np.zeros(3))
    with pytest.raises(sinew.SinewError, match="finite"):
        env.step(np.full(env.action_space.shape, np.nan))
