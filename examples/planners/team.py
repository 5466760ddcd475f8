"""What the teams of agents in this folder share: the shop in words, the roles, the endpoint, and how a plan is handed over.

Any endpoint that speaks OpenAI's chat completions: OPENAI_BASE_URL (default: OpenAI's own), OPENAI_API_KEY, and the model as the
first argument of the program.
"""
import contextlib
import json
import os
import sys
import warnings

ROLES = {
    "job_scheduler": "You are the job scheduler of a job shop. You decide when each operation starts, so that every job is complete "
    "and its operations are in their order. Give the whole schedule.",
    "machine_coordinator": "You are the machine coordinator of a job shop. You take the schedule of the job scheduler, and resolve "
    "every conflict on a machine: it does one operation at a time. Give the whole schedule.",
    "supervisor": "You are the supervisor of a job shop. You check the schedule of the machine coordinator against all rules, "
    "improve it where you can, and answer for the final one. Give the whole schedule.",
}
MAX_TOKENS = 8000


def read_shop():
    """The instance on stdin (jobs, machines, then machine and duration of each operation) as a task in words."""
    numbers = [int(word) for line in sys.stdin for word in line.split("#")[0].split()]
    jobs, machines = numbers[:2]
    lines = []
    for job in range(jobs):
        row = numbers[2 + 2 * job * machines :][: 2 * machines]
        steps = ", ".join(f"Machine{row[2 * step]} for {row[2 * step + 1]}" for step in range(machines))
        lines.append(f"Job{job + 1}: {steps}")
    return (
        f"Schedule {jobs} jobs on {machines} machines (Machine0 to Machine{machines - 1}). The operations of each job, in order:\n"
        + "\n".join(lines)
        + "\nA machine does one operation at a time; an operation starts when the one before it in its job has ended, or later, and "
        "runs for its whole duration. Times are whole numbers from 0. The last operation shall end as early as possible.\n"
        'The schedule is a JSON list with one object for each operation, such as [{"job": "Job1", "step": 1, "machine": "Machine0", '
        '"start": 0, "end": 3}, …], without any left out.'
    )


def run(team):
    """Calls team(task, model) for the turns of its agents, as (role, text), and their tokens; prints both as messages."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} MODEL")
    out = sys.stdout
    warnings.simplefilter("ignore")
    try:
        # Frameworks print to stdout, which is for messages.
        with contextlib.redirect_stdout(sys.stderr):
            turns, tokens = team(read_shop(), sys.argv[1])
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {' '.join(str(error).split())[:500]}")
    text = "\n\n".join(f"{role}:\n{text}" for role, text in turns)
    print(json.dumps({"type": "tokens", "input": tokens[0], "output": tokens[1]}), file=out)
    print(json.dumps({"type": "answer", "text": text}), file=out, flush=True)


def endpoint():
    """The address and the key of the endpoint."""
    return {
        "base_url": os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"),
        "api_key": os.environ.get("OPENAI_API_KEY", "none"),
    }
