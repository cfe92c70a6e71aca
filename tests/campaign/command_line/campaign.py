#!/usr/bin/env python3
"""Random calls of the program, under limits and signals that a user's machine knows: campaign.py DALEMBERT

A call may fail, but only in its ways: exit status 0 to 3 (or the signal that was sent), a printable message, files whole or
absent, nothing written where the status is 1, no temporary file left, and an end in time. The seed of a call that breaks a rule
is printed; --seed SEED --count 1 makes it again.
"""

import argparse
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from random_call import random_call
from whole_file import check_whole

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "..")
PATIENCE = 20  # seconds until a call is asked to end; as many again until it is a failure
STATUSES = {0, 1, 2, 3}
OLD = "this was here before\n"


def broken_model(dice):
    """A shipped model with some bytes changed, dropped or doubled."""
    folder = os.path.join(SOURCE, "models")
    with open(os.path.join(folder, dice.choice(["pendulum.toml", "slider_crank.toml", "ellipse.toml"])), "rb") as file:
        text = bytearray(file.read())
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(text))
        way = dice.randrange(3)
        if way == 0:
            text[at] = dice.choice(b"()[]{}\"'=\n\x1b\xff^*/.,0 x")
        elif way == 1:
            del text[at:at + dice.randrange(1, 20)]
        else:
            text[at:at] = text[at:at + dice.randrange(1, 20)]
    return bytes(text)


def fill(folder, dice):
    """What the call finds: models, links, old results, a folder."""
    def write(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    os.mkdir(os.path.join(folder, "deep"))
    write("broken.toml", broken_model(dice))
    write("empty.toml", b"")
    with open(os.path.join(SOURCE, "tests", "data", "urdf", "arm6.urdf"), "rb") as file:
        write("arm.urdf", file.read())
    for suffix in ("", ".csv", ".json", ".npz", ".h5", ".svg", ".png", ".html", ".toml"):
        write("old" + suffix, OLD.encode())
        os.symlink("deep/linked" + suffix, os.path.join(folder, "link" + suffix))


def contents(folder):
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder)] = file.read()
    return files


class Circumstances:
    """Limits, streams and a signal, mostly none."""

    def __init__(self, dice, sanitized):
        self.limit = None
        self.signal = None
        if dice.random() < 0.15:
            kinds = [(resource.RLIMIT_FSIZE, dice.choice([0, 100, 5000, 100_000])),
                     (resource.RLIMIT_STACK, dice.choice([128, 512]) * 1024)]
            if not sanitized:  # which reserves terabytes of addresses
                kinds.append((resource.RLIMIT_AS, dice.choice([40, 80, 160, 320]) * 1024 * 1024))
            self.limit = dice.choice(kinds)
        elif dice.random() < 0.1:
            self.signal = (dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]), dice.random() * 0.2)
        self.closed = dice.random() < 0.03

    def prepare(self):
        """In the new process."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.limit:
            resource.setrlimit(self.limit[0], (self.limit[1], self.limit[1]))
        if self.closed:
            os.close(1)

    def __str__(self):
        names = {resource.RLIMIT_FSIZE: "file size", resource.RLIMIT_STACK: "stack", resource.RLIMIT_AS: "memory"}
        parts = [f"{names[self.limit[0]]} <= {self.limit[1]}"] if self.limit else []
        parts += [f"{self.signal[0].name} after {self.signal[1]:.3f} s"] if self.signal else []
        parts += ["closed standard output"] if self.closed else []
        return ", ".join(parts) or "no limits"


class Ended:
    def __init__(self, program, call, circumstances, folder):
        process = subprocess.Popen([program, *call.arguments], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=circumstances.prepare)
        self.sent = None
        self.in_time = True
        try:
            if circumstances.signal:
                self.read(process, circumstances.signal[1], circumstances.signal[0])
            self.read(process, PATIENCE, signal.SIGTERM)
            self.read(process, PATIENCE, signal.SIGKILL)
            self.in_time = False
            process.communicate()
        except StopIteration:
            pass
        self.status = process.returncode

    def read(self, process, seconds, then):
        try:
            self.output, self.messages = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.sent = then
            process.send_signal(then)
            return
        raise StopIteration


def check_messages(ended):
    text = ended.messages.decode("utf-8")  # raises where it is no UTF-8
    assert all(c >= " " or c == "\n" for c in text), f"control characters in {text!r}"
    assert "Sanitizer" not in text and "runtime error" not in text, text
    assert ended.status == 0 or text.strip() or ended.output.startswith(b"{"), "no message"  # or a summary as JSON


def check_files(ended, call, before, after):
    assert not [name for name in after if name.endswith(".tmp")], f"left: {sorted(after)}"
    changed = {name for name in after if before.get(name) != after[name]}
    assert set(before) <= set(after), "a file is gone"
    assert not changed or ended.status != 1, f"status 1 wrote {sorted(changed)}"
    assert not changed & {"broken.toml", "empty.toml", "arm.urdf"}, "the model was overwritten"
    if ended.status == 0:
        for file in call.files:
            place = file.replace("link", "deep/linked")
            assert place in changed, f"{file} is not written"
    return changed


def check(ended, call, folder, before):
    assert ended.in_time, "it does not end"
    allowed = STATUSES | ({-ended.sent} if ended.sent else set())
    assert ended.status in allowed, f"status {ended.status}"
    if ended.status >= 0 or ended.sent is None:
        check_messages(ended)
    after = contents(folder)
    for name in check_files(ended, call, before, after):
        try:
            check_whole(os.path.join(folder, name))
        except Exception as problem:
            raise AssertionError(f"{name}: {problem}") from problem
    for link in os.listdir(folder):
        assert not link.startswith("link") or os.path.islink(os.path.join(folder, link)), f"{link} is no link any more"


def trial(program, seed):
    """Says what is wrong, or nothing."""
    dice = random.Random(seed)
    call = random_call(dice)
    circumstances = Circumstances(dice, sanitized="asan" in program)
    with tempfile.TemporaryDirectory(prefix="dalembert_campaign_") as folder:
        fill(folder, dice)
        before = contents(folder)
        ended = Ended(program, call, circumstances, folder)
        try:
            check(ended, call, folder, before)
        except (AssertionError, UnicodeDecodeError) as problem:
            return (f"seed {seed}: {problem}\n  dalembert {shlex.join(call.arguments)}\n  {circumstances}, status {ended.status}\n"
                    f"  {ended.messages[-500:]!r}")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=None, help="of the first call; by default a new one")
    parser.add_argument("--count", type=int, default=10**9, help="of calls")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which no call begins")
    chosen = parser.parse_args()
    first = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**9)
    begin = time.monotonic()
    done, failures = 0, []
    while done < chosen.count and time.monotonic() - begin < chosen.seconds:
        failure = trial(os.path.abspath(chosen.program), first + done)
        done += 1
        if failure:
            failures.append(failure)
            print(failure, flush=True)
    print(f"{done} calls from seed {first}, {len(failures)} broke a rule, {time.monotonic() - begin:.0f} s")
    return 1 if failures or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
