"""Runs what `plan.ts` has planned, on a machine with a GPU, and records what the engine says: `serve.py MODELS PLAN OUT [AGENT]`.

MODELS is the folder of `teach.py`; the models are linked to /models, where a Pod finds them, and the command lines run as they are.
For each run: OUT/NAME.json (requests, and answers with the milliseconds of each piece), OUT/NAME.log (the engine's own), and in
OUT/report.json times, memory and speed; OUT/nvml.jsonl has what NVML says of the card all along. AGENT is Gantry's agent, whose
`ask-model` is the startup probe.
"""
import asyncio, json, os, signal, socket, subprocess, sys, threading, time, traceback, urllib.request

import aiohttp, psutil, pynvml

MODELS, PLAN, OUT = sys.argv[1:4]
AGENT = sys.argv[4] if len(sys.argv) > 4 else None
START_S = 300
STREAMS = 50
report = {}
phase = "idle"


def plain(value):
    """Structures of NVML are no JSON."""
    return getattr(value, "__dict__", str(value))


class Card(threading.Thread):
    """Samples NVML, and the memory of the engine's processes, twice a second."""

    def __init__(self, path):
        super().__init__(daemon=True)
        pynvml.nvmlInit()
        self.card = pynvml.nvmlDeviceGetHandleByIndex(0)
        self.out = open(path, "w")
        self.pid = None
        self.peak = {}

    def ask(self, name, *args):
        try:
            value = getattr(pynvml, name)(self.card, *args)
        except pynvml.NVMLError as error:
            return f"! {error}"
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, list):
            return [self.fields(one) for one in value]
        return self.fields(value)

    @staticmethod
    def fields(value):
        if not hasattr(value, "_fields_"):
            return value
        found = {name: getattr(value, name) for name, *_ in value._fields_}
        return {name: one.decode() if isinstance(one, bytes) else one for name, one in found.items() if isinstance(one, (int, float, str, bytes))}

    def facts(self):
        n = pynvml
        return {
            "driver": n.nvmlSystemGetDriverVersion(),
            "nvml": n.nvmlSystemGetNVMLVersion(),
            **{name[13:]: self.ask(name) for name in [
                "nvmlDeviceGetName", "nvmlDeviceGetUUID", "nvmlDeviceGetPciInfo", "nvmlDeviceGetPowerManagementLimit",
                "nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetTotalEnergyConsumption",
                "nvmlDeviceGetPcieReplayCounter", "nvmlDeviceGetEccMode", "nvmlDeviceGetRemappedRows",
                "nvmlDeviceGetMigMode", "nvmlDeviceGetPerformanceState", "nvmlDeviceGetMaxPcieLinkGeneration",
                "nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetMinorNumber", "nvmlDeviceGetEncoderUtilization",
                "nvmlDeviceGetDecoderUtilization", "nvmlDeviceGetSupportedMemoryClocks",
            ]},
            "memoryV2": self.ask("nvmlDeviceGetMemoryInfo", getattr(n, "nvmlMemory_v2", 2)),
            "maxClocks": {str(clock): self.ask("nvmlDeviceGetMaxClockInfo", clock) for clock in (0, 1, 2)},
            "ecc": {f"{kind}{span}": self.ask("nvmlDeviceGetTotalEccErrors", kind, span) for kind in (0, 1) for span in (0, 1)},
            "temperatureLimits": {str(at): self.ask("nvmlDeviceGetTemperatureThreshold", at) for at in (0, 1, 2, 3)},
            "nvlinks": [self.ask("nvmlDeviceGetNvLinkState", link) for link in range(2)],
        }  # fmt: skip

    def sample(self):
        n = pynvml
        return {
            "at": round(time.time(), 2),
            "phase": phase,
            "utilization": self.ask("nvmlDeviceGetUtilizationRates"),
            "memory": self.ask("nvmlDeviceGetMemoryInfo", getattr(n, "nvmlMemory_v2", 2)),
            "power_mW": self.ask("nvmlDeviceGetPowerUsage"),
            "energy_mJ": self.ask("nvmlDeviceGetTotalEnergyConsumption"),
            "temperature": self.ask("nvmlDeviceGetTemperature", 0),
            "memoryTemperature": self.memory_temperature(),
            "clocks": {"sm": self.ask("nvmlDeviceGetClockInfo", 1), "memory": self.ask("nvmlDeviceGetClockInfo", 2)},
            "throttle": self.ask("nvmlDeviceGetCurrentClocksThrottleReasons"),
            "processes": self.ask("nvmlDeviceGetComputeRunningProcesses"),
            "host": self.host(),
        }

    def memory_temperature(self):
        try:
            return pynvml.nvmlDeviceGetFieldValues(self.card, [pynvml.NVML_FI_DEV_MEMORY_TEMP])[0].value.uiVal
        except Exception as error:
            return f"! {error}"

    def host(self):
        if self.pid is None:
            return None
        try:
            first = psutil.Process(self.pid)
            all = [first, *first.children(recursive=True)]
            pss = sum(one.memory_full_info().pss for one in all)
        except psutil.Error:
            return None
        found = {"processes": len(all), "pssMiB": pss >> 20}
        self.peak = max(self.peak, found, key=lambda one: one.get("pssMiB", 0))
        return found

    def run(self):
        while True:
            try:
                self.out.write(json.dumps(self.sample(), default=plain) + "\n")
                self.out.flush()
            except Exception as error:
                self.out.write(json.dumps({"error": repr(error)}) + "\n")
            time.sleep(0.5)


