"""
Refusals of what the rules do not allow, and the error for what is not a command at all.

A refusal is an answer: its class carries a stable code, its text names what was wrong and where.
"""

from typing import ClassVar


class Refused(Exception):  # noqa: N818 - the word at the table; a refusal is an answer, no error
    code: ClassVar[str] = "refused"


class Malformed(Exception):  # noqa: N818 - it names the state of the line, like Refused
    """The error for what is no command of the vocabulary: its shape is wrong in any game."""

    def __init__(self, sentence: str, *, field: str | None = None, line: int | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.line = line


class NoGame(Refused):
    code = "no_game"


class UnknownGame(Refused):
    code = "unknown_game"


class AlreadyOpen(Refused):
    code = "already_open"


class GameOver(Refused):
    code = "game_over"


class NotNow(Refused):
    code = "not_now"


class NotInThisGame(Refused):
    code = "not_in_this_game"


class NotYourTurn(Refused):
    code = "not_your_turn"


class RoundRunning(Refused):
    code = "round_running"


class UnknownPlayer(Refused):
    code = "unknown_player"


class NotPlaying(Refused):
    code = "not_playing"


class StillPlaying(Refused):
    code = "still_playing"


class NoSuchFace(Refused):
    code = "no_such_face"


class WrongNumberOfDice(Refused):
    code = "wrong_number_of_dice"


class UnknownReason(Refused):
    code = "unknown_reason"


class UnknownOption(Refused):
    code = "unknown_option"


class OptionValue(Refused):
    code = "option_value"


class NotWhole(Refused):
    code = "not_whole"


class NotWholeUnits(Refused):
    code = "not_whole_units"


class NegativeAmount(Refused):
    code = "negative_amount"


class ZeroAmount(Refused):
    code = "zero_amount"


class TooLarge(Refused):
    code = "too_large"


class EmptyName(Refused):
    code = "empty_name"


class BadName(Refused):
    code = "bad_name"


class ReservedName(Refused):
    code = "reserved_name"


class DoubleName(Refused):
    code = "double_name"


class BadText(Refused):
    code = "bad_text"


class BadTime(Refused):
    code = "bad_time"


class BadPayout(Refused):
    code = "bad_payout"


class BadCommandId(Refused):
    code = "bad_command_id"


class CommandReused(Refused):
    code = "command_reused"


class NoBuyingIn(Refused):
    code = "no_buying_in"


class NotSettledYet(Refused):
    code = "not_settled_yet"


class MoreThanStake(Refused):
    code = "more_than_stake"
