"""RFC 6962's tree: public vectors, and every tree, leaf and older tree up to a size."""

from functools import cache
from hashlib import sha256

import pytest

from ledger import tiles, verify
from ledger.verify import Range, Untrue

# The eight leaves and roots of the test vectors of Certificate Transparency's own repository
# (merkle_tree_test, "reference_merkle_tree"): published, and in every implementation since.
VECTORS = [
    bytes.fromhex(each)
    for each in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
ROOTS = [
    EMPTY,
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = [  # leaf (from 0), size, proof
    (0, 1, []),
    (0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (5, 8, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip
CONSISTENCY = [  # older size, size, proof
    (1, 1, []),
    (1, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 5, ["5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip
SIZE = 70


def vector(lo: int, hi: int) -> bytes:
    return by_definition(tuple(VECTORS[lo:hi]))


@cache
def by_definition(leaves: tuple[bytes, ...]) -> bytes:
    """MTH of RFC 6962, 2.1, as it is written there."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    sides = by_definition(leaves[:split]), by_definition(leaves[split:])
    return sha256(b"\x01" + sides[0] + sides[1]).digest()


LEAVES = tuple(bytes([number]) for number in range(SIZE))


def hash_of(lo: int, hi: int) -> bytes:
    width = hi - lo
    assert width & (width - 1) == 0, "asked for full subtrees only"
    assert lo % width == 0, "which begin where such a subtree begins"
    return by_definition(LEAVES[lo:hi])


@pytest.mark.parametrize("size", range(len(ROOTS)))
def test_roots_are_those_of_the_public_vectors(size: int) -> None:
    grown = Range()
    grown.extend([verify.leaf_hash(leaf) for leaf in VECTORS[:size]])

    assert grown.root().hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size", "proof"), INCLUSION)
def test_inclusion_proofs_are_those_of_the_public_vectors(
    index: int, size: int, proof: list[str]
) -> None:
    assert [step.hex() for step in tiles.inclusion(index, size, vector)] == proof


@pytest.mark.parametrize(("old", "size", "proof"), CONSISTENCY)
def test_consistency_proofs_are_those_of_the_public_vectors(
    old: int, size: int, proof: list[str]
) -> None:
    assert [step.hex() for step in tiles.consistency(old, size, vector)] == proof


def test_a_range_that_grows_has_the_root_by_definition_at_every_size() -> None:
    grown = Range()
    for size, leaf in enumerate(LEAVES):
        assert grown.root() == by_definition(LEAVES[:size])
        grown.push(verify.leaf_hash(leaf))


def test_every_leaf_of_every_tree_is_proven_and_no_other_is() -> None:
    for size in range(1, SIZE):
        root = by_definition(LEAVES[:size])
        for index in range(size):
            proof = tiles.inclusion(index, size, hash_of)
            leaf = verify.leaf_hash(LEAVES[index])
            verify.check_inclusion(leaf=leaf, index=index, size=size, proof=proof, root=root)
            for wrong in (
                {"index": (index + 1) % size} if size > 1 else {"index": 1},
                {"leaf": verify.leaf_hash(b"another")},
                {"proof": [*proof, root]},
                {"root": verify.leaf_hash(b"another")},
            ):
                fields = {"leaf": leaf, "index": index, "size": size, "proof": proof, "root": root}
                with pytest.raises(Untrue):
                    verify.check_inclusion(**{**fields, **wrong})  # type: ignore[arg-type]


def test_every_tree_is_shown_to_continue_every_older_one() -> None:
    for size in range(SIZE):
        root = by_definition(LEAVES[:size])
        for old in range(size + 1):
            old_root = by_definition(LEAVES[:old])
            proof = tiles.consistency(old, size, hash_of)
            verify.check_consistency(
                old_size=old, old_root=old_root, size=size, root=root, proof=proof
            )
            for wrong in ([*proof, root], proof[:-1] or [root]):
                with pytest.raises(Untrue):
                    verify.check_consistency(
                        old_size=old, old_root=old_root, size=size, root=root, proof=wrong
                    )


def test_a_tree_that_was_changed_does_not_continue_the_older_one() -> None:
    other = (b"another", *LEAVES[1:])
    for old, size in ((1, 2), (3, 7), (8, 9), (33, 64)):
        proof = tiles.consistency(old, size, hash_of)
        with pytest.raises(Untrue):
            verify.check_consistency(
                old_size=old, old_root=by_definition(other[:old]),
                size=size, root=by_definition(LEAVES[:size]), proof=proof,
            )  # fmt: skip


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_no_proof_is_made_of_a_leaf_that_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match=f"has no leaf {index}"):
        tiles.inclusion(index, size, hash_of)
