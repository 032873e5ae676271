"""The message that a request was made, with a link to it, for every page that asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.kit.approvals import requests
from casino.kit.web.pages import Outcome

if TYPE_CHECKING:
    from uuid import UUID

    from casino.kit.web.pages import Page


def ask_second_person(page: Page, sentence: str, command_id: UUID) -> Outcome:
    """
    The outcome of an act that asks for a second person.

    :param command_id: of the act, from which the request has its id.
    """
    request = requests.id_of(page.house.pk, command_id)
    return Outcome(sentence, _("The request"), reverse("approval", args=[request]))