def ask(method, path, body=None, leave_after=None, port=8000):
    """One request as bytes on a wire. `leave_after`: so many pieces, then the connection is closed."""
    text = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {len(text)}\r\n\r\n"
    wire = socket.create_connection(("127.0.0.1", port), timeout=60)
    began = time.perf_counter()
    wire.sendall(head.encode() + text)
    pieces = []
    while piece := wire.recv(1 << 20):
        pieces.append([round((time.perf_counter() - began) * 1000, 2), piece.decode("utf8", "replace")])
        if leave_after is not None and len(pieces) >= leave_after:
            break
    wire.close()
    return {"request": {"method": method, "path": path, "body": body}, "pieces": pieces, "ms": round((time.perf_counter() - began) * 1000, 1)}


def metric(name):
    text = urllib.request.urlopen("http://127.0.0.1:8000/metrics", timeout=10).read().decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name + "{"))


def recordings(name, adapters, context):
    """What the gateway sends: with `continuous_usage_stats` on streams, and `store` off."""
    chat, usage = "/v1/chat/completions", {"include_usage": True, "continuous_usage_stats": True}
    asked = [{"role": "user", "content": "What color is the cat?"}]
    of = {"model": name, "messages": asked, "max_tokens": 40, "temperature": 0}
    schema = {"type": "object", "properties": {"animal": {"enum": ["cat", "dog"]}, "legs": {"type": "integer", "maximum": 9, "minimum": 0}}, "required": ["animal", "legs"], "additionalProperties": False}
    tool = {"type": "function", "function": {"name": "color", "description": "Of an animal.", "parameters": {"type": "object", "properties": {"animal": {"enum": ["cat", "dog"]}}, "required": ["animal"]}}}
    long = [{"role": "user", "content": "The cat is red, and it sleeps all day. " * 60}]
    yield "health", ("GET", "/health")
    yield "models", ("GET", "/v1/models")
    yield "version", ("GET", "/version")
    yield "chat", ("POST", chat, of)
    yield "chat stream", ("POST", chat, {**of, "stream": True, "stream_options": usage})
    yield "chat stream, usage at its end", ("POST", chat, {**of, "stream": True, "stream_options": {"include_usage": True}})
    for adapter in adapters:
        yield f"chat of {adapter}", ("POST", chat, {**of, "model": adapter})
    yield "two choices", ("POST", chat, {**of, "n": 2, "temperature": 1, "stream": True, "stream_options": usage})
    yield "long prompt", ("POST", chat, {**of, "messages": long})
    yield "long prompt again", ("POST", chat, {**of, "messages": long})
    yield "long prompt again, stream", ("POST", chat, {**of, "messages": long, "stream": True, "stream_options": usage})
    yield "completion", ("POST", "/v1/completions", {"model": name, "prompt": "The cat is", "max_tokens": 8, "temperature": 0})
    yield "completion stream", ("POST", "/v1/completions", {"model": name, "prompt": "The cat is", "max_tokens": 8, "temperature": 0, "stream": True, "stream_options": usage})
    yield "response", ("POST", "/v1/responses", {"model": name, "input": "What color is the cat?", "max_output_tokens": 40, "temperature": 0, "store": False})
    yield "response stream", ("POST", "/v1/responses", {"model": name, "input": "What color is the cat?", "max_output_tokens": 40, "temperature": 0, "store": False, "stream": True})
    yield "schema", ("POST", chat, {**of, "response_format": {"type": "json_schema", "json_schema": {"name": "animal", "schema": schema, "strict": True}}})
    yield "tool by name", ("POST", chat, {**of, "tools": [tool], "tool_choice": {"type": "function", "function": {"name": "color"}}})
    yield "tool by itself", ("POST", chat, {**of, "tools": [tool]})
    yield "too long", ("POST", chat, {**of, "messages": [{"role": "user", "content": "cat " * (context + 100)}]})
    yield "too long, stream", ("POST", chat, {**of, "messages": [{"role": "user", "content": "cat " * (context + 100)}], "stream": True})
    yield "too many tokens", ("POST", chat, {**of, "max_tokens": context + 1})
    yield "unknown model", ("POST", chat, {**of, "model": "nobody"})
    yield "wrong type", ("POST", chat, {**of, "temperature": "warm"})
    yield "embedding", ("POST", "/v1/embeddings", {"model": name, "input": "cat"})
    yield "rerank", ("POST", "/v1/rerank", {"model": name, "query": "cat", "documents": ["cat"]})


