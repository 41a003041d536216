"""Seals ids of version 7 as UUIDv47 does: XORs the time with SipHash-2-4 of the other bits under a key of 16 bytes, and makes the
version 4. Whoever has the key can unseal them."""

from __future__ import annotations

from uuid import UUID

from luuid._reading import _MILLISECONDS, AnyId, _bits

_ALL = (1 << 64) - 1


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _ALL


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, c = a + b & _ALL, c + d & _ALL
    b, d = _rotated(b, 13) ^ a, _rotated(d, 16) ^ c
    a, c = _rotated(a, 32) + d & _ALL, c + b & _ALL
    return a, _rotated(b, 17) ^ c, _rotated(c, 32), _rotated(d, 21) ^ a


def _sip_hash(key: bytes, message: bytes) -> int:
    low, high = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    a, b, c, d = low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 0xFF])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        a, b, c, d = _round(*_round(a, b, c, d ^ word))
        a ^= word
    c ^= 0xFF
    for _ in range(4):
        a, b, c, d = _round(a, b, c, d)
    return a ^ b ^ c ^ d


def _turned(id: AnyId, key: bytes, before: int, after: int) -> UUID:
    bits, key = _bits(id), bytes(memoryview(key))
    if len(key) != 16:
        raise ValueError(f"a key has 16 bytes, not {len(key)}")
    if bits >> 76 & 15 != before or bits >> 62 & 3 != 2:
        raise ValueError(f"{id} is not of version {before}")
    rest = (bits >> 64 & 0xFFF) << 64 | bits & _ALL >> 2
    mask = _sip_hash(key, rest.to_bytes(10, "big")) & _MILLISECONDS
    return UUID(int=bits ^ mask << 80 ^ (before ^ after) << 76)


def seal(id: AnyId, key: bytes) -> UUID:
    """The UUID of version 4 that stands for an id of version 7, and hides its time. ValueError for other ids or keys."""
    return _turned(id, key, 7, 4)


def unseal(id: AnyId, key: bytes) -> UUID:
    """The id of version 7 that was sealed. With a wrong key it has a random time. ValueError for other versions than 4."""
    return _turned(id, key, 4, 7)
