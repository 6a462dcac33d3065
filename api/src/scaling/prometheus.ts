// Asks Prometheus for one number, on behalf of a tenant whose query is already confined. Whatever is not exactly one finite number
// is none.

export interface PrometheusParts {
  url: string;
  /** Node's own, unless a test plays it. */
  fetch?: typeof fetch;
}

const ASK_MS = 3_000;
const MOST_BYTES = 64 * 1024;

/** Undefined: no value, several, or none that is finite. Throws where Prometheus does not answer as it should. */
export async function readNumber(
  { url, fetch: ask = fetch }: PrometheusParts,
  query: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await ask(new URL('api/v1/query', url.endsWith('/') ? url : `${url}/`), {
    method: 'POST',
    body: new URLSearchParams({ query, timeout: `${ASK_MS}ms`, limit: '2' }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS + 1_000)]),
  });
  const text = await bounded(answer);
  if (!answer.ok) throw new Error(`Prometheus answers with ${answer.status}`);
  return numberIn(JSON.parse(text));
}

/** Labels in it prove nothing and are not read. */
function numberIn(answer: unknown): number | undefined {
  const { resultType, result } = fieldsOf(fieldsOf(answer).data);
  const sample =
    resultType === 'scalar'
      ? result
      : resultType === 'vector' && Array.isArray(result) && result.length === 1
        ? fieldsOf(result[0]).value
        : undefined;
  const value: unknown = Array.isArray(sample) ? sample[1] : undefined;
  // Number('') is 0.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

async function bounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('Prometheus answers too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
