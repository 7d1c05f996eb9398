"""Sweeps: all cores, interrupted and resumed; a cluster where Ray is installed."""

import json

import pytest

import sinew
from sinew.sweep import points

WALK = {"character": "child", "controller": "walker", "seconds": 0.5, "command": [{"velocity": [0.5, 0.0]}]}
GRID = {"seed": [1, 2], "command.0.velocity": [[0.3, 0.0], [0.6, 0.0]]}


def test_a_grid_has_all_combinations():
    assert points({"a": [1, 2], "b": "xy"}) == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]


def test_a_sweep_goes_on_where_it_was(tmp_path):
    rows = sinew.sweep(WALK, GRID, folder=tmp_path)
    assert len(rows) == 4 and all(row["fell"] is False for row in rows)
    kept = sorted(tmp_path.glob("*.json"))
    assert len(kept) == 4
    # one is lost, one is cut short: both are played again, the others are not
    kept[0].unlink()
    kept[1].write_text("{")
    kept[2].write_text(json.dumps({"fell": "as it was kept"}))
    told = []
    again = sinew.sweep(WALK, GRID, folder=tmp_path, progress=lambda done, total: told.append((done, total)))
    assert told == [(3, 4), (4, 4)]
    assert sum(row["fell"] == "as it was kept" for row in again) == 1
    assert sum(a == b for a, b in zip(rows, again)) == 3


def test_a_run_that_cannot_be_played_says_so():
    rows = sinew.sweep(WALK, {"character": ["child", "nobody"]})
    assert rows[0]["fell"] is False and "nobody" in rows[1]["error"]


def test_another_backend_is_refused():
    with pytest.raises(sinew.SinewError, match="local"):
        sinew.sweep(WALK, GRID, backend="cloud")


def test_a_cluster_gives_the_same_rows():
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'sinew-physics[ray]'")
    assert sinew.sweep(WALK, GRID, backend="ray") == sinew.sweep(WALK, GRID)
