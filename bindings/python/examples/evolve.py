"""A policy on top of the walker, by an evolution strategy in NumPy: pushes survived beside the bare controller.

    python evolve.py --minutes 3

The policy is linear in what is seen. Seeds of the test are never trained on.
"""

import argparse
import time

import gymnasium
import numpy as np

import sinew.gym  # noqa: F401


def survived(envs: gymnasium.vector.VectorEnv, weights: np.ndarray, seed: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Which runs stayed up, and what each was rewarded with, under a policy for each run."""
    seen, _ = envs.reset(seed=seed)
    up, reward = np.ones(envs.num_envs, bool), np.zeros(envs.num_envs)
    for _ in range(steps):
        action = np.clip(np.einsum("nij,nj->ni", weights, np.tanh(seen)), -1, 1)
        seen, r, fell, over, _ = envs.step(action)
        reward += np.where(up, r, 0.0)
        up &= ~fell
    return up, reward


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--minutes", type=float, default=3.0)
    args.add_argument("--envs", type=int, default=32)
    args.add_argument("--seconds", type=float, default=8.0)
    args = args.parse_args()

    envs = gymnasium.make_vec("Sinew/Push-v0", num_envs=args.envs, seconds=args.seconds)
    actions, seen = envs.single_action_space.shape[0], envs.single_observation_space.shape[0]
    steps = round(args.seconds / 0.02)
    random, mean, sigma = np.random.default_rng(0), np.zeros((actions, seen)), 0.02
    half, end, generation = args.envs // 2, time.monotonic() + 60 * args.minutes, 0
    while time.monotonic() < end:
        noise = random.normal(size=(half, actions, seen))
        # each change and its opposite meet the same pushes
        weights = mean + sigma * np.concatenate([noise, -noise])
        _, reward = survived(envs, weights, seed=1000 + generation, steps=steps)
        ranks = reward.argsort().argsort() / (args.envs - 1) - 0.5
        mean = mean + 0.02 * np.einsum("n,nij->ij", ranks[:half] - ranks[half:], noise) / half
        generation += 1
        print(f"generation {generation}: mean reward {reward.mean():.1f}", flush=True)
    for name, policy in (("bare controller", np.zeros_like(mean)), ("with the policy", mean)):
        ups = [survived(envs, np.tile(policy, (args.envs, 1, 1)), seed=10**6 + k, steps=steps)[0] for k in range(2)]
        print(f"{name}: {np.mean(ups):.0%} of {len(ups) * args.envs} held-back runs stay up")


if __name__ == "__main__":
    main()
