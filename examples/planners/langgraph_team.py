#!/usr/bin/env python3
"""A graph of LangGraph, one node for each agent: langgraph_team.py MODEL. The instance comes on stdin; see team.py."""
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, MessagesState, StateGraph

from team import MAX_TOKENS, ROLES, endpoint, run


def graph(task, model):
    llm = ChatOpenAI(model=model, max_completion_tokens=MAX_TOKENS, **endpoint())

    def agent(name):
        def act(state):
            said = [HumanMessage(f"{one.name}: {one.content}") if isinstance(one, AIMessage) else one for one in state["messages"]]
            answer = llm.invoke([SystemMessage(ROLES[name]), *said])
            return {"messages": [answer.model_copy(update={"name": name})]}

        return act

    builder = StateGraph(MessagesState)
    for name in ROLES:
        builder.add_node(name, agent(name))
    for before, after in zip([START, *ROLES], [*ROLES, END]):
        builder.add_edge(before, after)
    state = builder.compile().invoke({"messages": [HumanMessage(task)]})
    answers = [message for message in state["messages"] if isinstance(message, AIMessage)]
    usages = [message.usage_metadata for message in answers if message.usage_metadata]
    tokens = sum(one["input_tokens"] for one in usages), sum(one["output_tokens"] for one in usages)
    return [(message.name, message.text) for message in answers], tokens


run(graph)
