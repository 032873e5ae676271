from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.approvals"
    verbose_name = "Approvals"
