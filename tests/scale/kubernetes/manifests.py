"""The manifests of deploy/kubernetes: as they are written, and as kustomize makes them."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import yaml

from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KUBERNETES: Final = ROOT / "deploy" / "kubernetes"
PRODUCTION: Final = KUBERNETES / "overlays" / "production"
NO_KUBECTL: Final = "no kubectl, which has kustomize in it: https://kubernetes.io/docs/tasks/tools/"
MARK: Final = "app.kubernetes.io/component"

Resource = dict[str, Any]


@cache
def written() -> tuple[Resource, ...]:
    """Every resource of base, migration and components, as its file has it."""
    return tuple(
        document
        for folder in ("base", "migration", "components")
        for file in sorted((KUBERNETES / folder).rglob("*.yaml"))
        for document in yaml.safe_load_all(file.read_text())
        if "kind" in document and document["kind"] not in {"Kustomization", "Component"}
    )


def rendered(folder: Path) -> list[Resource]:
    """:raises FileNotFoundError: without kubectl."""
    program = shutil.which("kubectl")
    if program is None:
        raise FileNotFoundError(NO_KUBECTL)
    done = subprocess.run(
        [program, "kustomize", str(folder)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [*yaml.safe_load_all(done.stdout)]


def of_kind(
    resources: Iterator[Resource] | tuple[Resource, ...] | list[Resource], kind: str
) -> list[Resource]:
    return [each for each in resources if each["kind"] == kind]


def runs(resource: Resource) -> bool:
    """Whether it starts Pods."""
    return resource["kind"] in {"Deployment", "Job"}


def pod(resource: Resource) -> dict[str, Any]:
    """The specification of its Pods."""
    spec: dict[str, Any] = resource["spec"]["template"]["spec"]
    return spec


def container(resource: Resource) -> dict[str, Any]:
    """The only one that a Pod of it has."""
    [only] = pod(resource)["containers"]
    found: dict[str, Any] = only
    return found


def house_env(*folders: Path) -> dict[str, str]:
    """The settings in the ConfigMap: of the base, and of overlays after it."""
    lines = [
        line
        for folder in folders
        for line in (folder / "house.env").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    return dict(line.split("=", 1) for line in lines)
