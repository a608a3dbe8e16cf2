"""Ends trainings at random moments, resumes them, and compares with one that nobody disturbed.

    PYTHONPATH=tools python3 -m kills build/asg --count 500 --seed 1 --state build/kills.json

Each training of digits has workers that load data, random noise, and in most cases gradient accumulation and an
exponential moving average of the weights; its model is edited live. SIGKILL comes at any moment, SIGTERM, SIGINT and
SIGHUP sometimes. After each end the training is resumed. It must give the same losses to the last bit and end in the
same bytes; no checkpoint may be damaged, no temporary file left after the next start, no line of the log missing, and
no signal but SIGKILL may end a program that has begun. Counts add up over calls while the program is the same.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

GENTLE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Failure(Exception):
    pass


def need(holds, what):
    if not holds:
        raise Failure(what)


class Plan:
    """What one training does, by its seed."""

    def __init__(self, seed):
        self.seed = seed
        dice = random.Random(seed)
        self.steps = dice.randint(40, 70)
        self.every = dice.randint(4, 12)
        optimizer = dice.choice(["adamw", "adam", "sgd"])
        settings = [f"learning_rate=0.003"]
        if optimizer == "sgd":
            settings.append("momentum=0.9")
        if dice.random() < 0.7:
            settings.append("ema={decay=0.9}")
        if dice.random() < 0.6:
            settings.append(f"accumulate={dice.randint(2, 3)}")
        self.options = ["--threads", "1", "--batch-size", "32", "--optimizer", optimizer]
        for setting in settings:
            self.options += ["--set", "optimizer." + setting]
        changes = [f"seed={seed}", f"data.workers={dice.randint(1, 3)}", "data.transforms=['standard', 'noise 0.1']",
                   f"course.steps={self.steps}", f"course.validate_every={dice.randint(15, 30)}",
                   f"course.checkpoints={{every={self.every}}}"]
        for change in changes:
            self.options += ["--set", change]
        places = [step for step in range(2, self.steps) if step % self.every != 0]
        self.edits = [(step, self.edit(dice)) for step in sorted(dice.sample(places, dice.randint(1, 4)))]

    @staticmethod
    def edit(dice):
        at, attrs = dice.choice([("block", {"hidden": dice.choice([24, 48, 80])}),
                                 ("norm", {"epsilon": dice.choice([1e-4, 1e-3, 1e-2])}),
                                 ("block", {"dropout": dice.choice([0.1, 0.2])})])
        command = {"do": "set_config", "at": at, "attrs": attrs}
        return json.dumps({"do": "apply", "edit": {"policy": "overlap", "commands": [command]}})


class Session:
    """One life of the program, driven by a script."""

    def __init__(self, program, plan, folder, resume):
        self.plan = plan
        self.folder = folder
        self.errors = tempfile.TemporaryFile()
        command = [program, "train", "--script", "-", "--folder", folder, *plan.options]
        self.process = subprocess.Popen(command + (["--resume"] if resume else []), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.losses = {}
        self.is_ready = False
        self.on_step = lambda step: None

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def hear(self, *names):
        """The next event of these names; None where the program ends before."""
        for line in self.process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                return None  # the program ended in the middle of a line
            name = event["event"]
            need(name not in ("failed", "edit_refused"), f"the program says {line}")
            if name == "step_done":
                self.losses[event["step"]] = event["loss"]
                self.on_step(event["step"])
            if name in names:
                return event
        return None

    def run(self):
        """Carries the plan out from where the program is. Whether it came to the end."""
        if self.hear("graph_ready") is None:
            return False
        self.is_ready = True
        need(not leftovers(self.folder), f"temporary files after a start: {leftovers(self.folder)}")
        self.say('{"do": "journal"}')
        journal = self.hear("journal")
        if journal is None:
            return False
        done = len(journal["entries"])
        for step, edit in self.plan.edits[done:]:
            if not self.run_to(step):
                return False
            self.say(edit)
            if self.hear("graph_ready") is None:
                return False
        if not self.run_to(self.plan.steps):
            return False
        self.process.stdin.close()
        return self.hear("stopped") is not None

    def run_to(self, step):
        self.say('{"do": "read", "path": "head.bias"}')  # an answer that tells nothing new, before the run
        if self.hear("value_read") is None:
            return False
        now = max(self.losses, default=None)
        now = self.start if now is None else now
        if step <= now:
            return True
        self.say(json.dumps({"do": "run", "steps": step - now}))
        paused = self.hear("paused")
        return paused is not None and paused["reason"] in ("steps_done", "course_done")

    def end(self):
        """Waits for the end; a program that is asked to stop still has something to say."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        while self.hear("stopped") is not None:
            pass
        self.process.stdout.read()
        code = self.process.wait()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        need("damaged" not in text, f"a damaged checkpoint: {text}")
        return code, text


def leftovers(folder):
    found = [name for name in os.listdir(folder) if ".tmp-" in name]
    checkpoints = os.path.join(folder, "checkpoints")
    if os.path.isdir(checkpoints):
        found += [name for name in os.listdir(checkpoints) if ".tmp-" in name]
    return found


def last_checkpoint(folder):
    """The step of the one that was written last; docs/checkpoints.md tells how it is found."""
    checkpoints = os.path.join(folder, "checkpoints")
    if not os.path.isdir(checkpoints):
        return 0
    names = [name for name in os.listdir(checkpoints) if name.startswith("step-")]
    try:
        with open(os.path.join(checkpoints, "order.json")) as file:
            written = json.load(file)["written"]
    except FileNotFoundError:
        written = []
    places = {name: place for place, name in enumerate(written)}

    def age(name):
        return places.get(name, len(places)), [int(part) for part in name.split("-")[1:]]

    return int(max(names, key=age).split("-")[1]) if names else 0


