"""Looking at a run: in a notebook inline, else in the browser."""

from __future__ import annotations

import base64
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from .run import Run


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython  # type: ignore[import-not-found]
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def view(run: Run, *, height: int = 480) -> Any:
    """Shows a run: inline in Jupyter, in the browser elsewhere. Returns what Jupyter displays, or the path of the page."""
    page = run.html()
    if _in_notebook():
        from IPython.display import IFrame  # type: ignore[import-not-found]

        data = base64.b64encode(page.encode()).decode()
        return IFrame(f"data:text/html;base64,{data}", width="100%", height=height)
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="sinew-", delete=False) as file:
        file.write(page)
    path = Path(file.name)
    webbrowser.open(path.as_uri())
    return path
