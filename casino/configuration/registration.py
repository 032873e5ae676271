"""What this app registers with rooms below it, once the models are loaded."""

from django.utils.translation import gettext_lazy as _

from casino.approvals import kinds
from casino.approvals.kinds import Kind
from casino.configuration import descriptions, history
from casino.configuration import operations as configuration
from casino.establishments.models import Change
from casino.platform import house_subscriber


def register() -> None:
    kinds.register(
        configuration.KIND,
        Kind(
            title=_("Configuration"),
            act="configure",
            carry_out=configuration.carry_out,
            rows=True,
            tells=kinds.each(descriptions.request),
            address=descriptions.address,
            refusals=configuration.refusals,
        ),
    )
    house_subscriber.register(
        house_subscriber.Area("configuration", history.handle, rows=(Change,))
    )
