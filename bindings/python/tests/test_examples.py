"""The notebook and the README, as they are read."""

import json
import re
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent.parent


def test_the_notebook_runs():
    notebook = json.loads((HERE / "examples" / "sinew.ipynb").read_text())
    names: dict[str, object] = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(cell, names)
    assert names["run"].holds and names["run"].fell is False
    assert len(names["rows"]) == 4


def test_the_readme_runs(tmp_path, monkeypatch):
    import sinew

    monkeypatch.chdir(tmp_path)
    # a test opens no window and needs no matplotlib
    monkeypatch.setattr(sinew, "view", lambda run: None)
    monkeypatch.setattr(sinew.Run, "plot", lambda run: None)
    text = (HERE / "README.md").read_text()
    human = sinew.Model("human")
    names = {"q": human.neutral(), "v": np.zeros(human.nv), "a": np.zeros(human.nv)}
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        # few runs are enough here
        exec(block.replace("range(100)", "range(2)").replace('"seconds": 20', '"seconds": 1').replace("64", "2"), names)
    assert names["run"].holds and (tmp_path / "walk.npz").is_file()
