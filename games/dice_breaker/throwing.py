"""A throw in dice breaker: which dice may be thrown, hit and caught (DB2, DB3, DB8 to DB10)."""

from dataclasses import replace

from games.dice_breaker.arena import LATENT, TRUMP, Round, exists, faces, in_arena, land, may_hit
from games.dice_breaker.hands import SIDES, hand_of
from games.dice_breaker.messages import DieThrown, Place, Throw
from games.kinds import shorten
from games.refusals import (
    NoSuchFace,
    NotInThisGame,
    NotNow,
    NotPlaying,
    NotYourTurn,
    Refused,
    UnknownPlayer,
)


class NoSuchDie(Refused):
    code = "no_such_die"


class AlreadyThrown(Refused):
    code = "already_thrown"


class DieOut(Refused):
    code = "die_out"


class NotYourDie(Refused):
    code = "not_your_die"


class TrumpFirst(Refused):
    code = "trump_first"


class NotInTheArena(Refused):
    code = "not_in_the_arena"


class DieNamedTwice(Refused):
    code = "die_named_twice"


class NothingSpins(Refused):
    code = "nothing_spins"


def throw_die(command: Throw, this: Round) -> DieThrown:
    """:raises Refused: if the player may not throw the die now, or it could not fall so."""
    latent = command.die in this.corner
    if latent:
        may_use_latent(command, this)
    else:
        may_throw(command, this)
    consequences(command, this)
    event = fallen(command, this)
    after = land(this, event)
    if command.spinning and not latent and not after.moving:
        raise NothingSpins("spinning: no die that this throw set in motion is in the arena. DB10")
    return replace(event, hand=hand_of(faces(after, command.player)).name)


def may_throw(command: Throw, this: Round) -> None:
    """Check that it is the player's turn, and that the die is in their hand (DB3, DB9)."""
    player, die = command.player, command.die
    if this.turn is None:
        raise NotNow(
            f"throw: the die of {this.thrower} spins; stand once it has come to rest. DB10"
        )
    if player != this.turn:
        raise NotYourTurn(f"{this.turn} throws, not {player}. DB3")
    if die not in this.hands[player]:
        raise not_in_hand(player, die, this)
    if this.battle and not this.begun and die != TRUMP:
        raise TrumpFirst(f"die is {shorten(die)}: the trump is thrown before anything else. DB9")
    if command.spinning and not this.battle:
        raise NotInThisGame("spinning: only a battle has latent dice to use it for. DB10")


def not_in_hand(player: str, die: str, this: Round) -> Refused:
    if not exists(this, die):
        return no_such_die("die", die, this)
    if in_arena(this, die):
        return AlreadyThrown(f"die: {die} lies in the arena already. DB2")
    if die in this.lying:
        return DieOut(f"die: {die} is out of the arena until the round ends. DB8")
    return NotYourDie(f"die: {die} is not {player}'s to throw. DB1, DB8")


def no_such_die(field: str, die: str, this: Round) -> NoSuchDie:
    if not this.battle and (die == TRUMP or die in LATENT):
        return NoSuchDie(f"{field}: quick play has no {die}. DB3, DB9, DB10")
    return NoSuchDie(f"{field} is {shorten(die)}: there is no such die in this round. DB1")


def may_use_latent(command: Throw, this: Round) -> None:
    """
    Check that a latent die may be thrown (DB10): by anybody of the round, out of turn, while a die
    spins.
    """
    if command.player not in this.hands:
        raise NotPlaying(f"player: {command.player} does not play in this round. DB6")
    if not (command.spinning or this.spinning):
        raise NothingSpins(
            f"die: {command.die} may be thrown only while a die spins: spinning. DB10"
        )
    if not this.moving:
        raise NothingSpins(f"die: {command.die} has no die to be thrown at: none moves. DB10")


def consequences(command: Throw, this: Round) -> None:
    """
    Check the dice that were hit (DB2, DB3, DB8): each lies in the arena, is hit once, and may be
    hit by the player.
    """
    seen: set[str] = set()
    for field, die in dice_of_command(command):
        if die in seen:
            raise DieNamedTwice(f"{field} is {shorten(die)}: it came to rest in one place. DB2")
        seen.add(die)
        if die != command.die or field.startswith("breaks"):
            may_be_hit(field, die, command, this)
    for place, broken in enumerate(command.breaks):
        face(broken.value, f"breaks[{place}].value", "DB2")
    for place, each in enumerate(command.caught):
        may_catch(f"caught[{place}].by", each.by, this)


def dice_of_command(command: Throw) -> list[tuple[str, str]]:
    return [
        *((f"breaks[{place}].die", each.die) for place, each in enumerate(command.breaks)),
        *((f"out[{place}]", each) for place, each in enumerate(command.out)),
        *((f"caught[{place}].die", each.die) for place, each in enumerate(command.caught)),
    ]


def may_be_hit(field: str, die: str, command: Throw, this: Round) -> None:
    if not exists(this, die):
        raise no_such_die(field, die, this)
    if die == command.die or not in_arena(this, die):
        raise NotInTheArena(f"{field}: {die} does not lie in the arena. DB2")
    if not may_hit(this, command.player, die):
        raise NotYourDie(f"{field}: in quick play {command.player} breaks no {die}. DB3")


def may_catch(field: str, player: str, this: Round) -> None:
    if player not in this.hands:
        raise UnknownPlayer(f"{field}: {shorten(player)} does not play in this round. DB8")


def fallen(command: Throw, this: Round) -> DieThrown:
    """Where the thrown die and the dice that it hit have come to rest."""
    place = place_of(command, this)
    left = any(command.die in dice for dice in (command.out, [each.die for each in command.caught]))
    return DieThrown(
        player=command.player,
        die=command.die,
        value=None if left else face(command.value, "value", "DB2"),
        lies=place,
        hand="nothing",
        breaks=command.breaks,
        out=command.out,
        caught=command.caught,
        spinning=command.spinning,
    )


def place_of(command: Throw, this: Round) -> Place:
    """
    Where the thrown die is (DB8, DB10): a latent die stays if it hit one that moved, else it is
    back at its corner.
    """
    out, caught = set(command.out), {each.die for each in command.caught}
    if command.die in this.corner:
        hit = {each.die for each in command.breaks} | out | caught
        stays = command.die not in out | caught and not hit.isdisjoint(this.moving)
        return "arena" if stays else "corner"
    if command.die in out:
        return "out"
    return "caught" if command.die in caught else "arena"


def face(value: int | None, field: str, rule: str) -> int:
    if value is None or not 1 <= value <= SIDES:
        raise NoSuchFace(f"{field}: a die shows 1 to {SIDES}, not {str(value)[:20]}. {rule}")
    return value
