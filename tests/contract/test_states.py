"""Every state with every cause: what the rows tell happens, and where they tell nothing, nothing
does.
"""

from collections import Counter

import pytest

from tests.contract.domains import MACHINES
from tests.contract.table import Machine, Move
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider

PAIRS = [
    pytest.param(machine, state, cause, id=f"{machine.name}: {state}, {cause}")
    for machine in MACHINES
    for state in machine.states
    for cause in machine.causes
]


def move_of(machine: Machine, state: str, cause: str) -> Move:
    """The row of a pair; without one, nothing changes."""
    rows = [move for move in machine.moves if (move.start, move.cause) == (state, cause)]
    assert len(rows) <= 1
    return rows[0] if rows else Move(start=state, cause=cause, end=state)


@pytest.mark.parametrize(("machine", "state", "cause"), PAIRS)
async def test_a_cause_moves_a_record_as_its_row_says(
    clean_slate: None, provider: ScriptedProvider, machine: Machine, state: str, cause: str
) -> None:
    move = move_of(machine, state, cause)
    world = await World.open(machine.env, provider)
    async with world.stays:
        id = await machine.states[state](world)
        assert await machine.state_of(world, id) == state
        before = await machine.effects_of(world, id)

        await machine.causes[cause](world, id)

        assert await machine.state_of(world, id) == move.end
        left = Counter(await machine.effects_of(world, id)) - Counter(before)
        assert sorted(left.elements()) == sorted(filter(None, move.effects.split(", ")))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_a_row_speaks_of_states_and_causes_that_there_are(machine: Machine) -> None:
    assert {move.start for move in machine.moves} <= set(machine.states)
    assert {move.cause for move in machine.moves} <= set(machine.causes)
    assert {move.cause for move in machine.moves} == set(machine.causes), (
        "a cause that moves nothing proves nothing"
    )
