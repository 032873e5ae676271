"""Putting to the house what a valid form says: its settings and its set-up do it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from casino.configuration import operations as configuration
from casino.configuration.operations import Became
from games.refusals import Refused
from ledger.journal import CommandReused, Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django import forms

    from casino.configuration.operations import Adding, Changing, Outcome
    from casino.operations import acts
    from casino.web.pages import Page

HIDDEN = frozenset({"csrfmiddlewaretoken", "command_id"})


def tried(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    *,
    do: str,
    reason: str,
) -> Outcome | None:
    """
    Carry out what a valid form says; None: it cannot be, and the form says why.

    :param change: what is to be put, told the act it comes from.
    :param do: what is done, by which an act is known again.
    """
    act = page.act(form.act_id, do=do, sent=_sent(page))
    try:
        return configuration.put(act, *change(act), reason=reason)
    except ValidationError as invalid:
        blamed(form, invalid)
    except (Refused, Conflict, CommandReused) as refused:
        form.add_error(None, str(refused))
    return None


def _sent(page: Page) -> dict[str, Any]:
    """What was asked, as it arrived: the same again for a second tap."""
    return {name: values for name, values in page.request.POST.lists() if name not in HIDDEN}


def said(became: Became) -> str:
    match became:
        case Became.WAITING:
            return _("This waits for a second person: they find it under Approvals.")
        case Became.UNCHANGED:
            return _("Nothing differs, nothing was changed.")
        case _:
            return _("Saved, and written into the change log.")


def blamed(form: forms.BaseForm, invalid: ValidationError) -> None:
    """Errors at their fields, those of a field that the form does not show at its head."""
    if not hasattr(invalid, "error_dict"):
        form.add_error(None, invalid)
        return
    for name, messages in invalid.message_dict.items():
        for message in messages:
            form.add_error(name if name in form.fields else None, message)
