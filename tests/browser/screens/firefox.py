"""Firefox, asked over its own socket: with a finger, and a passkey of its own."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions
from selenium.webdriver.remote.webdriver import WebDriver

from tests import firefox, processes
from tests.browser.screens.marionette import Marionette
from tests.browser.screens.webdriver import Driven

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COARSE = 1  # a finger, and nothing that hovers
PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1,
    "ui.primaryPointerCapabilities": COARSE,
    "ui.allPointerCapabilities": COARSE,
    "security.webauth.webauthn_enable_softtoken": True,
    "security.webauth.webauthn_enable_usbtoken": False,  # none is waited for
    "browser.dom.window.dump.enabled": True,  # errors of pages go to stderr
    "devtools.console.stdout.content": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "extensions.update.enabled": False,
    "app.update.disabledForTesting": True,
    "toolkit.telemetry.server": "",
    "browser.safebrowsing.provider.mozilla.updateURL": "",
    "dom.security.https_first": False,
}


class Firefox(Driven):
    name = "Firefox"

    def __init__(self, driver: WebDriver, log: Path) -> None:
        super().__init__(driver)
        self._log = log

    def key_in_the_port(self) -> bool:
        options = VirtualAuthenticatorOptions(
            protocol=VirtualAuthenticatorOptions.Protocol.CTAP2,
            transport=VirtualAuthenticatorOptions.Transport.USB,
            has_resident_key=False,
            has_user_verification=True,
            is_user_consenting=True,
            is_user_verified=True,
        )
        self.driver.add_virtual_authenticator(options)
        return True

    def wrong(self) -> list[str]:
        told = self._log.read_text(errors="replace").splitlines()
        return [line for line in told if "JavaScript error: http" in line]


@contextmanager
def opened(width: int, height: int, folder: Path) -> Iterator[Firefox]:
    """A window of this size, in CSS pixels, on a profile of its own."""
    profile, log = folder / "profile", folder / "firefox.log"
    profile.mkdir()
    port = processes.free_port()
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in {**PREFERENCES, "marionette.port": port}.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    command = [firefox.find() or "", "--headless", "--marionette", "--no-remote",
               "--profile", str(profile), "about:blank"]  # fmt: skip
    env = {**os.environ, "MOZ_HEADLESS_WIDTH": str(width), "MOZ_HEADLESS_HEIGHT": str(height + 100),
           "HOME": str(folder)}  # fmt: skip
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=env)
    marionette = None
    try:
        marionette = Marionette(port, lambda: process.poll() is None)
        screen = Firefox(WebDriver(marionette, options=ArgOptions()), log)  # type: ignore[arg-type]
        screen.resizes(width, height)
        yield screen
    finally:
        if marionette:
            marionette.close()
        process.terminate()
        process.wait()
