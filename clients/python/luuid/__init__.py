"""Locality ids, made where the application runs. They are uuid.UUID, and text is taken for one too."""
from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import threading
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from time import gmtime, strftime, time_ns
from typing import Literal, Union
from uuid import UUID, SafeUUID, getnode

AnyId = Union[UUID, str]
Time = Union[datetime, int]  # with a time zone, or microseconds since 1970
Mode = Literal["variable", "sequential"]
Version = Literal[8, 11]

_PRIME, _INVERSE = 198491317, 0xBA67519D  # each other's inverse modulo 2^32
_WORD, _MILLISECONDS = (1 << 32) - 1, (1 << 48) - 1
_LAP = 1 << 16  # in so many steps the variable counter visits each lane once: the blocks with the same first 16 bits
_RESERVED = _LAP // 4  # so many sequential blocks of a millisecond are not for lanes
_HOLD, _WINDOW = 10_000, 600_000  # milliseconds: the step back that is waited for, and what a sequential seed is for
_VARIANT, _SIGNS = 1 << 63, 0x8080808080808080  # RFC 9562's variant, and the sign bits of version 1's last bytes
_GREGORIAN, _COUNT_MAX = 0x01B21DD213814000, (1 << 60) - 1  # ticks from 1582-10-15 to 1970, and the last since 1582
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SWAPPED = bytes(byte >> 4 | (byte & 15) << 4 for byte in range(256))
_new, _set, _UNKNOWN = object.__new__, object.__setattr__, SafeUUID.unknown
_TEXT = re.compile(r"(\{)?[0-9A-Fa-f]{4}(-?[0-9A-Fa-f]{4}){7}(?(1)\})")  # what the server takes
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

def _reversed(word: int) -> int:  # its hexadecimal digits
    return int.from_bytes(word.to_bytes(4, "little").translate(_SWAPPED), "big")
def _step_of(block: int) -> int:
    return _reversed(block) * _INVERSE & _WORD
def _place(version: int, block: int, step: int) -> int:  # of a millisecond: what both counters count upward
    return version << 32 | (step & 0xFFFF) << 16 | block & 0xFFFF
def _hash(message: bytes) -> int:
    return int.from_bytes(hashlib.md5(message, usedforsecurity=False).digest()[:4], "little")
def _node_of(machine: bytes, address: int) -> int:
    return _hash(machine.ljust(40, b"\0") + address.to_bytes(6, "big")) & 0xFFFFFFF
