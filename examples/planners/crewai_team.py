#!/usr/bin/env python3
"""A crew of CrewAI with three tasks in order: crewai_team.py MODEL. The instance comes on stdin; see team.py."""
import os

os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}

from crewai import LLM, Agent, Crew, Process, Task

from team import MAX_TOKENS, ROLES, endpoint, run


def crew(task, model):
    llm = LLM(model=model, provider="openai", max_tokens=MAX_TOKENS, **endpoint())
    agents = [Agent(role=name, goal=goal, backstory=goal, llm=llm) for name, goal in ROLES.items()]
    tasks = []
    for agent in agents:
        before = list(tasks)
        tasks.append(Task(description=f"{agent.goal}\n{task}", expected_output="the whole schedule", agent=agent, context=before))
    result = Crew(agents=agents, tasks=tasks, process=Process.sequential).kickoff()
    # The crew's own sum counts a model once for each agent that has it.
    used = llm.get_token_usage_summary()
    said = [(name, output.raw) for name, output in zip(ROLES, result.tasks_output)]
    return said, (used.prompt_tokens, used.completion_tokens)


run(crew)
