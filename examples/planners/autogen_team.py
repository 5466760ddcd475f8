#!/usr/bin/env python3
"""A group chat of AutoGen (autogen-agentchat): autogen_team.py MODEL. The instance comes on stdin; see team.py."""
import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_ext.models.openai import OpenAIChatCompletionClient

from team import MAX_TOKENS, ROLES, endpoint, run

ABILITIES = {"vision": False, "function_calling": False, "json_output": False, "structured_output": False, "family": "unknown"}


async def chat(task, model):
    client = OpenAIChatCompletionClient(model=model, model_info=ABILITIES, max_tokens=MAX_TOKENS, **endpoint())
    agents = [AssistantAgent(name, model_client=client, system_message=role) for name, role in ROLES.items()]
    result = await RoundRobinGroupChat(agents, max_turns=len(agents)).run(task=task)
    await client.close()
    said = [message for message in result.messages if message.source in ROLES]
    usages = [message.models_usage for message in said if message.models_usage]
    tokens = sum(one.prompt_tokens for one in usages), sum(one.completion_tokens for one in usages)
    return [(message.source, message.content) for message in said], tokens


run(lambda task, model: asyncio.run(chat(task, model)))
