"""A push protocol over seeds and impulses, on this machine or on a Ray cluster.

    python cluster.py --runs 200                       # all cores of this machine
    python cluster.py --runs 100000 --backend ray      # the cluster that RAY_ADDRESS names, or a local one

Results are kept in a folder, a file for each run: a sweep that was interrupted goes on where it was.
"""

import argparse
import time

import numpy as np

import sinew


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--runs", type=int, default=40)
    args.add_argument("--backend", choices=["local", "ray"], default="local")
    args.add_argument("--folder", default="cluster-results")
    args = args.parse_args()

    impulses = [[round(float(x), 1), 0.0, 0.0] for x in np.linspace(20.0, 120.0, 10)]
    scenario = {
        "controller": "walker",
        "seconds": 8,
        "jitter": [0.02, 0.05],
        "command": [{"velocity": [1.0, 0.0]}],
        "push": [{"time": 4.0, "seconds": 0.2, "impulse": [0.0, 0.0, 0.0]}],
    }
    began = time.perf_counter()
    rows = sinew.sweep(
        scenario,
        {"seed": range(max(1, args.runs // len(impulses))), "push.0.impulse": impulses},
        backend=args.backend,
        folder=args.folder,
        progress=lambda done, total: print(f"\r{done} of {total}", end="", flush=True),
    )
    took = time.perf_counter() - began
    print(f"\n{len(rows)} runs in {took:.1f} s: {1e3 * took / len(rows):.0f} ms each")
    for impulse in impulses:
        of = [row for row in rows if row["push.0.impulse"] == impulse]
        print(f"{impulse[0]:6.1f} N·s from behind: {sum(not row['fell'] for row in of)} of {len(of)} stay up")


if __name__ == "__main__":
    main()
