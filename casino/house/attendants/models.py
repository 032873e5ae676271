"""
Staff: named people, the role each has at each house (D1), and how they prove who they are (D2, D3).

Roles, employments and tablets belong to a house; a person's sign-in is the same at every house.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Protocol

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from casino.engine.databases.house_keys import Directory, OneWithinHouse
from casino.engine.databases.house_rows import OfHouse
from casino.house.attendants.pseudonyms.models import Player
from casino.words.languages.names import NameField
from casino.words.languages.reader import check_language
from ledger.ids import uuid7_in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from casino.house.attendants.permissions import Work

SESSION_SALT = "casino.house.attendants.session"


class Proven(Protocol):
    """What a session, a token or a one-time approval has proven (see `assurance`)."""

    @property
    def second_factor(self) -> bool: ...

    @property
    def floor(self) -> UUID | None:
        """If not None, the only house where the person may act, and only to record."""

    @property
    def only(self) -> str | None:
        """If not None, the only act for which the person has proven who they are."""


class Attendant(AbstractUser):
    """A person who signs in. Their employments say what they may do at each house."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    first_name = NameField(_("first name"), max_length=150, blank=True)
    last_name = NameField(_("last name"), max_length=150, blank=True)
    pin = models.CharField(max_length=128, blank=True, editable=False)
    """The slow hash of the PIN, for taking over a shared tablet (D3); empty if none is set."""
    sign_in_epoch = models.PositiveIntegerField(default=0, editable=False)
    """Increasing this number ends every session of the person at once: see `cut_off`."""

    language = models.CharField(
        max_length=8, blank=True, default="", validators=[check_language], editable=False
    )
    """The person's choice of language; empty: the house's, or the browser's."""

    chain = models.UUIDField(null=True, editable=False)
    """The chain for which the person works, so that a page knows it without a query. What they may
    do there is in `casino.chain.models.ChainMember`."""

    standing: Proven | None = None
    """How the person of this instance has signed in; None if not by a session or token."""

    works_at: Mapping[UUID, Work] | None = None
    """The person's work at each house, cached on an instance that lives for one request."""

    of_a_request = False
    """Whether this instance belongs to one request, so that `works_at` is queried once."""

    class Meta:
        verbose_name = "attendant"

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    def get_session_auth_hash(self) -> str:
        return self._session_hash()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """No fallbacks: a session made under another password or epoch is over."""
        return iter(())

    def _session_hash(self) -> str:
        epoch = f"{self.password}/{self.sign_in_epoch}"
        return salted_hmac(SESSION_SALT, epoch, algorithm="sha256").hexdigest()


class Role(models.TextChoices):
    ATTENDANT = "attendant", _("Floor attendant")
    SUPERVISOR = "supervisor", _("Supervisor")
    MANAGER = "manager", _("Manager")
    AUDITOR = "auditor", _("Auditor")


class Invitation(Directory, OfHouse):
    """
    An invitation to work at a house, by a link that works once (D1).

    The ledger has it as an event, with a token for the name and without the secret.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="invitations"
    )
    name = NameField(_("name"), max_length=66)
    """The token of the name that the manager typed (`casino.house.attendants.pseudonyms`)."""
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    invited_by = models.ForeignKey(
        Attendant, on_delete=models.PROTECT, null=True, blank=True, related_name="invitations_made"
    )
    secret = models.CharField(max_length=64, editable=False)
    """SHA-256 of the secret in the link."""
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        Attendant,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="invitations_accepted",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["secret"], name="one_invitation_of_a_link"),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in Role]), name="invitation_role_known"
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(revoked_at__isnull=True),
                name="invitation_accepted_or_revoked",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="invitation_accepted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"Invitation as {self.get_role_display()} to {self.establishment}"


class Employment(Directory, OfHouse):
    """The role of one person at one house, from a moment until they leave; the row stays."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="employments"
    )
    attendant = models.ForeignKey(Attendant, on_delete=models.PROTECT, related_name="employments")
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    since = models.DateTimeField(_("since"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    player = models.CharField(max_length=16, blank=True, default="")
    """The token of the player as whom the person plays at this house, if they do (D1b)."""
    invitation = OneWithinHouse(
        Invitation, on_delete=models.PROTECT, null=True, blank=True, related_name="employment"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "attendant"],
                condition=Q(until__isnull=True),
                name="one_role_per_house",
            ),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in Role]), name="employment_role_known"
            ),
            models.UniqueConstraint(
                fields=["establishment", "player"],
                condition=Q(until__isnull=True) & ~Q(player=""),
                name="one_employee_of_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attendant}, {self.get_role_display()} at {self.establishment}"

    def clean(self) -> None:
        """:raises ValidationError: if the house knows no player by the token."""
        known = Player.objects.filter(establishment=self.establishment_id, token=self.player)
        if self.player and not known.exists():
            raise ValidationError({"player": "This house knows no such player. D1b"})


class Factor(models.Model):
    """A second factor of a person (D2): an authenticator app or a passkey."""

    class Kind(models.TextChoices):
        APP = "app", _("Authenticator app")
        PASSKEY = "passkey", _("Passkey")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    attendant = models.ForeignKey(Attendant, on_delete=models.PROTECT, related_name="factors")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    name = NameField(max_length=60)
    proof = models.BinaryField(editable=False)
    """An app's encrypted secret, or a passkey's public key. Emptied when the factor is removed."""
    counter = models.BigIntegerField(default=0)
    """The last time step or signature count that was taken; only later ones are (no replay)."""
    added_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["app", "passkey"]), name="factor_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.attendant}"


