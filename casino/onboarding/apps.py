from django.apps import AppConfig


class OnboardingConfig(AppConfig):
    name = "casino.onboarding"
    verbose_name = "Setting up"
