"""Compares the client with the vectors, which the C++ library made, and runs it over threads, forks and a clock that jumps."""

import ctypes
import importlib
import itertools
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import unittest
import uuid
import warnings
from array import array
from contextlib import suppress
from functools import cmp_to_key
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from random import Random
from unittest import mock
from uuid import UUID

import luuid
from luuid import _seal

VECTORS = os.environ.get("LUUID_VECTORS", Path(__file__).with_name("vectors.tsv"))
with open(VECTORS, encoding="utf-8") as file:
    LINES = [line.rstrip("\n").split("\t") for line in file]


def of(kind):
    return [line[1:] for line in LINES if line[0] == kind]


def number(text):
    return int(text) if text else None


class Vectors(unittest.TestCase):
    def test_ids(self):
        for id, *numbers, base32 in of("id"):
            read = [field(id) for field in (luuid.version, luuid.ticks, luuid.counter, luuid.pid, luuid.node)]
            self.assertEqual(read, [number(text) for text in numbers], id)
            self.assertEqual(luuid.to_base32(id), base32)
            self.assertEqual(luuid.from_base32(base32), UUID(id))
            if read[1] is None:
                self.assertIsNone(luuid.timestamp(id))
            elif read[1] < 253402300800 * 10**7:
                self.assertEqual(luuid.timestamp(id), datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=read[1] // 10))
            else:
                with self.assertRaises(OverflowError):
                    luuid.timestamp(id)

    def test_texts(self):
        self.assertGreater(len(of("text")), 80)
        for text, id in of("text"):
            if id:
                self.assertEqual(luuid.shard(text, 1 << 20), luuid.shard(UUID(id), 1 << 20), text)
                self.assertEqual(luuid.to_base32(text), luuid.to_base32(UUID(id)), text)
            else:
                self.assertRaises(ValueError, luuid.to_base32, text)

    def test_order(self):
        ids = [id for id, *_ in of("id")]
        self.assertGreater(len(ids), 150)
        for key in luuid.sort_key, cmp_to_key(luuid.compare):
            self.assertEqual(sorted(Random(1).sample(ids, len(ids)), key=key), ids)
        self.assertEqual(luuid.compare(ids[7], UUID(ids[7])), 0)

    def test_boundaries(self):
        for microsecond, floor, ceiling in of("boundary"):
            self.assertEqual((str(luuid.floor(int(microsecond))), str(luuid.ceiling(int(microsecond)))), (floor, ceiling), microsecond)
            try:
                when = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=int(microsecond))
            except OverflowError:
                continue
            self.assertEqual((str(luuid.floor(when)), str(luuid.ceiling(when))), (floor, ceiling))
        with self.assertRaises(TypeError):
            luuid.floor(datetime(2026, 1, 1))

    def test_shards(self):
        for id, shards, shard in of("shard"):
            self.assertEqual(luuid.shard(id, int(shards)), int(shard))
        for wrong in (0, 1 << 31), (1, 0), (-1, 2), (2, 2):
            self.assertRaises(ValueError, luuid.in_shard, *wrong)
        self.assertRaises(ValueError, luuid.shard, UUID(int=0), 0)

    def test_base32(self):
        for text, id in of("base32"):
            if id:
                self.assertEqual(luuid.from_base32(text), UUID(id))
            else:
                self.assertRaises(ValueError, luuid.from_base32, text)

    def test_seeds_and_nodes(self):
        for millisecond, seed in of("seed"):
            self.assertEqual(luuid._seed(int(millisecond) // 600000), int(seed))
        for machine, address, node in of("node"):
            self.assertEqual(luuid._node_of(machine.encode(), int(address)), int(node))

    def test_sequences(self):
        made = 0
        for kind, *words, id in LINES:
            if kind == "generator":
                generator = luuid._Generator(*map(int, words), int(id))
            elif kind in ("next", "near", "in_shard"):
                *place, version, now, times = words
                with mock.patch.object(luuid, "_own", return_value=generator), mock.patch.object(luuid, "time_ns", return_value=int(now) * 1_000_000):
                    for _ in range(int(times)):
                        if kind == "next":
                            last = luuid.generate(place[0], int(version))
                        elif kind == "near":
                            last = luuid.near(place[0], int(place[1]), int(version))
                        else:
                            last = luuid.in_shard(*map(int, place), int(version))
                self.assertEqual(str(last), id, [kind, *words])
                made += 1
        self.assertGreater(made, 70)

    def test_version_7(self):
        made = 0
        for kind, *words in LINES:
            if kind == "generator7":
                generator = luuid._Generator(0, 0, 0)
            elif kind in ("next7", "at7"):
                ticks, random = map(int, words[:2])
                at = ticks // 10 if kind == "at7" else None
                with mock.patch.object(luuid, "_own", return_value=generator), mock.patch.object(luuid, "time_ns", return_value=ticks * 100):
                    # A number, or the two words of a key.
                    drawn = {8: random.to_bytes(8, "big"), 16: random.to_bytes(8, "little") * 2}
                    with mock.patch.object(os, "urandom", drawn.get):
                        self.assertEqual(str(luuid.generate_v7(at)), words[2])
                made += 1
        self.assertGreater(made, 40)


def some(count):
    return [luuid.generate().int for _ in range(count)]


class Process(unittest.TestCase):
    def test_ids_increase(self):
        for mode, version in itertools.product(("variable", "sequential"), (8, 11)):
            keys = [luuid.sort_key(luuid.generate(mode, version)) for _ in range(20_000)]
            self.assertTrue(all(a < b for a, b in zip(keys, keys[1:])))

    def test_ids_increase_while_the_clock_steps_back(self):
        clock = time.time_ns()
        generator = luuid._Generator(0, 0, 0)
        with mock.patch.object(luuid, "_own", lambda: generator), mock.patch.object(luuid, "time_ns", lambda: clock):
            keys = []
            for step in 0, -9_999, 0, 5_000, -1, 4_999, 2:
                clock += step * 1_000_000
                keys += [luuid.sort_key(luuid.generate()) for _ in range(1000)]
            self.assertEqual(keys, sorted(set(keys)))

    def at(self, reading, make):
        """What `make` returns at this reading of the clock, from a new generator."""
        generator = luuid._Generator(0, 0, 0)
        with mock.patch.object(luuid, "_own", lambda: generator), mock.patch.object(luuid, "time_ns", lambda: reading):
            return make()

    MAKERS = (
        luuid.generate,
        lambda: luuid.generate("sequential"),
        lambda: luuid.generate(version=8),
        luuid.generate_v7,
        lambda: luuid.near(UUID(int=1)),
        lambda: luuid.in_shard(65536, 65537),
    )

    def test_a_clock_before_1970_is_one_at_1970(self):
        for make in self.MAKERS:
            for reading in -1, -20_000_000_000, -315_619_200 * 10**9, -(1 << 63), 0, 999_999:
                self.assertEqual(luuid.ticks(self.at(reading, make)), 0)
            self.assertEqual(luuid.ticks(self.at(1_795_219_887_043_999_999, make)), 17_952_198_870_430_000)

    def test_a_clock_that_gives_no_number_is_refused_and_stops_nothing(self):
        for make in self.MAKERS:
            for reading in None, float("nan"), 1.5, "1", mock.MagicMock():
                with self.assertRaisesRegex(TypeError, "time_ns"):
                    self.at(reading, make)
                with mock.patch.object(luuid, "time_ns", return_value=reading), self.assertRaises(TypeError):
                    make()
            self.assertLess(abs(luuid.timestamp(make()) - datetime.now(timezone.utc)), timedelta(minutes=10))

    def test_version_7_increases_whatever_the_clock_does(self):
        clock, generator = time.time_ns(), luuid._Generator(0, 0, 0)
        randoms = Random(7)
        with mock.patch.object(luuid, "_own", lambda: generator), mock.patch.object(luuid, "time_ns", lambda: clock):
            last = luuid.generate_v7()
            for n in range(20_000):
                clock += randoms.randrange(3_000_000) if n % 100 else randoms.randrange(-3_600 * 10**9, 3_600 * 10**9)
                id = luuid.generate_v7()
                self.assertTrue(last < id and luuid.compare(last, id) < 0)
                self.assertEqual((id.version, id.variant), (7, uuid.RFC_4122))
                if clock // 1_000_000 > luuid.ticks(last) // 10_000:
                    self.assertEqual(luuid.ticks(id) // 10_000, clock // 1_000_000)
                last = id

    def test_version_7_of_a_given_time(self):
        for at in 0, 1, 999, 1000, 1_795_219_887_043_210, (1 << 48) * 1000 - 1:
            ids = [luuid.generate_v7(at) for _ in range(1000)]
            self.assertEqual(ids, sorted(set(ids)))
            self.assertEqual(
                {(luuid.version(id), luuid.ticks(id), id.int >> 64 & 0xFFF) for id in ids}, {(7, at // 1000 * 10_000, at % 1000 * 4096 // 1000)}
            )

        ids = [luuid.generate_v7(n * 1_000_000) for n in range(1000)]
        tails = [str(id)[19:] for id in ids]
        self.assertEqual(len(set(tails)), 1000)
        self.assertTrue(400 < sum(a < b for a, b in zip(tails, tails[1:])) < 600)  # have no order across times

        class Pendulum(datetime):  # like pendulum's, whose differences are not timedelta
            def __sub__(self, other):
                return self

        for kind in datetime, Pendulum:
            when = kind(2026, 11, 1, 12, tzinfo=timezone(timedelta(hours=5)))
            self.assertEqual(luuid.timestamp(luuid.generate_v7(when)), when)
            self.assertEqual(luuid.timestamp(luuid.floor(when)), when)
        for wrong in -1, (1 << 48) * 1000, datetime(1969, 12, 31, tzinfo=timezone.utc):
            self.assertRaises(ValueError, luuid.generate_v7, wrong)
        for make in luuid.generate, lambda version: luuid.near(UUID(int=0), version=version), lambda version: luuid.in_shard(0, 1, version):
            self.assertRaisesRegex(ValueError, r"a version is 8 or 11, .*; generate_v7\(\) generates version 7$", make, version=7)

    def test_seals_are_those_of_uuidv47(self):
        made = 0
        with open(Path(VECTORS).with_name("sealed.tsv"), encoding="ascii") as file:
            lines = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
        for kind, key, *words in lines:
            key = bytes.fromhex(key)
            if kind == "siphash":
                self.assertEqual(_seal._sip_hash(key, bytes.fromhex(words[0])), int(words[1], 16))
            elif kind == "unseal":
                self.assertRaisesRegex(ValueError, "is not of version 4$", luuid.unseal, words[0], key)
            elif words[1]:
                self.assertEqual(str(luuid.seal(words[0], key)), words[1])
                self.assertEqual(str(luuid.unseal(UUID(words[1]), key)), words[0])
                made += 1
            else:
                self.assertRaisesRegex(ValueError, "is not of version 7$", luuid.seal, words[0], key)
        self.assertGreater(made, 30)
        for _ in range(1000):
            key, id = os.urandom(16), luuid.generate_v7()
            self.assertEqual(luuid.unseal(luuid.seal(id, key), key), id)
        for key in b"", bytes(15), bytes(17), array("Q", bytes(128)):
            self.assertRaisesRegex(ValueError, "a key has 16 bytes", luuid.seal, luuid.generate_v7(), key)

    def test_errors_say_what_is_wanted(self):
        for wrong in None, 7, b"0" * 16, ["0" * 32]:
            for read in luuid.timestamp, luuid.ticks, luuid.version, luuid.to_base32, luuid.sort_key, luuid.near:
                self.assertRaisesRegex(TypeError, r"a uuid\.UUID, or a str$", read, wrong)
            self.assertRaisesRegex(ValueError, "is not 26 digits of base 32", luuid.from_base32, wrong)
        for wrong in None, "2026-11-01", 1.5, datetime(2026, 11, 1), date(2026, 11, 1):
            for bound in luuid.floor, luuid.ceiling, lambda at: luuid.generate_v7(at or "none"):
                self.assertRaisesRegex(TypeError, "a datetime with a time zone, or an int of microseconds since 1970$", bound, wrong)

    def test_fields_are_those_of_the_process(self):
        before = datetime.now(timezone.utc) - timedelta(milliseconds=1)
        id = luuid.generate(version=8, node=0x1230567)
        self.assertEqual((luuid.version(id), luuid.pid(id), luuid.node(id)), (8, os.getpid() % 65536, 0x1230567))
        self.assertLess(before, luuid.timestamp(id))
        self.assertEqual(luuid.node(luuid.generate()), luuid._own().node)
        for wrong in {"mode": "odd"}, {"version": 4}, {"node": 1 << 28}:
            self.assertRaises(ValueError, luuid.generate, **wrong)

    def test_placed_ids_are_in_their_place(self):
        parent = luuid.generate()
        for bits in 0, 5, 16, 20, 32:
            for _ in range(100):
                self.assertEqual((luuid.near(parent, bits).int ^ parent.int) >> 128 - bits, 0)
        self.assertRaises(ValueError, luuid.near, parent, 33)
        for shards in 1, 3, 16, 100_000:
            self.assertEqual({luuid.shard(luuid.in_shard(shards // 2, shards), shards) for _ in range(100)}, {shards // 2})

    def test_numbers_of_64_bits_are_as_good_as_pythons(self):
        class Number:  # like numpy's integers, whose own operators would overflow
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        id = luuid.generate(version=Number(8), node=Number(0x5001234))
        self.assertEqual((luuid.version(id), luuid.node(id)), (8, 0x5001234))
        self.assertEqual(luuid.shard(luuid.in_shard(Number(3), Number(16)), Number(16)), 3)
        self.assertEqual(luuid.near(id, Number(32)).int >> 96, id.int >> 96)
        for bound in luuid.floor, luuid.ceiling:
            self.assertEqual(bound(Number(1_795_219_887_043_210)), bound(1_795_219_887_043_210))
        self.assertEqual(luuid.ticks(luuid.generate_v7(Number(3000))), 30_000)
        for make in lambda count: luuid.in_shard(0, count), lambda count: luuid.shard(id, count), lambda bits: luuid.near(id, bits):
            self.assertRaises(TypeError, make, 1.5)

    def test_a_python_whose_uuids_have_other_slots(self):
        with mock.patch.object(UUID, "__slots__", ("words",)):
            later = runpy.run_path(luuid.__file__)
        self.assertEqual(luuid.version(later["generate"]()), 11)
        self.assertNotIn("_set", later["_uuid"].__code__.co_names)

    def test_copies_of_the_module_differ(self):
        copy = runpy.run_path(luuid.__file__)
        for mode in "variable", "sequential":
            made = [generate(mode) for _ in range(20_000) for generate in (luuid.generate, copy["generate"])]
            self.assertEqual(len(set(made)), 40_000)

    def test_forms_that_differ_have_states_of_their_own(self):
        """Also ids of equal counters differ then: the first form that generates has the machine's node, or both have random ones."""
        for first, second in (luuid._FORM, luuid._FORM + 1), (luuid._FORM + 1, luuid._FORM):
            code = f"""if True:
                import sys, types
                sys.path[:] = {sys.path!r}
                from unittest import mock
                with open({luuid.__file__!r}) as file:
                    source = file.read()
                forms = []
                for number in {first}, {second}, {first}:
                    forms.append(types.ModuleType("form"))
                    changed = source.replace('"_luuid_generators_", {luuid._FORM}', f'"_luuid_generators_", {{number}}')
                    # Another class, whose method has another name.
                    exec(changed.replace("next(", f"next_{{number}}("), vars(forms[-1]))
                    vars(forms[-1])["time_ns"] = lambda: 1_795_219_887_043_000_000
                made = [forms[n % 3].generate("sequential") for n in range(9_000)]
                nodes = {{forms[0].node(id) for id in made}}
                assert len(set(made)) == 9_000 and len(nodes) == 2, nodes"""
            subprocess.run([sys.executable, "-c", code], check=True)

    def test_neighbors_are_on_the_shard(self):
        parent = luuid.generate()
        for bits in range(17):
            self.assertEqual({luuid.shard(luuid.near(parent), 1 << bits) for _ in range(20)}, {luuid.shard(parent, 1 << bits)})
        for shards in 3, 5, 1000, 65535:
            self.assertEqual(luuid.shard(luuid.in_shard(luuid.shard(parent, shards), shards), shards), luuid.shard(parent, shards))

    def test_interpreters_differ(self):
        for name in "_interpreters", "_xxsubinterpreters":
            with suppress(ImportError):
                importlib.import_module(name)
                break
        else:
            self.skipTest("this Python has one interpreter")
        # In a process of its own, since Python 3.13 cannot fork once it has subinterpreters.
        make = f"import sys, os; sys.path[:] = {sys.path!r}; import luuid; os.write(1, luuid.generate('sequential').bytes)"
        code = f"import {name} as interpreters; made = {make!r}; exec(made)\nfor _ in range(3): interpreters.run_string(interpreters.create(), made)"
        written = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE).stdout
        made = [UUID(bytes=written[at : at + 16]) for at in range(0, 64, 16)]
        self.assertEqual(len({luuid.pid(id) for id in made}), 1)
        self.assertEqual(len({luuid.node(id) for id in made}), 4)

    def test_threads_differ(self):
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        made = []
        threads = [threading.Thread(target=lambda: made.extend(some(5_000))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(made)), 40_000)

    def test_processes_differ(self):
        made = [some(1000)]
        for method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(4) as pool:
                made += pool.map(some, [25_000] * 4, chunksize=1)
        self.assertEqual(len({id for ids in made for id in ids}), sum(map(len, made)))

    def test_a_child_starts_over(self):
        """Forked by Python, which calls hooks, and by C, which does not; and if parent and child are process 1 of two PID namespaces."""
        for fork, getpid in (os.fork, os.getpid), (ctypes.PyDLL(None).fork, os.getpid), (os.fork, lambda: 1):
            with mock.patch("os.getpid", getpid):
                luuid.generate()
                read, write = os.pipe()
                child = fork()
                if child == 0:
                    os.write(write, luuid.generate(node=0).bytes)
                    os._exit(0)
                os.waitpid(child, 0)
                born, own = UUID(bytes=os.read(read, 16)), luuid.generate(node=0)
            self.assertEqual(luuid.pid(born), child % 65536 if getpid is os.getpid else 1)
            self.assertNotEqual(luuid.counter(born), luuid.counter(own))

    def test_a_child_starts_over_while_a_thread_generates(self):
        """The child must not wait for the lock, which a thread of the parent holds."""
        with luuid._own()._lock:
            child = ctypes.PyDLL(None).fork()
            if child == 0:
                luuid.generate()
                os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def fork_at(self, stop):
        """Forks while a thread stands at this step of its first ids. Returns how many steps there are."""
        luuid._generators.clear()
        steps, paused, resume = 0, threading.Event(), threading.Event()

        def trace(frame, event, argument):
            nonlocal steps
            steps += 1
            if steps == stop:
                paused.set()
                resume.wait()
            return trace

        def generate():
            sys.settrace(trace)
            luuid.generate(), luuid.generate_v7()
            sys.settrace(None)
            paused.set()

        thread = threading.Thread(target=generate)
        thread.start()
        paused.wait()
        child = (os.fork, ctypes.PyDLL(None).fork)[stop % 2]()
        if child == 0:
            signal.alarm(30)
            luuid.generate(), luuid.generate_v7()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0, f"step {stop}")
        resume.set()
        thread.join()
        return steps

    def test_a_child_starts_over_wherever_another_thread_is(self):
        """The child must wait for nothing that a thread of the parent holds, a lock of the generator or of an import."""
        stop = 1
        with warnings.catch_warnings(), mock.patch.object(uuid, "_node", None):
            warnings.simplefilter("ignore", DeprecationWarning)  # of fork with threads
            while self.fork_at(stop) >= stop:
                stop += 1
        self.assertGreater(stop, 50)


if __name__ == "__main__":
    unittest.main()