def records(folder):
    """Of the log, without times; and the steps of its checkpoints."""
    lines, checkpoints = [], set()
    with open(os.path.join(folder, "log.jsonl")) as log:
        for line in log:
            record = json.loads(line)
            if record["tag"] == "checkpoint":
                checkpoints.add(record["step"])
            elif record["tag"] != "warning":
                lines.append((record["step"], record["tag"], record.get("value"), record.get("text")))
    return sorted(lines, key=str), checkpoints


def files_of(folder, step):
    checkpoint = os.path.join(folder, "checkpoints", f"step-{step:08d}")
    contents = {}
    for name in os.listdir(checkpoint):
        with open(os.path.join(checkpoint, name), "rb") as file:
            contents[name] = file.read()
    return contents


class Case:
    def __init__(self, program, seed, place):
        self.program = program
        self.dice = random.Random(f"kills {seed}")
        self.plan = Plan(seed)
        self.whole = os.path.join(place, "whole")
        self.ended = os.path.join(place, "ended")
        self.kills = {"kill": 0, "gentle": 0, "while starting": 0}

    def run(self):
        whole = Session(self.program, self.plan, self.whole, False)
        whole.start = 0
        begin = time.monotonic()
        need(whole.run(), "the training that nobody disturbs does not end")
        self.seconds = time.monotonic() - begin
        code, text = whole.end()
        need(code == 0, f"the training that nobody disturbs ends with {code}: {text}")
        self.losses = whole.losses
        while not self.one_life():
            pass
        self.compare()

    def one_life(self):
        start = last_checkpoint(self.ended)
        life = Session(self.program, self.plan, self.ended, os.path.isdir(self.ended))
        life.start = start
        name = signal.SIGKILL if self.dice.random() < 0.8 else self.dice.choice(GENTLE)
        is_sent = threading.Event()
        moment = {}

        def send():
            if not is_sent.is_set() and life.process.poll() is None:
                moment["ready"] = life.is_ready
                is_sent.set()
                life.process.send_signal(name)

        timer = None
        if self.dice.random() < 0.3:
            latest = self.dice.choice([0.3, self.seconds])  # of these the first is while the program starts
            timer = threading.Timer(self.dice.uniform(0, latest), send)
            timer.start()
        else:
            at = self.dice.randint(start + 1, max(start + 1, min(self.plan.steps, start + 3 * self.plan.every)))
            delay = self.dice.uniform(0, 0.03)

            def on_step(step):
                if step >= at and not is_sent.is_set():
                    time.sleep(delay)
                    send()

            life.on_step = on_step
        is_over = life.run()
        if timer is not None:
            timer.cancel()
        code, text = life.end()
        for step, loss in life.losses.items():
            need(loss == self.losses[step], f"step {step} has the loss {loss}, and {self.losses[step]} undisturbed")
        if is_sent.is_set():
            self.kills["kill" if name == signal.SIGKILL else "gentle"] += 1
            if not moment["ready"]:
                self.kills["while starting"] += 1
            has_begun = moment["ready"]
            need(name == signal.SIGKILL or code >= 0 or not has_begun, f"signal {-code} ended the program: {text}")
        else:
            need(code == 0, f"the program ends with {code}: {text}")
        return is_over and last_checkpoint(self.ended) == self.plan.steps

    def compare(self):
        lines, checkpoints = records(self.ended)
        whole, expected = records(self.whole)
        need(lines == whole, f"other lines in the log: {sorted(set(whole) ^ set(lines), key=str)[:6]}")
        need(expected <= checkpoints, f"checkpoints that are not in the log: {sorted(expected - checkpoints)}")
        mine, theirs = files_of(self.ended, self.plan.steps), files_of(self.whole, self.plan.steps)
        need(mine.keys() == theirs.keys(), "other files in the last checkpoint")
        for name, content in mine.items():
            need(content == theirs[name], f"other bytes in {name} of the last checkpoint")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def load_state(path, program):
    fresh = {"program": program, "cases": 0, "kill": 0, "gentle": 0, "while starting": 0}
    try:
        with open(path) as file:
            state = json.load(file)
    except (OSError, ValueError):
        return fresh
    return state if state.get("program") == program else fresh


def main():
    parser = argparse.ArgumentParser(description="Ends trainings at random moments and resumes them")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=500, help="kills in all, those of earlier calls among them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", default="", help="file that keeps the counts between calls")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    state = load_state(options.state, digest(program))
    while state["kill"] < options.count:
        seed = options.seed + state["cases"]
        place = tempfile.mkdtemp(prefix="asg-kills-")
        case = Case(program, seed, place)
        try:
            case.run()
        except Failure as failure:
            print(f"seed {seed}: {failure}\n  its files: {place}\n  options: {' '.join(case.plan.options)}")
            return 1
        shutil.rmtree(place)
        state["cases"] += 1
        for name, count in case.kills.items():
            state[name] += count
        if options.state:
            with open(options.state, "w") as file:
                json.dump(state, file)
        print(f"{state['kill']} of {options.count} SIGKILL in {state['cases']} trainings", flush=True)
    print(f"{state['kill']} SIGKILL and {state['gentle']} other signals, {state['while starting']} of them while a "
          f"program started, in {state['cases']} trainings: all resumed to the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
