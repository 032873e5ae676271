"""What the tools of Kubernetes and Prometheus say of the manifests: each where it can be had."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.scale.kubernetes.manifests import (
    KUBERNETES,
    NO_KUBECTL,
    PRODUCTION,
    container,
    of_kind,
    rendered,
    runs,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.long, pytest.mark.once]

VALIDATOR = "kubernetes-validate==1.37.0"
VERSIONS = ("1.30.0", "1.33.0", "1.37.0")  # of Kubernetes
FOLDERS = (PRODUCTION, PRODUCTION / "migration", KUBERNETES / "base")
OPERATORS = {"PodMonitor", "PrometheusRule", "ScrapeConfig"}  # kinds that Kubernetes does not know


@pytest.fixture(autouse=True, scope="module")
def kubectl() -> None:
    if shutil.which("kubectl") is None:
        pytest.skip(NO_KUBECTL)


@pytest.fixture(scope="module")
def validate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """In an environment of its own: its schemas weigh more than all of the house."""
    home = tmp_path_factory.mktemp("validator")
    uv = str(Path(sys.executable).parent / "uv")
    python = home / "bin" / "python"
    subprocess.run([uv, "venv", "--quiet", "--clear", str(home)], check=True)
    install = [uv, "pip", "install", "--quiet", "--python", str(python), VALIDATOR]
    done = subprocess.run(install, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{VALIDATOR} cannot be had: {done.stderr.strip().splitlines()[-1]}")
    yield str(home / "bin" / "kubernetes-validate")
    shutil.rmtree(home)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_resource_is_of_its_schema(validate: str, tmp_path: Path, version: str) -> None:
    for number, folder in enumerate(FOLDERS):
        known = [each for each in rendered(folder) if each["kind"] not in OPERATORS]
        file = tmp_path / f"{number}.yaml"
        file.write_text(yaml.safe_dump_all(known))
        done = subprocess.run(
            [validate, "--strict", "--kubernetes-version", version, str(file)],
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        said = done.stdout + done.stderr

        assert done.returncode == 0, said
        assert said.count("passed for resource") == len(known)


def test_a_field_that_is_misspelled_is_found(validate: str, tmp_path: Path) -> None:
    """That the tool looks at all."""
    [job] = [each for each in rendered(PRODUCTION / "migration") if each["kind"] == "Job"]
    job["spec"]["backoffLimits"] = 3
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(job))

    done = subprocess.run(
        [validate, "--strict", str(tmp_path / "wrong.yaml")],
        check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode != 0
    assert "backoffLimits" in done.stdout + done.stderr


def test_the_overlay_says_its_name_and_image_everywhere() -> None:
    resources = rendered(PRODUCTION)
    [ingress] = of_kind(resources, "Ingress")
    [web] = [each for each in of_kind(resources, "Deployment") if each["metadata"]["name"] == "web"]
    [settings] = of_kind(resources, "ConfigMap")
    [host, _] = container(web)["readinessProbe"]["httpGet"]["httpHeaders"]
    name = settings["data"]["ALLOWED_HOSTS"]

    assert "house.example" not in yaml.safe_dump_all(resources)
    assert {
        host["value"],
        ingress["spec"]["rules"][0]["host"],
        *ingress["spec"]["tls"][0]["hosts"],
    } == {name}
    assert {each["metadata"]["namespace"] for each in resources if each["kind"] != "Namespace"} == {
        "home-throw"
    }
    assert all(
        container(each)["image"].startswith("registry.example/") for each in resources if runs(each)
    )
    for each in of_kind(resources, "Deployment"):  # changed settings start new Pods
        assert {"configMapRef": {"name": settings["metadata"]["name"]}} in container(each)[
            "envFrom"
        ]


def test_who_is_scaled_says_no_number() -> None:
    """Else each apply would take back what the autoscaler did."""
    resources = rendered(PRODUCTION)
    scaled = {
        each["spec"]["scaleTargetRef"]["name"]
        for each in of_kind(resources, "HorizontalPodAutoscaler")
    }
    numbered = {
        each["metadata"]["name"]
        for each in of_kind(resources, "Deployment")
        if "replicas" in each["spec"]
    }

    assert scaled == {"web", "worker-play", "worker-long"}
    assert numbered == {"worker-signing", "beat"}


def test_prometheus_reads_the_alerts(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("no promtool, which reads rules of alerts: apt-get install -y prometheus")
    [alerts] = of_kind(written(), "PrometheusRule")
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(alerts["spec"]))

    done = subprocess.run(
        [promtool, "check", "rules", str(tmp_path / "rules.yaml")],
        check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
