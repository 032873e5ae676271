"""The wheel: what it brings, and a house that is started from nothing else."""

from __future__ import annotations

import http.cookiejar
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.parse
import urllib.request
import zipfile
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import metadata
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from casino.config.environment import data_folder
from casino.demo import play
from casino.demo.house import PASSWORD
from casino.engine.processes import paths
from casino.engine.processes.version import VERSION
from casino.office.dashboard import controls
from tests import forms, template
from tests.processes import ROOT, Process, environment, eventually, free_port, get, started

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.once
PACKAGES = ("casino", "games", "ledger")
WITHIN = {
    "templates/": "casino/bundled/templates/",
    "locale/": "casino/bundled/locale/",
    "docs/games/": "casino/bundled/docs/games/",
    "docs/reference/controls.md": "casino/bundled/docs/reference/controls.md",
    "tests/transcripts/": "casino/bundled/transcripts/",
}
"""What lies beside the packages here, and where in the wheel."""
OURS = ("HOME_THROW_DATA", "XDG_DATA_HOME", "STATIC_ROOT", "DJANGO_SETTINGS_MODULE", "PYTHONPATH")
UV = (sys.executable, "-m", "uv", "--quiet", "--offline", "--no-config")
NOT_TO_BE_WRITTEN = Path("/proc")  # not even root may
TRANSCRIPT = ROOT / "tests" / "transcripts" / "stone-hand" / "standing-ends-it.jsonl"
PROGRESS = re.compile(r"^\w+: \d+\n", re.MULTILINE)


