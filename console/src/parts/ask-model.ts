// Asks a model at /v1, and hands on what it says as it comes. The same that any OpenAI client does.

export type Content =
  | string
  | readonly ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[];

export interface Prompt {
  model: string;
  messages: readonly { role: 'system' | 'user' | 'assistant'; content: Content }[];
  /** As OpenAI has them. */
  tools?: readonly unknown[] | undefined;
  temperature?: number | undefined;
  top_p?: number | undefined;
  max_tokens?: number | undefined;
}

/** A call that a model asks for, as it has written it. */
export interface ToolCall {
  name: string;
  arguments: string;
}

/** How an answer ended. */
export interface Answered {
  toolCalls: ToolCall[];
  /** The id under which the gateway counts it. */
  requestId: string | null;
  /** As the engine counts; null where it said nothing. */
  completionTokens: number | null;
  /** In the gateway's words; null: it is whole. */
  failure: string | null;
}

export interface Listener {
  /** A piece of the answer. */
  said(text: string): void;
  /** The model is not there yet. */
  waits(): void;
}

/** Rejects where nobody answers, and with an AbortError once it is told to stop. */
export async function askModel(
  prompt: Prompt,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
  listener: Listener,
): Promise<Answered> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...prompt, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  const requestId = response.headers.get('X-Request-Id');
  const answered: Answered = { requestId, toolCalls: [], completionTokens: null, failure: null };
  if (!response.ok || !response.body) {
    const body = await response.json().catch(() => undefined);
    return { ...answered, failure: failureIn(body) ?? `${response.status}` };
  }
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const events = rest.split('\n\n');
    rest = done ? '' : (events.pop() ?? '');
    for (const event of events) hear(event, answered, listener);
    if (done) return answered;
  }
}

function hear(event: string, answered: Answered, { said, waits }: Listener): void {
  if (event.startsWith(':')) return void waits();
  const data = /^data: ?(.*)$/ms.exec(event)?.[1];
  if (data === undefined || data.trim() === '[DONE]') return;
  const json = jsonIn(data);
  const failure = failureIn(json);
  if (failure !== undefined) answered.failure = failure;
  const { choices, usage } = (json ?? {}) as {
    choices?: { delta?: { content?: unknown; tool_calls?: unknown } }[];
    usage?: { completion_tokens?: unknown } | null;
  };
  const { content: text, tool_calls: calls } = choices?.[0]?.delta ?? {};
  if (typeof text === 'string' && text !== '') said(text);
  if (Array.isArray(calls)) for (const call of calls) addCall(answered.toolCalls, call);
  if (typeof usage?.completion_tokens === 'number') answered.completionTokens = usage.completion_tokens;
}

const MOST_CALLS = 100;

/** A piece of one: its arguments come in many. */
function addCall(calls: ToolCall[], piece: unknown): void {
  const { index = calls.length, function: called } = (piece ?? {}) as {
    index?: unknown;
    function?: { name?: unknown; arguments?: unknown };
  };
  if (typeof index !== 'number' || !(index >= 0 && index <= calls.length && index < MOST_CALLS)) return;
  const known = calls[index] ?? { name: '', arguments: '' };
  if (typeof called?.name === 'string') known.name += called.name;
  if (typeof called?.arguments === 'string') known.arguments += called.arguments;
  calls[index] = known;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureIn(json: unknown): string | undefined {
  const message = (json as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === 'string' ? message : undefined;
}
