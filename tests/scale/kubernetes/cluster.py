"""Pods of one namespace, of the rendered overlay, and people who play there."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING, Any, Final, Self

from tests.faults.keeper import Keeper
from tests.processes import ROOT
from tests.scale.kubernetes.kubelet import Pod
from tests.scale.kubernetes.manifests import PRODUCTION, rendered

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WATCHED: Final = ("casino", "ledger", "games", "templates", "locale")
"""Folders of the image in which nobody may write."""


class Cluster:
    """Pods of this namespace, and what they share."""

    def __init__(self, folder: Path, superuser: str, redis: str) -> None:
        self.folder, self.pods = folder, list[Pod]()
        self.resources = {
            (each["kind"], each["metadata"]["name"]): each
            for overlay in (PRODUCTION, PRODUCTION / "migration")
            for each in rendered(overlay)
        }
        at = superuser.rpartition("@")[2].partition("/")[0]
        self.values: dict[str, Mapping[str, str]] = {
            name: each["data"]
            for (kind, name), each in self.resources.items()
            if kind == "ConfigMap"
        }
        self.secret = {
            "DATABASE_URL": f"postgresql://home_throw:RUNTIME-PASSWORD@{at}/home_throw",
            "REDIS_URL": redis,
            "SECRET_KEY": secrets.token_urlsafe(64),
            "SECOND_FACTOR": "offered",  # players have one password
        }
        owner = f"postgresql://home_throw_owner:OWNER-PASSWORD@{at}/home_throw"
        self.values |= {
            "home-throw": self.secret,
            "home-throw-owner": {"DATABASE_OWNER_URL": owner},
        }
        self.volumes = {name: folder / name for name in ("ledger-keys",)}
        for each in self.volumes.values():
            each.mkdir(mode=0o700)
        self.static = folder / "staticfiles"
        self.host = next(
            each["data"]["ALLOWED_HOSTS"]
            for each in self.resources.values()
            if each["kind"] == "ConfigMap"
        )

    def pod(self, kind: str, name: str) -> Pod:
        made = Pod(
            self.resources[kind, name],
            self.folder,
            values=self.values,
            volumes=self.volumes,
            image={"STATIC_ROOT": str(self.static)},
        )
        self.pods.append(made)
        return made.start()

    def run(self, *command: str, beside: Pod) -> str:
        """As ``kubectl exec`` does: in a Pod's environment."""
        more = {"DJANGO_SETTINGS_MODULE": "casino.config.settings"}  # programs of tests need it
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env={**beside.env, **more},
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def collected(self) -> None:
        """Static files, as the image has them."""
        command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        env = {**self.secret, "STATIC_ROOT": str(self.static), "PATH": ""}
        subprocess.run(command, cwd=ROOT, env=env, check=True)

    def end(self) -> None:
        for each in self.pods:
            each.kill()


def figures(port: int, path: str) -> dict[str, float]:
    """Samples of a metrics address, by name and labels as they are written."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")
    }


def written_since(moment: float) -> list[str]:
    """Files of the image that somebody wrote."""
    return [
        str(file)
        for folder in WATCHED
        for file in (ROOT / folder).rglob("*")
        if file.is_file() and file.stat().st_mtime > moment and "__pycache__" not in file.parts
    ]


class Players:
    """
    People who play over HTTP until they are told to end, and write down what was answered; and an
    auditor, who takes checkpoints with them.
    """

    def __init__(self, cluster: Cluster, known: Mapping[str, Any], port: int, number: int) -> None:
        self.folder = cluster.folder / "journals"  # with one for each house
        self.journals = self.folder / known["houses"][0]["house"]
        self.journals.mkdir(parents=True)
        self._running = [
            self._one({**known, **known["houses"][0], "number": each, "seed": each,
                       "ports": [port], "pause": 0.1,
                       "journal": str(self.journals / f"player-{each}.jsonl")}, cluster)
            for each in range(number)
        ]  # fmt: skip

        self._auditor = Keeper(
            house=known["houses"][0]["house"],
            token=known["auditor"],
            ports=[port],
            kept=self.journals / "checkpoints.jsonl",
        )

    def __enter__(self) -> Self:
        self._auditor.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        self._auditor.__exit__(*error)

    @staticmethod
    def _one(fields: dict[str, Any], cluster: Cluster) -> subprocess.Popen[str]:
        with (cluster.folder / f"player-{fields['number']}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.faults.player", json.dumps([fields])],
                cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=log, stderr=log,
            )  # fmt: skip

    def end(self) -> list[int]:
        for each in self._running:
            assert each.stdin is not None
            each.stdin.close()
        return [each.wait(180) for each in self._running]

    def kill(self) -> None:
        for each in self._running:
            each.kill()
            each.wait()
