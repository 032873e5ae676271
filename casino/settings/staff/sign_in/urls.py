"""The addresses of signing in."""

from casino.kit.web import addresses

at = addresses.within("casino.settings.staff.sign_in")

pages = [
    at("sign-in/", "pages.SignIn", name="sign-in"),
    at("sign-in/second/", "pages.second_factor", name="second-factor"),
    at("sign-in/password/", "first_password.first_password", name="first-password"),
    at("sign-in/language/", "pages.language", name="language"),
    at("sign-out/", "pages.SignOut", name="sign-out"),
    at("invitation/", "first_password.accept_invitation", name="invitation"),
    at("me/", "me.me", name="me"),
    at("me/second-factor/", "me.me_factors", name="me-factors"),
    at("me/second-factor/app/", "me.me_app", name="me-app"),
    at("me/second-factor/passkey/", "me.me_passkey", name="me-passkey"),
    at("me/second-factor/<uuid:factor>/remove/", "me.me_remove", name="me-remove"),
    at("me/recovery-codes/", "me.me_codes", name="me-codes"),
    at("me/pin/", "me.me_pin", name="me-pin"),
    at("me/password/", "me.me_password", name="me-password"),
    at("me/everywhere/", "me.me_everywhere", name="me-everywhere"),
]

api = [
    at("", "api.Tokens", name="tokens"),
    at("current/", "api.CurrentToken", name="current-token"),
]
