"""Runs, recordings, audits, clips."""

import json
import subprocess

import numpy as np
import pytest

import sinew


def test_a_pushed_walk(tmp_path):
    run = sinew.simulate(controller="walker", speed=1.0, seconds=3, push=[{"time": 1.5, "impulse": [30, 0, 0]}])
    assert run.fell is False and run.holds
    assert run["q"].shape[0] == run["time"].shape[0] >= 3000
    assert run["q"][-1, 0] > 1.0
    run.save(tmp_path / "run.npz")
    again = sinew.load(tmp_path / "run.npz")
    assert np.array_equal(again["q"], run["q"]) and again.holds
    assert not list(tmp_path.glob("*.part"))


def test_a_run_equals_that_of_the_command_line(command, tmp_path):
    scenario = tmp_path / "walk.toml"
    scenario.write_text('character = "child"\ncontroller = "walker"\nseconds = 1.0\n[[command]]\nvelocity = [0.5, 0.0]\n')
    out = tmp_path / "run.npz"
    subprocess.run([command, "simulate", str(scenario), "--out", str(out)], check=True, capture_output=True)
    ours, theirs = sinew.simulate(scenario), sinew.load(out)
    for name in ("time", "q", "v", "tau"):
        assert np.array_equal(ours[name], theirs[name]), name


def test_step_by_step_is_the_same_run():
    whole = sinew.simulate(controller="simbicon", world={"step": 0.001, "contact": "rigid"}, speed=0.8, seconds=1)
    sim = sinew.Simulation(controller="simbicon", world={"step": 0.001, "contact": "rigid"}, speed=0.8, seconds=1)
    for _ in range(10):
        sim.step(100)
    # the last row is the state before the last step
    assert whole["time"][-1] == pytest.approx(1.0 - sim.dt)
    again = sinew.Simulation(controller="simbicon", world={"step": 0.001, "contact": "rigid"}, speed=0.8, seconds=1)
    again.step(999)
    assert np.array_equal(again.q, whole["q"][-1])
    again.step()
    assert np.array_equal(again.q, sim.q)


def test_every_controller_is_there_with_its_parameters():
    assert {"walker", "simbicon", "nqr"} <= set(sinew.controllers())
    assert sinew.controllers("walker")["groups"]
    sim = sinew.Simulation(controller="simbicon", seconds=1)
    assert "trunk" not in dir(sim.params)
    sim.params.turn = 0.5
    assert sim.params.turn == 0.5
    with pytest.raises(sinew.SinewError, match="must be"):
        sim.params.turn = 1e9
    with pytest.raises(AttributeError, match="no parameter"):
        sim.params.turns = 0.5


def test_copies_go_their_own_way():
    sim = sinew.Simulation(controller="walker", speed=0.8, seconds=5)
    sim.step(500)
    other = sim.copy()
    sim.push([40, 0, 0])
    sim.step(200)
    other.step(200)
    assert not np.array_equal(sim.q, other.q)
    again = sinew.Simulation(controller="walker", speed=0.8, seconds=5)
    again.step(700)
    assert np.array_equal(other.q, again.q)


def test_clips_come_in_and_go_out(tmp_path):
    human = sinew.Model("human")
    walk = sinew.Clip("walk", human)
    assert walk.q.shape == (len(walk), human.nq) and walk.rate > 0
    path = tmp_path / "walk.bvh"
    path.write_bytes(walk.bytes("bvh"))
    back = sinew.Clip(str(path), human)
    assert abs(back.seconds - walk.seconds) < 0.1


def test_a_run_that_is_no_physics_is_found_out():
    run = sinew.simulate(controller="limp", seconds=0.2)
    arrays = {name: run[name].copy() for name in run}
    arrays["q"][50:, 2] += 0.01
    import io

    file = io.BytesIO()
    np.savez(file, **arrays)
    forged = sinew.Run(file.getvalue())
    assert run.holds and not forged.holds


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        ({"carachter": "human"}, "did you mean `character`"),
        ({"controller": "wlaker"}, "wlaker"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": float("nan")}, "NaN|finite|number"),
        ({"character": "nobody"}, "nobody"),
        ({"push": [{"time": 1, "impulse": [1, 2]}]}, "impulse"),
    ],
)
def test_bad_scenarios_are_refused_in_words(scenario, says):
    with pytest.raises(sinew.SinewError, match=says):
        sinew.simulate(scenario)


def test_nothing_is_recorded_twice():
    sim = sinew.Simulation(controller="limp", seconds=0.1)
    with pytest.raises(sinew.SinewError, match="record=True"):
        sim.recording()
    with pytest.raises(sinew.SinewError, match="finite"):
        sim.push([np.nan, 0, 0])
    with pytest.raises(sinew.SinewError, match="no style"):
        sim.style("tango")
    with pytest.raises(sinew.SinewError):
        sinew._sinew.verify(b"nothing")


def test_the_page_shows_the_run():
    run = sinew.simulate(controller="limp", seconds=0.2)
    try:
        page = run.html()
    except sinew.SinewError as error:
        pytest.skip(str(error))
    assert page.lstrip().lower().startswith("<!doctype html") and "sinew-run" in page


def test_the_summary_is_that_of_the_command_line():
    run = sinew.simulate(controller="walker", speed=0.5, seconds=0.5, seed=3)
    assert json.loads(json.dumps(run.summary))["seconds"] == pytest.approx(0.5)
