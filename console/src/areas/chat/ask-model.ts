// Asks a model at /v1, and hands on what it says as it comes. The same that any OpenAI client does.

export interface Prompt {
  model: string;
  messages: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
  temperature?: number | undefined;
  top_p?: number | undefined;
  max_tokens?: number | undefined;
}

/** How an answer ended. */
export interface Answered {
  /** What of it the gateway counts by. */
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
  const answered: Answered = { requestId: response.headers.get('X-Request-Id'), completionTokens: null, failure: null };
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
    choices?: { delta?: { content?: unknown } }[];
    usage?: { completion_tokens?: unknown } | null;
  };
  const text = choices?.[0]?.delta?.content;
  if (typeof text === 'string' && text !== '') said(text);
  if (typeof usage?.completion_tokens === 'number') answered.completionTokens = usage.completion_tokens;
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