@dataclass(frozen=True)
class Installed:
    """
    :param folder: an empty one, at first: the home of who runs the house, and where they stand.
    :param packages: where the wheel was unpacked; `brought`: all that lay there then.
    """

    folder: Path
    packages: Path
    program: Path
    brought: frozenset[Path]

    @property
    def kept(self) -> Path:
        """Where its house keeps its data, in the person's own folder."""
        return self.folder / ".local" / "share" / "home-throw" / "data"

    @property
    def log(self) -> Path:
        return self.folder.with_suffix(".log")

    def environment(self, **settings: str) -> dict[str, str]:
        given = environment(**{"HOME": str(self.folder), **settings})
        return {name: value for name, value in given.items() if name not in OURS}

    def asked(self, *arguments: str, at: Path | None = None, **settings: str) -> Process:
        return subprocess.Popen(
            [self.program, *arguments],
            cwd=at or self.folder, env=self.environment(**settings),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip


@dataclass(frozen=True)
class House:
    address: str
    browser: urllib.request.OpenerDirector = field(
        default_factory=lambda: urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
    )

    def page(self, path: str, form: dict[str, str] | None = None) -> str:
        """A page as an Italian reads it. What is no 200 is raised."""
        request = urllib.request.Request(  # noqa: S310 - our own house, by http
            f"{self.address}{path}",
            headers={"Accept-Language": "it"},
            data=urllib.parse.urlencode(form).encode() if form else None,
        )
        with self.browser.open(request, timeout=60) as answer:
            text: str = answer.read().decode()
            return text

    def sign_in(self, username: str) -> None:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.page("sign-in/"))
        assert token is not None
        form = {"username": username, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
        assert "sign-out" in self.page("sign-in/", form)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source archive, as `pip wheel` of it does; the archive from what is here."""
    folder = tmp_path_factory.mktemp("built")
    build(ROOT, folder)
    return folder / f"home_throw-{VERSION}-py3-none-any.whl"


def build(source: Path, folder: Path, *options: str) -> None:
    """By the build backend that is installed here: nothing is fetched."""
    isolation = ("--no-build-isolation", f"--python={sys.executable}")
    command = (*UV, "build", *isolation, *options, f"--out-dir={folder}", str(source))
    subprocess.run(command, check=True, cwd=folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """In an environment of its own; the packages it needs are those here, without the source."""
    folder, python = tmp_path_factory.mktemp("empty"), tmp_path_factory.mktemp("env") / "python"
    subprocess.run((*UV, "venv", f"--python={sys.executable}", python), check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(python)}))
    needed = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "needed.pth").write_text("\n".join(needed))
    command = (*UV, "pip", "install", "--no-deps", "--no-cache", f"--python={python}", wheel)
    subprocess.run(command, check=True)
    yield Installed(folder, packages, python / "bin" / "home-throw", files(packages))
    if prefix := os.environ.get("PYTHONPYCACHEPREFIX"):  # nobody comes by there again
        shutil.rmtree(Path(prefix).joinpath(*python.parts[1:]), ignore_errors=True)


def files(folder: Path) -> frozenset[Path]:
    """Without what Python keeps for itself wherever it may."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return frozenset(path for path in found if path.suffix != ".pyc")


@pytest.fixture(scope="module")
def starting(installed: Installed) -> Iterator[tuple[Process, int]]:
    """A house that comes up while others are tested: it needs most of the time."""
    if not forms.LONG_FORM:  # there it migrates an empty one, by what the wheel brings
        template.put(installed.kept)
    port = free_port()
    command = (str(installed.program), "up", "--empty", f"--port={port}")
    env, log = installed.environment(), installed.log
    with started(*command, env=env, output=log, cwd=installed.folder) as process:
        yield process, port


@pytest.fixture(scope="module")
def house(installed: Installed, starting: tuple[Process, int]) -> House:
    process, port = starting
    eventually(lambda: get(port, "/healthz")[0] == HTTPStatus.OK, process, installed.log)
    return House(f"http://127.0.0.1:{port}/")


@pytest.mark.processes
@pytest.mark.usefixtures("starting")
def test_every_file_of_the_source_that_runs_is_in_the_wheel_and_no_other(wheel: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no checkout: nobody says which files are the source's")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    source = {path for path in result.split("\0") if path and (ROOT / path).exists()}
    running = {path for path in source if path.partition("/")[0] in PACKAGES}
    for beside, within in WITHIN.items():
        running |= {path.replace(beside, within, 1) for path in source if path.startswith(beside)}
    running = {path for path in running if not path.endswith(".expected.json")}  # the tests' own

    with zipfile.ZipFile(wheel) as archive:
        brought = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert brought == running
    assert {f"{each}/py.typed" for each in PACKAGES} < brought


@pytest.mark.long
def test_the_source_archive_and_the_source_build_the_very_same_wheel(
    wheel: Path, tmp_path: Path
) -> None:
    build(ROOT, tmp_path, "--wheel")

    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.processes
def test_it_says_the_version_that_it_is_installed_as(installed: Installed) -> None:
    [found] = metadata.distributions(name="home-throw", path=[str(installed.packages)])

    assert installed.asked("--version").communicate() == (f"Home Throw {found.version}\n", "")


# fmt: off
KEPT = [
    # installed, XDG_DATA_HOME
    (False, "/elsewhere", ROOT),
    (True,  "/elsewhere", Path("/elsewhere/home-throw")),
    (True,  "",           Path("/home/ada/.local/share/home-throw")),
    (True,  "below/here", Path("/home/ada/.local/share/home-throw")),  # as its specification has it
]
# fmt: on


@pytest.mark.parametrize(("as_a_package", "given", "kept"), KEPT)
def test_what_is_written_lies_in_the_source_or_in_the_persons_own_folder(
    monkeypatch: pytest.MonkeyPatch,
    as_a_package: bool,  # noqa: FBT001
    given: str,
    kept: Path,
) -> None:
    monkeypatch.setattr(paths, "INSTALLED", as_a_package)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", given)

    assert paths.data_folder() == kept


def test_who_has_no_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "INSTALLED", True)
    monkeypatch.setattr("pathlib.Path.home", nobodys)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    with pytest.raises(ImproperlyConfigured, match="HOME_THROW_DATA has to name one"):
        data_folder()


def nobodys() -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.processes
def test_commands_are_those_of_manage_py_wherever_one_stands(installed: Installed) -> None:
    there = installed.asked("replay", str(TRANSCRIPT), at=NOT_TO_BE_WRITTEN)
    here = StringIO()
    call_command("replay", str(TRANSCRIPT), stdout=here)

    assert there.communicate() == (here.getvalue(), "")
    assert there.returncode == 0


@pytest.mark.processes
def test_a_folder_that_cannot_be_written_is_named(installed: Installed) -> None:
    place = str(NOT_TO_BE_WRITTEN)
    refused = installed.asked("up", at=NOT_TO_BE_WRITTEN, HOME=place)
    _, sentence = refused.communicate()

    assert refused.returncode == 1
    assert f"Cannot write to {place}/.local/share/home-throw/data" in sentence
    assert "HOME_THROW_DATA" in sentence
    assert len(sentence.strip().splitlines()) == 1


@pytest.mark.long
@pytest.mark.processes
def test_a_game_is_played_and_paid_and_its_book_is_sound(
    installed: Installed, house: House
) -> None:
    assert f"Everything is kept in {installed.kept}" in installed.log.read_text()

    game = play.transcript(play.House(house.address), TRANSCRIPT)
    verified = installed.asked("verify_ledger")

    # Pages in Italian, with a rule and controls quoted; a script for devices; a static file.
    house.sign_in("orso")
    assert "Quando tutti hanno tirato perde" in house.page(f"floor/games/{game}/rounds/1/")
    assert controls.controls()[0].file in house.page("controls/")
    [script] = re.findall(r'src="/(floor/offline/[^"]+)"', house.page(f"floor/games/{game}/"))
    assert "offline.templates" in house.page(script)
    assert "--paper" in house.page("static/css/tokens.css")

    complaints = PROGRESS.sub("", verified.communicate()[1])  # said where it takes long
    assert complaints == ""
    assert verified.returncode == 0
    assert files(installed.packages) == installed.brought