def _seed(window: int) -> int:  # of a year after 9999 the last four digits
    return _hash(strftime("%Y%m%d%H%M", gmtime(window * _WINDOW // 1000))[-12:-1].encode())
@functools.lru_cache(maxsize=16)
def _identity(version: int, pid: int, node: int) -> int:  # all bits of an id but the block's and the time's
    if version not in (8, 11) or not 0 <= node < 1 << 28:
        raise ValueError(f"version {version}, node {node}: a version is 8 or 11, a node has 28 bits")
    low = node & 0xFFFF if version == 11 else node & 0x3FFF | 0x8000
    return pid << 80 | version << 76 | node >> 16 << 64 | low << 48

class _Generator:
    """A function of its state and the clock. Ids in order differ since each is greater than the one before, ids in lanes
    since each has a step of its own; the reserved blocks keep the two apart. All threads of a process have this one."""

    def __init__(self, step: int, pid: int, node: int) -> None:
        self._lock, self._pid, self.node = threading.Lock(), pid, node
        self._step, self._window, self._sequential, self._reading = step, 0, _seed(0), 0
        self._enter(0, 0)

    def _sequential_at(self, now: int) -> int:
        if now // _WINDOW > self._window:
            self._window, self._sequential = now // _WINDOW, _seed(now // _WINDOW)
        return self._sequential

    def _enter_present(self, now: int) -> None:
        starts_over = self._reading - now > _HOLD
        self._reading = now if starts_over else max(self._reading, now)
        if starts_over or self._reading > self._millisecond:
            self._enter(self._reading, now)

    def _enter(self, millisecond: int, now: int) -> None:
        self._millisecond, self._has_lanes, self._in_order_alone = millisecond, False, False
        self._last_place, self._first_step, self._first_sequential = 0, self._step, self._sequential_at(now)

    def next(self, mode: Mode, version: Version, node: int | None) -> int:
        identity = _identity(version, self._pid, self.node if node is None else node)
        with self._lock:
            now = time_ns() // 1_000_000
            if mode == "variable":
                self._step = step = self._step + 1
                block = _reversed(step * _PRIME & _WORD)
            elif mode == "sequential":
                block = self._sequential = self._sequential_at(now) + 1 & _WORD
                step = _step_of(block)
            else:
                raise ValueError(f'mode {mode!r}: it is "variable" or "sequential"')
            self._enter_present(now)
            return self._in_order(version, block, step, identity, now)

    def next_within(self, begin: int, end: int, version: Version, node: int | None) -> int:  # a range of blocks
        identity = _identity(version, self._pid, self.node if node is None else node)
        first = -(-begin // _LAP)
        lanes = end // _LAP - first
        with self._lock:
            now = time_ns() // 1_000_000
            self._enter_present(now)
            while True:
                self._step += 1
                if lanes <= 0:
                    block = begin + self._step % (end - begin)
                    return self._in_order(version, block, _step_of(block), identity, now)
                lane = first + (_reversed(self._step * _PRIME & _WORD) * lanes >> 32)
                step = self._step // _LAP + self._step << 16 | _step_of(lane << 16) & 0xFFFF
                block = _reversed(step * _PRIME & _WORD)
                if self._is_reserved(block, step):
                    continue
                if not self._in_order_alone and self._step - self._first_step < _LAP:
                    self._has_lanes = True
                    return block << 96 | identity | self._millisecond & _MILLISECONDS
                self._enter(self._millisecond + 1, now)

    def _in_order(self, version: int, block: int, step: int, identity: int, now: int) -> int:
        place = _place(version, block, step)
        while place <= self._last_place or self._has_lanes and not self._is_reserved(block, step):
            self._enter(self._millisecond + 1, now)
        self._last_place = place
        self._in_order_alone = self._in_order_alone or not self._is_reserved(block, step)
        return block << 96 | identity | self._millisecond & _MILLISECONDS

    def _is_reserved(self, block: int, step: int) -> bool:
        return (step ^ self._first_step) & 0xFFFF0000 == 0 or (block - self._first_sequential & _WORD) < _RESERVED

def _machine_node() -> int:  # random in a container, whose process ids and machine-id may be another's too
    with suppress(OSError, ValueError), open("/etc/machine-id", "rb") as file:
        if os.stat("/proc/self/ns/pid").st_ino == 0xEFFFFFFC:
            return _node_of(b"%032x" % int(file.read(32), 16), getnode())
    return int.from_bytes(os.urandom(4), "big") >> 4

# By process; all copies of this module in an interpreter share it, and the number is that of its form.
_generators: dict[int, _Generator] = vars(sys).setdefault("_luuid_generators_1", {})

def _own() -> _Generator:  # anew in a forked process: not whatever forks calls Python's hooks
    pid = os.getpid()
    if (own := _generators.get(pid)) is None:
        own = _generators.setdefault(pid, _Generator(int.from_bytes(os.urandom(4), "big"), pid & 0xFFFF, _machine_node()))
        for other in _generators.keys() - {pid}:  # a later process may have its id
            _generators.pop(other, None)
    return own

def _uuid(bits: int) -> UUID:  # as UUID(int=bits), without its checks, which take longer than the rest
    id: UUID = _new(UUID)
    _set(id, "int", bits)
    _set(id, "is_safe", _UNKNOWN)
    return id

if getattr(UUID, "__slots__", None) != ("int", "is_safe", "__weakref__"):  # in a later Python
    _uuid = lambda bits: UUID(int=bits)

def generate(mode: Mode = "variable", version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id, greater than every one that this function returned in this process before, unless the clock stepped
    back by more than 10 s. The node is the machine's if not given. Do not call it in a signal's handler, nor in __del__."""
    return _uuid(_own().next(mode, version, node))

def near(id: AnyId, bits: int = 16, version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id that has its first bits in common with this one, so that it is on its shard if the number of shards is a
    power of two up to 2^bits. For any number n: in_shard(shard(id, n), n)."""
    if not 0 <= bits <= 32:
        raise ValueError(f"{bits} bits: they are 0 to 32")
    begin = _bits(id) >> 128 - bits << 32 - bits
    return _uuid(_own().next_within(begin, begin + (1 << 32 - bits), version, node))

def in_shard(shard: int, shards: int, version: Version = 11, *, node: int | None = None) -> UUID:
    """A new id on this shard."""
    if not 0 <= shard < shards < 1 << 31:
        raise ValueError(f"shard {shard} of {shards}: shards are 1 to 2147483647, numbered from 0")
    begin, end = -(-(shard << 32) // shards), -(-(shard + 1 << 32) // shards)
    return _uuid(_own().next_within(begin, end, version, node))

def shard(id: AnyId, shards: int) -> int:
    """The shard of an id, from 0 to shards - 1."""
    if not 1 <= shards < 1 << 31:
        raise ValueError(f"{shards} shards: they are 1 to 2147483647")
    return (_bits(id) >> 96) * shards >> 32

def _bits(id: AnyId) -> int:
    if isinstance(id, UUID):
        return id.int
    if not _TEXT.fullmatch(id):
        raise ValueError(f"{id!r} is no UUID")
    return UUID(id).int

def _layout(bits: int) -> int:  # the version, or 0 if it tells no time
    number = bits >> 76 & 15
    return number if number in (1, 11) or number in (6, 7, 8) and bits >> 62 & 3 == 2 else 0

def version(id: AnyId) -> int:
    """11 is version b."""
    return _bits(id) >> 76 & 15

def ticks(id: AnyId) -> int | None:
    """When it was made, in 100 ns since 1970; None if its version does not tell."""
    bits, layout, high = _bits(id), _layout(_bits(id)), _bits(id) >> 64
    if layout in (7, 8, 11):
        return (high >> 16 if layout == 7 else bits & _MILLISECONDS) * 10_000
    if layout == 1:
        return ((high & 0xFFF) << 48 | (high >> 16 & 0xFFFF) << 32 | high >> 32) - _GREGORIAN
    return (high >> 16 << 12 | high & 0xFFF) - _GREGORIAN if layout else None

def timestamp(id: AnyId) -> datetime | None:
    """The same in whole microseconds. OverflowError past the year 9999, where datetime ends."""
    made = ticks(id)
    return None if made is None else _EPOCH + timedelta(microseconds=made // 10)

def counter(id: AnyId) -> int | None:
    """That of the variable mode, in versions b and 8."""
    return _reversed(_bits(id) >> 96) if _layout(_bits(id)) in (8, 11) else None

def pid(id: AnyId) -> int | None:
    """The process id modulo 65 536, in versions b and 8."""
    return _bits(id) >> 80 & 0xFFFF if _layout(_bits(id)) in (8, 11) else None

def node(id: AnyId) -> int | None:
    """28 bits of version b, 26 of version 8, 48 of versions 1 and 6."""
    bits, layout = _bits(id), _layout(_bits(id))
    if layout in (8, 11):
        return (bits >> 64 & 0xFFF) << 16 | bits >> 48 & (0xFFFF if layout == 11 else 0x3FFF)
    return bits & _MILLISECONDS if layout in (1, 6) else None

def sort_key(id: AnyId) -> tuple[int, int, int, int, int]:
    """Of the chronological order, which is the server's: for sorted() and its like."""
    bits, layout, made = _bits(id), _layout(_bits(id)), ticks(id)
    if made is None:
        return (2 if bits else 0, 0, bits >> 76 & 15, 0, bits)
    return (1, made, layout, _place(layout, bits >> 96, _step_of(bits >> 96)) if layout in (8, 11) else 0, bits ^ _SIGNS if layout == 1 else bits)

def compare(a: AnyId, b: AnyId) -> int:
    """-1, 0 or 1, as a is before b, equal or after it in that order."""
    return (sort_key(a) > sort_key(b)) - (sort_key(a) < sort_key(b))

def floor(when: Time) -> UUID:
    """id >= floor(when) if and only if timestamp(id) >= when."""
    microsecond = when if isinstance(when, int) else (when - _EPOCH) // timedelta(microseconds=1)
    count, millisecond = max(microsecond * 10 + _GREGORIAN, 0), -(-microsecond // 1000)
    if count <= _COUNT_MAX:
        return UUID(int=((count & _WORD) << 32 | (count >> 32 & 0xFFFF) << 16 | 0x1000 | count >> 48) << 64 | _SIGNS)
    return UUID(int=millisecond << 80 | 7 << 76 | _VARIANT if millisecond <= _MILLISECONDS else 1)

def ceiling(when: Time) -> UUID:
    """id <= ceiling(when) if and only if timestamp(id) <= when."""
    microsecond = when if isinstance(when, int) else (when - _EPOCH) // timedelta(microseconds=1)
    count, millisecond = min(microsecond * 10 + 9 + _GREGORIAN, _COUNT_MAX), min(microsecond // 1000, _MILLISECONDS)
    if millisecond <= (_COUNT_MAX - _GREGORIAN) // 10_000:
        return UUID(int=(count >> 12 << 16 | 0x6000 | count & 0xFFF) << 64 | _VARIANT | _VARIANT // 2 - 1 if count >= 9 else 0)
    block = _reversed(0xFFFF * _PRIME & 0xFFFF) | 0xFFFF  # the greatest in sequence
    return UUID(int=block << 96 | _identity(11, 0xFFFF, 0xFFFFFFF) | millisecond)

def to_base32(id: AnyId) -> str:
    """26 characters of Crockford's alphabet in lower case, as TypeID's suffix."""
    return "".join(_DIGITS[_bits(id) >> shift & 31] for shift in range(125, -1, -5))

def from_base32(text: str) -> UUID:
    """Of either case; hyphens are ignored, o is 0, i and l are 1."""
    digits = text.replace("-", "").lower().translate(str.maketrans("oil", "011"))
    if not text.isascii() or len(digits) != 26 or digits[0] > "7" or not set(digits) <= set(_DIGITS):
        raise ValueError(f"{text!r} is not 26 digits of base 32, of which the first is 0 to 7")
    return UUID(int=functools.reduce(lambda bits, digit: bits << 5 | _DIGITS.index(digit), digits, 0))
