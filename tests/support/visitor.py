"""
Somebody who is not signed in, at a house that the environment names:
``python -m tests.support.visitor ADDRESS``. Prints what is answered there.
"""

import sys

import django

django.setup()

from django.conf import settings  # noqa: E402  once Django is up
from django.test import Client  # noqa: E402


def main(address: str) -> None:
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0], HTTP_X_FORWARDED_PROTO="https")
    sys.stdout.write(client.get(address).content.decode())


if __name__ == "__main__":
    main(sys.argv[1])
