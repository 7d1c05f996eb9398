import os
import shutil

import pytest


@pytest.fixture(scope="session")
def command() -> str:
    """The `sinew` program of the same build."""
    found = os.environ.get("SINEW") or shutil.which("sinew")
    if not found:
        pytest.skip("the program `sinew` is not on the path; set SINEW to it")
    return found
