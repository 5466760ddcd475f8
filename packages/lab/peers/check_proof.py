"""Checks a proof of a bound, with nothing but the instance and docs/reference/proofs.md.

    python3 check_proof.py INSTANCE PROOF      prints the verdict; exit code 0 if it is proven
    python3 check_proof.py --json < CASES      one case a line: {"jobs": [[[machine, duration], ...], ...], "machines": 5, "proof": "..."};
                                               answers each with a line {"valid", "bound", "problem"}

INSTANCE is a text of "jobs machines" and a line of pairs for each job. No releases; Python 3.9, standard library.
"""

import gzip
import hashlib
import json
import sys
import zlib


class Wrong(Exception):
    pass


def check(jobs, machines, lines):
    """Returns the bound that the lines prove, or raises Wrong."""
    lines = iter(lines)
    text = f"{len(jobs)} {machines}\n"
    for job in jobs:
        text += " ".join(f"{k} {p}" for k, p in job) + "\n"
    if next(lines, None) != "alas-jssp proof 1":
        raise Wrong("no proof of this format")
    words = next(lines, "").split(" ")
    if words[0] != "instance" or len(words) < 3:
        raise Wrong("no instance")
    if words[1] != hashlib.sha256(text.encode()).hexdigest():
        raise Wrong("another instance")
    words = next(lines, "").split(" ")
    if len(words) != 2 or words[0] != "bound":
        raise Wrong("no bound")
    bound = number(words[1])
    shop = Shop(jobs, bound - 1)
    shop.read(lines)
    return bound


def number(word):
    if not (word.isascii() and word.isdigit()) or len(word) > 10 or int(word) >= 2**31:
        raise Wrong(f"no number: {word}")
    return int(word)


