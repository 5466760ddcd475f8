#!/usr/bin/env python3
"""Agents of the OpenAI Agents SDK, Swarm's successor, with handoffs: openai_agents_team.py MODEL. The instance comes on stdin; see
team.py. Each agent may hand over to the next one, as the model decides."""
import asyncio

from agents import Agent, ItemHelpers, MessageOutputItem, ModelSettings, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI

from team import MAX_TOKENS, ROLES, endpoint, run


async def swarm(task, model):
    set_tracing_disabled(True)
    served = OpenAIChatCompletionsModel(model=model, openai_client=AsyncOpenAI(**endpoint()))
    settings = ModelSettings(max_tokens=MAX_TOKENS)
    agents = []
    for name, role in reversed(ROLES.items()):
        more = " Then hand over to the next agent." if agents else ""
        agents.append(Agent(name=name, instructions=role + more, model=served, model_settings=settings, handoffs=agents[-1:]))
    result = await Runner.run(agents[-1], task)
    said = [item for item in result.new_items if isinstance(item, MessageOutputItem)]
    used = result.context_wrapper.usage
    return [(item.agent.name, ItemHelpers.text_message_output(item)) for item in said], (used.input_tokens, used.output_tokens)


run(lambda task, model: asyncio.run(swarm(task, model)))
