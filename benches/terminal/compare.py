#!/usr/bin/env python3
"""`vyre term` beside ssh and mosh, on one machine in one run.

Each program runs on a pseudo-terminal of its own and is driven as a person drives it: keys go in, and what comes out is
looked at. So all of them carry the same cost of measuring, and a shell without any of them is the floor.

    cargo build --release --bin vyre
    sudo benches/terminal/compare.py target/release/vyre [--only echo,bulk,loss,cut] [--json]

It needs root (network namespaces and a TUN device), `ip`, `sshd`, `ssh` and `mosh`. The link of `loss` and `cut` carries
IP packets between two namespaces through this program, which delays and drops them: TCP, QUIC and the datagrams of mosh
all meet the same loss.
"""

import argparse
import fcntl
import heapq
import json
import os
import pty
import random
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

BOX, SCREEN = "10.77.1.1", "10.77.1.2"
MOVED = "10.77.1.3"
SSH_PORT, HTTP_PORT, QUIC_PORT = 2222, 8080, 4433
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Link:
    """Two namespaces and the line between them."""

    def __init__(self):
        self.loss, self.delay, self.open = 0.0, 0.0, True
        self.ends = []
        for name, space, own, peer in (("vyb", "vybox", BOX, SCREEN), ("vys", "vyscreen", SCREEN, BOX)):
            subprocess.run(["ip", "netns", "del", space], stderr=subprocess.DEVNULL, check=False)
            run("ip", "netns", "add", space)
            fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            # TUNSETIFF, IFF_TUN | IFF_NO_PI
            fcntl.ioctl(fd, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x0001 | 0x1000))
            run("ip", "link", "set", name, "netns", space)
            run("ip", "-n", space, "addr", "add", own, "peer", f"{peer}/24", "dev", name)
            run("ip", "-n", space, "link", "set", name, "up", "mtu", "1400")
            run("ip", "-n", space, "link", "set", "lo", "up")
            self.ends.append(fd)
        threading.Thread(target=self.carry, daemon=True).start()

    def carry(self):
        waiting, count = [], 0
        chance = random.Random(1)
        while True:
            wait = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 1.0
            ready, _, _ = select.select(self.ends, [], [], wait)
            for fd in ready:
                try:
                    while True:
                        packet = os.read(fd, 2048)
                        if self.open and chance.random() >= self.loss:
                            count += 1
                            other = self.ends[1 - self.ends.index(fd)]
                            heapq.heappush(waiting, (time.monotonic() + self.delay, count, other, packet))
                except BlockingIOError:
                    pass
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, fd, packet = heapq.heappop(waiting)
                try:
                    os.write(fd, packet)
                except OSError:
                    pass

    def close(self):
        for space in ("vybox", "vyscreen"):
            subprocess.run(["ip", "netns", "del", space], check=False)


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


