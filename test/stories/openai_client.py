"""OpenAI's own package for Python, used as people use it. Prints one JSON object: what came of each call."""

import json
import sys
import typing

import openai
import pydantic

model, embedder, absent = sys.argv[1:]
client = openai.OpenAI(max_retries=0)
messages = [{"role": "user", "content": "Tell me about the sea."}]
tool = {
    "type": "function",
    "function": {
        "name": "tide",
        "description": "The height of the tide",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}


def chat(**more):
    return client.chat.completions.create(model=model, messages=messages, **more)


def whole():
    return chat(max_tokens=3).usage.completion_tokens


def stream():
    pieces, usage = 0, None
    for event in chat(max_tokens=4, stream=True, stream_options={"include_usage": True}):
        pieces += sum(1 for choice in event.choices if choice.delta.content)
        usage = event.usage or usage
    return [pieces, usage.completion_tokens]


def schema():
    answer = {"type": "string", "enum": ["sea", "land"]}
    wanted = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    asked = {"type": "json_schema", "json_schema": {"name": "choice", "strict": True, "schema": wanted}}
    said = json.loads(chat(max_tokens=100, response_format=asked).choices[0].message.content)
    return list(said) == ["answer"] and said["answer"] in answer["enum"]


class Choice(pydantic.BaseModel):
    answer: typing.Literal["sea", "land"]


def responses():
    asked = {"model": model, "input": "Sea or land?", "text_format": Choice, "max_output_tokens": 100}
    whole = client.responses.parse(**asked).output_parsed
    with client.responses.stream(**asked) as events:
        kinds = [event.type for event in events]
        streamed = events.get_final_response().output_parsed
    required = {"type": "function", **tool["function"]}
    called = client.responses.create(
        model=model, input="How high?", tools=[required], tool_choice="required", max_output_tokens=100
    )
    return [isinstance(one, Choice) for one in (whole, streamed)] + [kinds[0], kinds[-1], called.output[0].type]


def tools():
    return chat(max_tokens=3, tools=[tool]).choices[0].message.role


def embeddings():
    # The package asks for base64, and decodes it itself.
    found = client.embeddings.create(model=embedder, input=["the sea", "the land"]).data
    return [len(one.embedding) == len(found[0].embedding) > 0 for one in found]


def errors():
    wrong = openai.OpenAI(max_retries=0, api_key="wrong")
    calls = [
        lambda: client.chat.completions.create(model=absent, messages=messages),
        lambda: wrong.models.list(),
        lambda: chat(max_tokens=-1),
    ]
    caught = []
    for call in calls:
        try:
            call()
            caught.append("nothing")
        except openai.APIStatusError as error:
            caught.append(type(error).__name__)
    return caught


def leave():
    answer = chat(max_tokens=4000, stream=True)
    for at, _ in enumerate(answer):
        if at == 5:
            break
    answer.close()
    return answer.response.headers["x-request-id"]


def models():
    return [one.id for one in client.models.list()]


print(json.dumps({call.__name__: call() for call in (models, whole, stream, schema, responses, tools, embeddings, errors, leave)}))
