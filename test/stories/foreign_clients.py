"""Packages that others build on OpenAI's call, used as people use them. Prints one JSON object: what came of each."""

import asyncio
import json
import os
import sys

import instructor
from agents import Agent, ModelSettings, Runner, function_tool
from langchain_openai import ChatOpenAI
from openai import OpenAI
from pydantic import BaseModel

(model,) = sys.argv[1:]
SHORT = ModelSettings(max_tokens=100)


class Tide(BaseModel):
    height: int


called = []


@function_tool
def tide(height: int) -> str:
    """The height of the tide."""
    called.append(height)
    return "low"


def agents_tool():
    agent = Agent(
        name="sailor",
        model=model,
        instructions="Be brief.",
        tools=[tide],
        model_settings=ModelSettings(tool_choice="required", max_tokens=100),
    )
    Runner.run_sync(agent, "How high is the tide?", max_turns=3)
    return len(called)


def agents_schema():
    agent = Agent(name="sailor", model=model, output_type=Tide, model_settings=SHORT)
    return isinstance(Runner.run_sync(agent, "How high is the tide?").final_output, Tide)


def agents_stream():
    async def count():
        result = Runner.run_streamed(Agent(name="sailor", model=model, model_settings=SHORT), "Hello")
        return len([event async for event in result.stream_events()])

    return asyncio.run(count())


def langchain(**more):
    return ChatOpenAI(model=model, max_retries=0, max_tokens=100, **more)


def langchain_schema():
    both = [langchain(use_responses_api=True), langchain()]
    return all(isinstance(one.with_structured_output(Tide).invoke("How high?"), Tide) for one in both)


def langchain_tool():
    return isinstance(langchain().with_structured_output(Tide, method="function_calling").invoke("How high?"), Tide)


def langchain_stream():
    return sum(1 for _ in langchain(use_responses_api=True).stream("Hello"))


def instructed(mode):
    client = instructor.from_openai(OpenAI(max_retries=0), mode=mode)
    if mode == instructor.Mode.RESPONSES_TOOLS:
        return client.responses.create(model=model, input="How high?", response_model=Tide, max_retries=1)
    messages = [{"role": "user", "content": "How high?"}]
    return client.create(model=model, messages=messages, response_model=Tide, max_retries=1, max_tokens=100)


def instructors():
    modes = instructor.Mode
    return [isinstance(instructed(one), Tide) for one in (modes.TOOLS, modes.JSON_SCHEMA, modes.RESPONSES_TOOLS)]


def harness():
    """Of `local-completions`: a text that is generated, and log probabilities, which llama.cpp has of answers alone."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.openai_completions import LocalCompletionsAPI

    client = LocalCompletionsAPI(
        model=model,
        base_url=f"{os.environ['OPENAI_BASE_URL']}/completions",
        tokenizer_backend=None,
        tokenized_requests=False,
        max_length=2048,
    )
    wanted = ("Once", {"until": ["never"], "max_gen_toks": 4})
    (text,) = client.generate_until([Instance("generate_until", {}, wanted, 0)], disable_tqdm=True)
    answer = OpenAI(max_retries=0).completions.create(model=model, prompt="Once", max_tokens=4, logprobs=1)
    (parsed,) = LocalCompletionsAPI.parse_logprobs([answer.model_dump()], ctxlens=[1])
    return [isinstance(text, str), isinstance(parsed[0], int | float)]


CALLS = (agents_tool, agents_schema, agents_stream, langchain_schema, langchain_tool, langchain_stream, instructors, harness)
print(json.dumps({call.__name__: call() for call in CALLS}))