class RecoveryCode(models.Model):
    """One of ten recovery codes, for somebody who lost phone and key; each works once."""

    attendant = models.ForeignKey(Attendant, on_delete=models.PROTECT, related_name="recovery")
    code = models.CharField(max_length=64)
    """SHA-256 of the code: 118 random bits need no salt and no slow hash."""
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attendant", "code"], name="one_recovery_code"),
        ]

    def __str__(self) -> str:
        return f"A recovery code of {self.attendant}"


class StrongToken(models.Model):
    """Marks a token of the API that was made with a second factor: it may approve and configure."""

    token = models.OneToOneField(
        "knox.AuthToken", on_delete=models.CASCADE, primary_key=True, related_name="strong"
    )
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return "A token with a second factor"


class ListPreference(models.Model):
    """The order and number of lines in which a person looks at a list, at every house."""

    attendant = models.ForeignKey(Attendant, on_delete=models.CASCADE, related_name="+")
    listing = models.CharField(max_length=60)
    sort = models.CharField(max_length=60, blank=True)
    lines = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attendant", "listing"], name="one_order_of_a_list")
        ]

    def __str__(self) -> str:
        return f"{self.listing}: {self.sort}"


class Lockout(models.Model):
    """The count of tries at one secret from one place, and its lock (D2)."""

    key = models.CharField(max_length=64, primary_key=True)
    """HMAC of the kind of secret, its owner and the place; so a name nobody has is not stored."""
    attendant = models.ForeignKey(Attendant, on_delete=models.CASCADE, null=True, blank=True)
    address = models.CharField(max_length=45, blank=True)
    since = models.DateTimeField(db_index=True)
    tries = models.PositiveIntegerField(default=0)
    locked_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.tries} tries since {self.since:%Y-%m-%d %H:%M}"


class Tablet(OfHouse):
    """A shared tablet of the floor, on which a PIN changes the attendant (D3)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="tablets"
    )
    name = NameField(max_length=40)
    secret = models.CharField(max_length=64, editable=False)
    """SHA-256 of the secret in the device's cookie."""
    enrolled_by = models.ForeignKey(Attendant, on_delete=models.PROTECT, related_name="+")
    enrolled_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["establishment", "name"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_tablet_of_a_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SignInLine(models.Model):
    """A line of the sign-in log (D2): who, when, from where, and how it went."""

    class What(models.TextChoices):
        SIGNED_IN = "signed_in", _("signed in")
        WRONG_PASSWORD = "wrong_password", _("wrong name or password")
        LOCKED = "locked", _("locked out")
        UNLOCKED = "unlocked", _("unlocked")
        SIGNED_OUT = "signed_out", _("signed out")
        TOKEN_GIVEN = "token_given", _("token for a program given")
        FACTOR_PASSED = "factor_passed", _("second factor passed")
        FACTOR_REFUSED = "factor_refused", _("second factor refused")
        FACTOR_ADDED = "factor_added", _("second factor added")
        FACTOR_REMOVED = "factor_removed", _("second factor removed")
        CODES_MADE = "codes_made", _("recovery codes made")
        PIN_SET = "pin_set", _("PIN set")
        PIN_TAKEN = "pin_taken", _("took over by PIN")
        PIN_REFUSED = "pin_refused", _("wrong PIN")
        ONE_ACT = "one_act", _("answered at a table")
        PASSWORD_CHANGED = "password_changed", _("password changed")
        CUT_OFF = "cut_off", _("signed out everywhere")

    at = models.DateTimeField()
    what = models.CharField(max_length=16, choices=What.choices)
    attendant = models.ForeignKey(Attendant, on_delete=models.PROTECT, null=True, related_name="+")
    unknown = models.CharField(max_length=16, blank=True)
    """The keyed hash of a name that nobody has, so that the same name can be recognised."""
    way = models.CharField(max_length=16, blank=True)
    """The way of signing in: password, app, passkey, recovery, pin."""
    address = models.CharField(max_length=45, blank=True)
    device = models.CharField(max_length=60, blank=True)
    by = models.ForeignKey(Attendant, on_delete=models.PROTECT, null=True, related_name="+")
    """Who did it, if it was not the person."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.attendant or 'somebody'} {self.get_what_display()}, {self.at:%Y-%m-%d %H:%M}"


class SignIn(SignInLine):
    """
    A line of a house's sign-in log; each house that employs the person has its own line.

    Ids increase, so lines of the same moment are in the order in which they were written.
    """

    pk = models.CompositePrimaryKey("establishment_id", "id")
    establishment = models.ForeignKey(
        "establishments.Establishment",
        on_delete=models.PROTECT,
        related_name="sign_ins",
        db_index=False,
    )
    id = models.UUIDField(default=uuid7_in_order, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["establishment", "-at", "-id"], name="sign_ins_newest_first"),
            models.Index(fields=["establishment", "attendant", "-at"], name="sign_ins_of_somebody"),
        ]


class StraySignIn(SignInLine):
    """
    A line of no house: a person whom no house employs, or an unknown name if there are many.

    Whoever works for a chain has a line here besides those of their houses.
    """

    id = models.UUIDField(primary_key=True, default=uuid7_in_order, editable=False)
    chain = models.UUIDField(null=True)
    """The chain for which the person worked then."""

    class Meta:
        indexes = [
            models.Index(
                fields=["chain", "-at", "-id"],
                condition=Q(chain__isnull=False),
                name="sign_ins_of_a_chain",
            ),
        ]