class Person:
    """A program on a terminal of its own."""

    def __init__(self, command, env=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(env or {}, TERM="xterm-256color", LANG="C.UTF-8")
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = b""

    def read(self, wait):
        if not select.select([self.fd], [], [], wait)[0]:
            return b""
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            raise SystemExit(f"the program ended: {self.seen[-400:]!r}")
        self.seen = (self.seen + got)[-65536:]
        return got

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def until(self, text, limit=60):
        """Waits until this is shown."""
        end, text = time.monotonic() + limit, text.encode()
        tail = b""
        while text not in tail:
            if time.monotonic() > end:
                raise SystemExit(f"{text!r} never came: {tail[-400:]!r}")
            tail = (tail + self.read(0.05))[-65536:]
        return tail

    def quiet(self, for_=0.3):
        while self.read(for_):
            pass

    def ready(self):
        """A plain shell with a prompt."""
        time.sleep(0.5)
        self.press("exec env -i PATH=$PATH TERM=$TERM LANG=C.UTF-8 PS1='% ' bash --norc --noprofile -i\r")
        time.sleep(0.3)
        self.press("echo rea''dy\r")
        self.until("ready")
        self.quiet()
        return self

    def echo(self, keys, pause):
        """Milliseconds from each key to its letter on the screen, into a program that shows what is typed."""
        self.press("cat > /dev/null\r")
        self.quiet()
        took = []
        for n in range(keys):
            letter = LETTERS[n % 26]
            self.read(0)
            began = time.perf_counter()
            self.press(letter)
            got = b""
            while letter.encode() not in got:
                got += self.read(5)
                if time.perf_counter() - began > 30:
                    raise SystemExit(f"{letter} never came")
            took.append((time.perf_counter() - began) * 1000)
            time.sleep(pause * (0.5 + random.random()))
            if n % 40 == 39:
                self.press("\r")
                self.quiet(0.2)
        self.press("\x03")
        self.quiet()
        return took

    def bulk(self):
        """Megabytes a second of a long list."""
        self.quiet()
        began = time.perf_counter()
        self.press("seq 1 2000000; echo do''ne\r")
        total, tail = 0, b""
        while b"done" not in tail:
            got = self.read(30)
            total += len(got)
            tail = (tail + got)[-64:]
        return total / (time.perf_counter() - began) / 1e6

    def end(self):
        try:
            # A terminal of a box goes on where only its screen goes.
            os.write(self.fd, b"\x03exit\r")
            until = time.monotonic() + 1
            while time.monotonic() < until:
                if select.select([self.fd], [], [], 0.1)[0]:
                    os.read(self.fd, 1 << 16)
        except OSError:
            pass
        os.close(self.fd)
        try:
            os.kill(self.pid, signal.SIGHUP)
            for _ in range(30):
                if os.waitpid(self.pid, os.WNOHANG) != (0, 0):
                    return
                time.sleep(0.1)
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


class Peers:
    """A box, an sshd, and how each of the programs is called."""

    def __init__(self, vyre, folder, space):
        self.folder, self.vyre, self.into = folder, vyre, ["ip", "netns", "exec", space] if space else []
        self.host = BOX if space else "127.0.0.1"
        key, host_key = f"{folder}/key", f"{folder}/host"
        for path in (key, host_key):
            if not os.path.exists(path):
                run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
        shutil.copy(f"{key}.pub", f"{folder}/authorized")
        os.makedirs("/run/sshd", exist_ok=True)
        options = {"Port": SSH_PORT, "HostKey": host_key, "AuthorizedKeysFile": f"{folder}/authorized", "StrictModes": "no",
                   "PidFile": "none", "UsePAM": "no", "PermitRootLogin": "yes"}
        flags = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        enter = ["ip", "netns", "exec", "vybox"] if space else []
        self.sshd = subprocess.Popen([*enter, "/usr/sbin/sshd", "-D", "-f", "/dev/null", *flags], stderr=subprocess.DEVNULL)
        data = f"{folder}/data-{space or 'here'}"
        settings = f"{folder}/vyre.toml"
        with open(settings, "w", encoding="utf-8") as file:
            file.write("[terminals]\nshell = '/bin/bash'\n" + f"env = {{ HOME = '{folder}' }}\n")
        self.box = subprocess.Popen([*enter, vyre, "serve", "--json", "--config", settings, "--data", data, "--plain-lan",
                                     "--http", f"{self.host}:{HTTP_PORT}", "--quic", f"{self.host}:{QUIC_PORT}"],
                                    stdout=subprocess.PIPE, text=True)
        box_id = json.loads(self.box.stdout.readline())["box"]
        self.token = run(vyre, "token", "--data", data, "--person", "robin").strip()
        self.urls = {"ws": f"http://{self.host}:{HTTP_PORT}", "quic": f"quic://{box_id}@{self.host}:{QUIC_PORT}"}
        env = {**os.environ, "VYRE_TOKEN": self.token}
        self.session = run(*enter, vyre, "sessions", "create", "bench", "--url", self.urls["ws"], env=env).split()[-1]

    def command(self, name):
        key, known = f"{self.folder}/key", ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
        if name == "shell":
            return ["bash", "--norc"]
        if name == "ssh":
            return [*self.into, "ssh", "-p", str(SSH_PORT), "-i", key, *known, f"root@{self.host}"]
        if name.startswith("mosh"):
            predict = "never" if name == "mosh" else "adaptive"
            ssh = " ".join(["ssh", "-p", str(SSH_PORT), "-i", key, *known])
            return [*self.into, "mosh", f"--predict={predict}", f"--ssh={ssh}", f"root@{self.host}"]
        return [*self.into, self.vyre, "term", self.session, "--new", "--url", self.urls[name.removeprefix("vyre ")]]

    def person(self, name):
        return Person(self.command(name), {"VYRE_TOKEN": self.token}).ready()

    def close(self):
        for process in (self.box, self.sshd):
            process.terminate()
            process.wait(20)


def of(took):
    took = sorted(took)
    at = lambda q: took[min(len(took) - 1, int(len(took) * q))]
    return {"p50 ms": round(at(0.5), 2), "p95 ms": round(at(0.95), 2), "keys": len(took)}


def echo(peers, names, keys, pause):
    """In turns, so that a machine that is busy for a moment is busy for all."""
    took = {name: [] for name in names}
    for _ in range(4):
        for name in names:
            person = peers.person(name)
            took[name] += person.echo(keys // 4, pause)
            person.end()
    return {name: of(all_) for name, all_ in took.items()}


def bulk(peers, names):
    speed = {name: [] for name in names}
    for _ in range(3):
        for name in names:
            person = peers.person(name)
            speed[name].append(person.bulk())
            person.end()
    return {name: {"MB/s": round(statistics.median(all_), 1)} for name, all_ in speed.items()}


def cut(peers, link, name, how):
    """Seconds from the end of a break of 5 s to the first byte that was printed after it."""
    person = peers.person(name)
    person.press("while :; do echo $EPOCHREALTIME; sleep 0.05; done\r")
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        person.read(0.1)
    link.open = False
    if how == "moved":
        move(SCREEN, MOVED)
    time.sleep(5)
    person.quiet(0.01)
    link.open = True
    began = time.time()
    while True:
        if time.time() - began > 60:
            took = None
            break
        got = person.read(0.2)
        stamps = [float(word) for word in got.split() if word.count(b".") == 1 and word.replace(b".", b"").isdigit() and len(word) > 14]
        if any(stamp > began - 5 for stamp in stamps):
            took = round(time.time() - began, 2)
            break
        if not got and not alive(person.pid):
            took = None
            break
    person.end()
    if how == "moved":
        move(MOVED, SCREEN)
    return took


def alive(pid):
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


def move(old, new):
    """The screen changes its network: what it had as an address is gone."""
    run("ip", "-n", "vyscreen", "addr", "del", f"{old}/32", "dev", "vys")
    run("ip", "-n", "vyscreen", "addr", "add", new, "peer", f"{BOX}/24", "dev", "vys")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("vyre")
    args.add_argument("--only", default="echo,bulk,loss,cut")
    args.add_argument("--keys", type=int, default=400)
    args.add_argument("--json", action="store_true")
    args = args.parse_args()
    vyre, only, found = os.path.abspath(args.vyre), args.only.split(","), {}

    def say(title, rows):
        found[title] = rows
        if not args.json:
            print(f"\n{title}")
            for name, row in rows.items():
                print(f"  {name:14}" + "  ".join(f"{k} {v}" for k, v in row.items()))
            sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        if "echo" in only or "bulk" in only:
            peers = Peers(vyre, folder, None)
            try:
                if "echo" in only:
                    say("echo of a key, localhost", echo(peers, ["shell", "ssh", "vyre ws", "vyre quic"], args.keys, 0.02))
                if "bulk" in only:
                    say("seq 1 2000000, localhost", bulk(peers, ["shell", "ssh", "vyre ws", "vyre quic"]))
            finally:
                peers.close()
        if "loss" in only or "cut" in only:
            link = Link()
            peers = Peers(vyre, folder, "vyscreen")
            try:
                if "loss" in only:
                    for loss in (0.01, 0.05):
                        link.delay = 0.025
                        names = ["ssh", "mosh", "vyre quic", "vyre ws"]
                        link.loss = loss
                        title = f"echo of a key, 50 ms there and back, {loss:.0%} of the packets lost each way"
                        say(title, echo(peers, names, args.keys, 0.1))
                        link.loss = 0
                if "cut" in only:
                    link.delay, link.loss = 0.025, 0
                    for how, title in (("dark", "5 s without a network"), ("moved", "5 s without a network, and then another address")):
                        rows = {}
                        for name in ["ssh", "mosh", "vyre quic", "vyre ws"]:
                            times = [cut(peers, link, name, how) for _ in range(3)]
                            times = [t for t in times if t is not None]
                            rows[name] = {"s": statistics.median(times) if times else "never"}
                        say(f"first byte after {title}", rows)
            finally:
                peers.close()
                link.close()
    if args.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
