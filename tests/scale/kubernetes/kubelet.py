"""
Pods as processes: what a node does with a manifest, as far as one can without a cluster.

A container's command runs with the environment that the manifest and the image give it and nothing
else; its volumes are folders, its ports are free ones of this machine. Probes are asked as the
kubelet asks them, and a Pod ends as Kubernetes ends it: preStop, SIGTERM, SIGKILL after its grace.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.processes import PATIENCE, ROOT, free_port
from tests.scale.kubernetes.manifests import Resource, container, pod

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROGRAMS: Final = Path(sys.executable).parent
IMAGE: Final = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""What the Dockerfile sets for those who run."""
HOME: Final = "/nonexistent"  # of somebody who has none
OF_THE_HOUSE: Final = 500
NUMBERS = count(1)


class Pod:
    """
    One Pod of a resource.

    :param values: of ConfigMaps and Secrets, by name.
    :param volumes: folders for claims, by the claim's name.
    :param image: more environment, of what the image has in folders of its own.
    """

    def __init__(
        self,
        resource: Resource,
        folder: Path,
        *,
        values: Mapping[str, Mapping[str, str]],
        volumes: Mapping[str, Path],
        image: Mapping[str, str],
    ) -> None:
        self.name = f"{resource['metadata']['name']}-{next(NUMBERS)}"
        self.container, self.spec = container(resource), pod(resource)
        self.folder, self.log = folder / self.name, folder / f"{self.name}.log"
        self.folder.mkdir()
        self.ports = {
            each["containerPort"]: free_port() for each in self.container.get("ports", ())
        }
        self._named = {
            each["name"]: each["containerPort"] for each in self.container.get("ports", ())
        }
        self._mounts = self._mounted(volumes)
        self.env = {
            "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
            "HOME": HOME,
            "TMPDIR": self._mounts["/tmp"],  # noqa: S108 - in the container
            **IMAGE,
            **image,
            **{name: self._here(value) for name, value in self._environment(values).items()},
        }
        self.process: subprocess.Popen[bytes] | None = None

    def _mounted(self, volumes: Mapping[str, Path]) -> dict[str, str]:
        made = {}
        sources = {each["name"]: each for each in self.spec.get("volumes", ())}
        for mount in self.container["volumeMounts"]:
            source = sources[mount["name"]]
            if "persistentVolumeClaim" in source:
                at = volumes[source["persistentVolumeClaim"]["claimName"]]
            else:
                assert "emptyDir" in source
                at = self.folder / mount["name"]
                at.mkdir()
            made[mount["mountPath"]] = str(at)
        return made

    def _environment(self, values: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        env: dict[str, str] = {}
        for source in self.container.get("envFrom", ()):
            [named] = source.values()
            env |= values[named["name"]]
        return env | {each["name"]: each["value"] for each in self.container.get("env", ())}

    def _here(self, value: str) -> str:
        """A value of the container's world in this machine's: its ports and folders."""
        for path, folder in self._mounts.items():
            if value == path or value.startswith(f"{path}/"):
                return folder + value[len(path) :]
        host, _, port = value.rpartition(":")
        if host == "0.0.0.0" and port.isdecimal():  # noqa: S104
            return f"127.0.0.1:{self.ports.get(int(port)) or free_port()}"
        return value

    # --- Its life -------------------------------------------------------------------------------

    def start(self) -> Pod:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.container["command"], cwd=ROOT, env=self.env, stdout=output, stderr=output,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        return self

    def wait_until(self, *probes: str) -> Pod:
        """:raises AssertionError: if it does not come up, or ends."""
        for probe in probes:
            end = time.monotonic() + PATIENCE
            while not self.answers(probe):
                if not self.running or time.monotonic() > end:
                    raise AssertionError(f"{self.name}, {probe}: {self.last_words()}")
                time.sleep(0.2)
        return self

    def wait_until_ready(self) -> Pod:
        return self.wait_until("startupProbe", "readinessProbe")

    def wait_until_done(self) -> int:
        assert self.process is not None
        return self.process.wait(self.spec.get("activeDeadlineSeconds", PATIENCE))

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def end(self, *, meanwhile: Callable[[], object] = lambda: None) -> tuple[int, float]:
        """
        As Kubernetes ends a Pod; the exit status, and how many seconds that took.

        :param meanwhile: done when it has been asked to end, as endpoints change.
        """
        assert self.process is not None
        began, grace = time.monotonic(), float(self.spec["terminationGracePeriodSeconds"])
        changing = threading.Thread(target=meanwhile)
        changing.start()
        if stops := self.container.get("lifecycle", {}).get("preStop"):
            self._run(stops["exec"]["command"], grace)
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(grace - (time.monotonic() - began))
        except subprocess.TimeoutExpired:
            self.kill()
            status = self.process.wait()
        changing.join()
        return status, time.monotonic() - began

    def kill(self) -> None:
        """Whatever is left of it."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            self.process.wait()

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-3000:]

    # --- Its probes -----------------------------------------------------------------------------

    def answers(self, probe: str) -> bool:
        asked, patience = self.container[probe], self.container[probe].get("timeoutSeconds", 1)
        if "exec" in asked:
            return self._run(asked["exec"]["command"], 30) == 0  # the machine is busy with others
        port = self.ports[self._named[asked.get("httpGet", asked.get("tcpSocket"))["port"]]]
        try:
            if "tcpSocket" in asked:
                socket.create_connection(("127.0.0.1", port), patience).close()
                return True
            return self.ask(port, asked["httpGet"], patience) // 100 in {2, 3}
        except (OSError, http.client.HTTPException):
            return False

    @staticmethod
    def ask(port: int, asked: Mapping[str, Any], patience: float) -> int:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
        try:
            headers = {each["name"]: each["value"] for each in asked["httpHeaders"]}
            web.request("GET", asked["path"], headers=headers)
            return web.getresponse().status
        finally:
            web.close()

    def _run(self, command: list[str], seconds: float) -> int:
        done = subprocess.run(
            command, cwd=ROOT, env=self.env, check=False, capture_output=True, timeout=seconds
        )
        return done.returncode


class Ingress(ThreadingHTTPServer):
    """
    Passes requests on to Pods, as Ingress and Service do: with the house's name, as what HTTPS was.

    `failed` has what got no answer, or one of the 500s.
    """

    daemon_threads = True

    def __init__(self, host: str) -> None:
        self.host, self.failed, self.endpoints = host, list[str](), list[int]()
        self._turn = count()
        super().__init__(("127.0.0.1", 0), Passing)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def next(self) -> int:
        endpoints = [*self.endpoints]
        return endpoints[next(self._turn) % len(endpoints)]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked did not wait for the answer, and asks again."""


class Passing(BaseHTTPRequestHandler):
    server: Ingress

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {**dict(self.headers), "Host": self.server.host, "X-Forwarded-Proto": "https",
                   "X-Forwarded-For": "198.51.100.7", "Connection": "close"}  # fmt: skip
        port = self.server.next()
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            web.request(self.command, self.path, body or None, headers)
            answer = web.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as failure:
            self.server.failed.append(f"{self.command} {self.path} at {port}: {failure!r}")
            self.send_error(502)
            return
        finally:
            web.close()
        if answer.status >= OF_THE_HOUSE:
            self.server.failed.append(f"{self.command} {self.path} at {port}: {answer.status}")
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in {
                "transfer-encoding",
                "connection",
                "content-length",
                "date",
                "server",
            }:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - names of its base

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its base has it so
        pass