class Shop:
    def __init__(self, jobs, end):
        self.end = end
        self.p = [p for job in jobs for _, p in job]
        self.machine = [k for job in jobs for k, _ in job]
        self.job = [j for j, job in enumerate(jobs) for _ in job]
        n = len(self.p)
        self.head, self.tail = [-1] * n, [-1] * n
        self.before = set()
        self.clauses = {}
        self.undo = None
        self.over = False
        for i in range(n):
            self.raise_head(i, 0)
            self.raise_tail(i, 0)
            for j in range(i + 1, n):
                if self.job[i] == self.job[j] and self.rivals(i, j):
                    self.before.add((i, j))

    def rivals(self, a, b):
        n = len(self.p)
        if a >= n or b >= n:
            raise Wrong("no such operation")
        return a != b and self.machine[a] == self.machine[b] and self.p[a] > 0 and self.p[b] > 0

    def compete(self, a, b):
        if not self.rivals(a, b):
            raise Wrong(f"{a} and {b} are no rivals")

    def known(self, a, b):
        self.compete(a, b)
        if (a, b) not in self.before:
            raise Wrong(f"{a} < {b} is not known")

    def order(self, a, b):
        if (b, a) in self.before:
            self.over = True
        if (a, b) not in self.before:
            self.before.add((a, b))
            if self.undo is not None:
                self.undo.append((self.before, (a, b), None))

    def put(self, times, i, time):
        if self.undo is not None:
            self.undo.append((times, i, times[i]))
        times[i] = time
        if self.head[i] + self.p[i] + self.tail[i] > self.end:
            self.over = True

    def raise_head(self, i, time):
        job = self.job[i]
        while i < len(self.p) and self.job[i] == job and time > self.head[i]:
            self.put(self.head, i, time)
            time += self.p[i]
            i += 1

    def raise_tail(self, i, time):
        job = self.job[i]
        while i >= 0 and self.job[i] == job and time > self.tail[i]:
            self.put(self.tail, i, time)
            time += self.p[i]
            i -= 1

    def step(self, rule, x):
        head, tail, p = self.head, self.tail, self.p
        if rule in ("p", "s") and len(x) == 2:
            a, b = x
            if rule == "p":
                self.known(a, b)
                self.raise_head(b, head[a] + p[a])
                self.raise_tail(a, tail[b] + p[b])
            else:
                self.compete(a, b)
                self.exceed(head[b] + p[b] + p[a] + tail[a])
                self.order(a, b)
        elif rule == "t" and len(x) == 3:
            self.known(x[0], x[1])
            self.known(x[1], x[2])
            self.compete(x[0], x[2])
            self.order(x[0], x[2])
        elif rule == "c" and len(x) == 1:
            self.use(x[0])
        elif rule in ("o", "l", "f", "h", "q"):
            self.set_step(rule, x)
        else:
            raise Wrong(f"no such step: {rule} {x}")

    def set_step(self, rule, x):
        members = x if rule == "o" else x[1:]
        if not members or len(set(x)) < len(x) or x[0] >= len(self.p):
            raise Wrong("no set")
        for i in x[1:]:
            self.compete(x[0], i)
        heads = [self.head[i] for i in members]
        tails = [self.tail[i] for i in members]
        work = sum(self.p[i] for i in members)
        i = x[0]
        if rule == "o":
            self.exceed(min(heads) + work + min(tails))
            self.over = True
        elif rule == "l":
            self.exceed(min([self.head[i], *heads]) + work + self.p[i] + min(tails))
            for j in members:
                self.order(j, i)
        elif rule == "f":
            self.exceed(min([self.tail[i], *tails]) + work + self.p[i] + min(heads))
            for j in members:
                self.order(i, j)
        elif rule == "h":
            for j in members:
                self.known(j, i)
            self.raise_head(i, min(heads) + work)
        else:
            for j in members:
                self.known(i, j)
            self.raise_tail(i, min(tails) + work)

    def exceed(self, time):
        if time <= self.end:
            raise Wrong(f"{time} is not above {self.end}")

    def use(self, n):
        if n not in self.clauses:
            raise Wrong(f"no clause {n}")
        left = [(a, b) for a, b in self.clauses[n] if (b, a) not in self.before]
        if len(left) > 1:
            raise Wrong(f"clause {n} leaves {len(left)} orders")
        if left:
            self.order(*left[0])
        else:
            self.over = True

    def steps(self, words):
        at = 0
        while at < len(words) and not self.over:
            end = at + 1
            while end < len(words) and not words[end].isalpha():
                end += 1
            if len(words[at]) != 1 or not words[at].isalpha():
                raise Wrong("a step begins with a letter")
            self.step(words[at], [number(word) for word in words[at + 1 : end]])
            at = end

    def read(self, lines):
        last = 0
        if self.over:
            return
        for line in lines:
            kind, *words = line.split(" ")
            if kind == "r":
                self.steps(words)
            elif kind == "c":
                colon = words.index(":") if ":" in words else len(words)
                n, *flat = [number(word) for word in words[:colon]] or [0]
                if n <= last or not flat or len(flat) % 2:
                    raise Wrong("no clause")
                clause = list(zip(flat[::2], flat[1::2]))
                self.learn(clause, words[colon + 1 :])
                last = n
                if len(clause) == 1:
                    self.order(*clause[0])
                else:
                    self.clauses[n] = clause
            elif kind == "d" and words:
                for word in words:
                    if self.clauses.pop(number(word), None) is None:
                        raise Wrong(f"no clause {word}")
            else:
                raise Wrong(f"no such line: {kind}")
            if self.over:
                return
        raise Wrong("no contradiction at the end")

    def learn(self, clause, words):
        self.undo = []
        for a, b in clause:
            self.compete(a, b)
            self.order(b, a)
        self.steps(words)
        if not self.over:
            raise Wrong("no contradiction")
        for where, key, old in reversed(self.undo):
            if old is None:
                where.discard(key)
            else:
                where[key] = old
        self.undo = None
        self.over = False


def read_instance(file):
    rows = [line.split() for line in open(file) if line.strip() and not line.startswith("#")]
    count, machines = int(rows[0][0]), int(rows[0][1])
    jobs = []
    for row in rows[1 : count + 1]:
        values = [int(word) for word in row]
        jobs.append(list(zip(values[::2], values[1::2])))
    return jobs, machines


def read_proof(file):
    with open(file, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(file, "rt", encoding="utf-8", newline="\n") as text:
        for line in text:
            yield line.rstrip("\n")


def answer(case):
    machines = case["machines"]
    try:
        return {"valid": True, "bound": check(case["jobs"], machines, case["proof"].split("\n")), "problem": None}
    except Wrong as wrong:
        return {"valid": False, "bound": None, "problem": str(wrong)}


def main(arguments):
    if arguments == ["--json"]:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        bound = check(*read_instance(arguments[0]), read_proof(arguments[1]))
    except Wrong as wrong:
        print(f"not proven: {wrong}")
        return 1
    except (OSError, EOFError, ValueError, IndexError, zlib.error) as error:
        print(f"not proven: a file cannot be read ({error})")
        return 1
    print(f"proven: no schedule ends before {bound}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
