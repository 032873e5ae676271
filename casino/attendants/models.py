"""Staff: named people, and the role each has at each house (control D1)."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone


class Attendant(AbstractUser):
    """Somebody who signs in. What they may do is said by their employments, house by house."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        verbose_name = "attendant"

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Role(models.TextChoices):
    ATTENDANT = "attendant", "Floor attendant"
    SUPERVISOR = "supervisor", "Supervisor"
    MANAGER = "manager", "Manager"
    AUDITOR = "auditor", "Auditor"


class Employment(models.Model):
    """One person's role at one house, from a moment until they leave; the record stays."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    establishment = models.ForeignKey(
        "establishments.Establishment", on_delete=models.PROTECT, related_name="employments"
    )
    attendant = models.ForeignKey(Attendant, on_delete=models.PROTECT, related_name="employments")
    role = models.CharField(max_length=16, choices=Role.choices)
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)

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
        ]

    def __str__(self) -> str:
        return f"{self.attendant}, {self.get_role_display()} at {self.establishment}"