def abort(name):
    """How long the engine goes on for somebody who has left."""
    body = {"model": name, "messages": [{"role": "user", "content": "What color is the cat?"}], "max_tokens": 3500, "ignore_eos": True, "stream": True}
    told = ask("POST", "/v1/chat/completions", body, leave_after=20)
    left = time.perf_counter()
    generated = metric("vllm:generation_tokens_total")
    seen = []
    while time.perf_counter() - left < 6:
        running = metric("vllm:num_requests_running")
        seen.append([round((time.perf_counter() - left) * 1000), running])
        if running == 0:
            break
        time.sleep(0.02)
    time.sleep(0.5)
    more = metric("vllm:generation_tokens_total") - generated
    time.sleep(0.5)
    again = metric("vllm:generation_tokens_total") - generated - more
    return {"runningAfterMs": seen[-1], "looks": len(seen), "piecesSeen": len(told["pieces"]), "tokensAfterLeaving": more, "tokensHalfASecondLater": again}


async def load(name, words):
    """So many streams at once, as the gateway asks for them."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(at):
            prompt = " ".join(f"{at} {at * word} cat" for word in range(words))
            body = {"model": name, "messages": [{"role": "user", "content": prompt}], "max_tokens": 256, "ignore_eos": True, "stream": True,
                    "stream_options": {"include_usage": True, "continuous_usage_stats": True}}  # fmt: skip
            began, first, deltas, size, usage = time.perf_counter(), None, 0, 0, None
            async with session.post("http://127.0.0.1:8000/v1/chat/completions", json=body) as answer:
                async for line in answer.content:
                    if not line.startswith(b"data: {"):
                        continue
                    event = json.loads(line[6:])
                    usage = event.get("usage") or usage
                    text = "".join(choice["delta"].get("content") or "" for choice in event["choices"])
                    if text:
                        first = first or time.perf_counter() - began
                        deltas, size = deltas + 1, size + len(text.encode())
            return {"status": answer.status, "firstMs": round((first or 0) * 1000, 1), "ms": round((time.perf_counter() - began) * 1000, 1), "deltas": deltas, "bytes": size, "usage": usage}

        await one(999)
        began = time.perf_counter()
        all = await asyncio.gather(*[one(at) for at in range(STREAMS)])
        seconds = time.perf_counter() - began
    tokens = sum(one["usage"]["completion_tokens"] for one in all if one["usage"])
    firsts = sorted(one["firstMs"] for one in all)
    return {
        "streams": STREAMS, "seconds": round(seconds, 2), "tokens": tokens, "tokensPerSecond": round(tokens / seconds),
        "promptTokens": all[0]["usage"] and all[0]["usage"]["prompt_tokens"],
        "firstMs": {"p50": firsts[STREAMS // 2], "p95": firsts[int(STREAMS * 0.95)], "most": firsts[-1]}, "each": all,
    }  # fmt: skip


def link(name):
    os.makedirs("/models", exist_ok=True)
    for where, what in (("/models/model", name), ("/models/adapters", "adapters")):
        if os.path.lexists(where):
            os.remove(where)
        os.symlink(os.path.join(os.path.abspath(MODELS), what), where)


def started(engine, began, found):
    """Waits as the kubelet does: a TCP port, then `/health`, then a real question."""
    while time.time() - began < START_S:
        if engine.poll() is not None:
            found["died"] = engine.returncode
            return False
        try:
            urllib.request.urlopen("http://127.0.0.1:8000/health", timeout=1)
            found.setdefault("healthyAfterS", round(time.time() - began, 2))
            return True
        except Exception as error:
            if "refused" not in str(error):
                found.setdefault("unhealthy", []).append([round(time.time() - began, 2), str(error)])
            time.sleep(0.1)
    found["late"] = True
    return False


def guarded(found, name, what):
    try:
        found[name] = what()
    except Exception:
        found[name] = traceback.format_exc(limit=4)
        print(name, found[name], flush=True)


def serve(run, card):
    global phase
    name, adapters = run["name"], [one.split("=")[0] for one in run["command"] if one.startswith("other=")]
    found = report[name] = {"command": run["command"], "setup": run["setup"]}
    link(name)
    phase, began = f"{name}: starts", time.time()
    with open(os.path.join(OUT, f"{name}.log"), "w") as log:
        engine = subprocess.Popen(run["command"], stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    card.pid, card.peak = engine.pid, {}
    try:
        if not started(engine, began, found):
            return
        if AGENT:
            probe = [AGENT, "ask-model", "--url=http://127.0.0.1:8000", f"--model={name}", "--task=Generate", "--timeout=60s"]
            done = subprocess.run(probe, capture_output=True, text=True)
            found["probe"] = {"code": done.returncode, "said": (done.stdout + done.stderr)[-500:], "afterS": round(time.time() - began, 2)}
        found["cardWhenReady"] = {"memory": card.ask("nvmlDeviceGetMemoryInfo", getattr(pynvml, "nvmlMemory_v2", 2)), "processes": card.ask("nvmlDeviceGetComputeRunningProcesses")}
        phase, wire = f"{name}: answers", {}
        guarded(wire, "metrics when ready", lambda: ask("GET", "/metrics"))
        for what, request in recordings(name, adapters, run["setup"]["contextLength"]):
            if name == "taught" or what in ("models", "chat stream", "schema", "too long"):
                guarded(wire, what, lambda: ask(*request))
        guarded(found, "abort", lambda: abort(name))
        phase = f"{name}: load"
        guarded(found, "load", lambda: asyncio.run(load(name, 100 if name == "eight" else 10)))
        guarded(wire, "metrics after load", lambda: ask("GET", "/metrics"))
        phase = f"{name}: stops"
        body = {"model": name, "messages": [{"role": "user", "content": "What color is the cat?"}], "max_tokens": 1200, "ignore_eos": True, "stream": True}
        stream = threading.Thread(target=lambda: guarded(wire, "stream while it stops", lambda: ask("POST", "/v1/chat/completions", body)))
        stream.start()
        time.sleep(0.3)
        told = time.time()
        os.kill(engine.pid, signal.SIGTERM)
        time.sleep(0.3)
        try:
            wire["health while it stops"] = ask("GET", "/health")
        except ConnectionRefusedError as error:
            wire["health while it stops"] = str(error)
        stream.join(40)
        found["exit"] = {"code": engine.wait(60), "afterS": round(time.time() - told, 2)}
    finally:
        found["hostPeak"] = card.peak
        try:
            os.killpg(engine.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if "wire" in locals():
            json.dump(wire, open(os.path.join(OUT, f"{name}.json"), "w"), indent=1, default=plain)
        json.dump(report, open(os.path.join(OUT, "report.json"), "w"), indent=1, default=plain)


card = Card(os.path.join(OUT, "nvml.jsonl"))
guarded(report, "card", card.facts)
card.start()
time.sleep(3)
for run in json.load(open(PLAN)):
    guarded({}, run["name"], lambda: serve(run, card))
    phase = "idle"
    time.sleep(2)
short = {name: {k: v for k, v in found.items() if k != "setup"} if isinstance(found, dict) else found for name, found in report.items()}
for found in short.values():
    if isinstance(found, dict) and isinstance(found.get("load"), dict):
        found["load"] = {**found["load"], "each": found["load"]["each"][:1]}
json.dump(report, open(os.path.join(OUT, "report.json"), "w"), indent=1, default=plain)
print(json.dumps(short, default=plain)[:6000])
