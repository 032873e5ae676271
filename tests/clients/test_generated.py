"""Clients that two public generators make of the description: strictly typed, and a game each."""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final
from urllib.request import Request, urlopen

import pytest

from tests.clients import tools
from tests.clients.tools import PROGRAMS
from tests.processes import eventually, free_port, get, started
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.clients.tools import Tools
    from tests.support.builders import House
    from tests.support.processes import Site

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
]

CLIENT: Final = "home_throw_client"


@pytest.fixture(scope="module")
def generators() -> Tools:
    """:raises NotInstalled: which fails the tests and says what is needed."""
    return tools.found()


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house()
    builders.on_record(made.establishment)  # its own checks find nothing that is not in the ledger
    return made


@pytest.fixture
def address(place: Site, house: House) -> Iterator[str]:
    """Where the whole house answers, in a process of its own."""
    del house
    port, log = free_port(), place.folder / "up.log"
    env = {name: value for name, value in place.env.items() if name != "REDIS_URL"}
    command = (sys.executable, "manage.py", "up", "--empty", f"--port={port}")
    with started(*command, env=env, output=log) as process:
        eventually(lambda: get(port, "/healthz")[0] == http.client.OK, process, log)
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def description(address: str, tmp_path: Path) -> Path:
    """The description as that house serves it; making it takes seconds, the first time."""
    asked = Request(f"{address}/api/schema/", headers={"Accept": "application/json"})  # noqa: S310
    file = tmp_path / "schema.json"
    with urlopen(asked, timeout=120) as answer:  # noqa: S310
        file.write_bytes(answer.read())
    return file


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command[:2])}\n{done.stdout}\n{done.stderr}"


def test_a_client_in_python_plays_a_game(
    generators: Tools, house: House, address: str, description: Path, tmp_path: Path
) -> None:
    config = tmp_path / "config.json"  # JSON is YAML
    binary = {"application/zip": "application/octet-stream"}  # the bundle of a dispute
    config.write_text(json.dumps({"post_hooks": [], "content_type_overrides": binary}))
    run(
        tmp_path,
        generators.python("openapi-python-client"), "generate", f"--path={description}",
        f"--config={config}", "--meta=none", f"--output-path={tmp_path / CLIENT}",
        "--fail-on-warning",
    )  # fmt: skip
    shutil.copy(PROGRAMS / "play.py", tmp_path)

    run(tmp_path, generators.python("mypy"), "--strict", "play.py", CLIENT)

    token = builders.token(house.manager)
    run(tmp_path, generators.python("python"), "play.py", address, token, str(house.id))


def test_a_client_in_typescript_plays_a_game(
    generators: Tools, house: House, address: str, description: Path, tmp_path: Path
) -> None:
    for name in ("play.ts", "package.json", "tsconfig.json"):
        shutil.copy(PROGRAMS / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(generators.modules)
    types = str(tmp_path / "schema.ts")
    run(tmp_path, generators.node("openapi-typescript"), str(description), "--output", types)

    run(tmp_path, generators.node("tsc"), "--project", ".")

    token = builders.token(house.manager)
    run(tmp_path, "node", "out/play.js", address, token, str(house.id))
