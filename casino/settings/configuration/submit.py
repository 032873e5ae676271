"""Puts a valid form's changes to the house; the settings and the set-up of a house share this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from casino.kit.web.pages import REFUSALS
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.operations import Became

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from casino.house.acts import acts
    from casino.kit.web.pages import Page
    from casino.settings.configuration.operations import Adding, Changing, Outcome

HIDDEN = frozenset({"csrfmiddlewaretoken", "command_id"})


def carry_out(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    *,
    do: str,
    reason: str | None = None,
) -> Outcome | None:
    """
    Carry out what a form says; None if nothing was sent, or it cannot be done and the form says
    why.

    :param change: makes the changes to put, given the act.
    :param do: the name of what is done, by which a repeat of the act is recognised.
    :param reason: the reason, if the form has no field for it.
    """
    if not form.is_valid():
        return None
    act = page.act(form.act_id, do=do, sent=_fields_as_sent(page))
    why = form.cleaned_data.get("reason", "") if reason is None else reason
    try:
        return configuration.put(act, *change(act), reason=why)
    except ValidationError as invalid:
        form.refuse(invalid)
    except REFUSALS as refused:
        form.refuse(page.why(refused))
    return None


def _fields_as_sent(page: Page) -> dict[str, Any]:
    """The submitted fields as they arrived, the same for a second tap."""
    return {name: values for name, values in page.request.POST.lists() if name not in HIDDEN}


def outcome_text(became: Became) -> str:
    match became:
        case Became.WAITING:
            return _("This waits for a second person: they find it under Approvals.")
        case Became.UNCHANGED:
            return _("Nothing differs, nothing was changed.")
        case _:
            return _("Saved, and written into the change log.")
