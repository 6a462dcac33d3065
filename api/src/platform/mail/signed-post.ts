// Calls of an adapter: one signed POST each. The adapter's operator checks the signature and the time. Redirects are not followed,
// internal addresses are refused unless explicitly allowed, and an answer has a limit.
import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { demandPublic, publicLookup } from '../public-address.ts';

const LIMIT_MS = 10_000;
const MOST_ANSWER_BYTES = 65_536;

export interface Adapter {
  url: string;
  /** Shared with the adapter. */
  key: string;
  allowInner: boolean;
}

/** `X-Gantry-Signature` is the hex HMAC-SHA256 of `<timestamp>.<body>`, the timestamp being that of `X-Gantry-Timestamp`. */
export const signatureOf = (key: string, timestamp: string, body: string): string =>
  createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');

/** Resolves with the body of a successful answer. Rejects with a `code` for logs, which names no person. */
export async function signedPost({ url, key, allowInner }: Adapter, content: object, now: number): Promise<string> {
  const to = new URL(url);
  if (!allowInner) await demandPublic(to.hostname.replace(/^\[|\]$/g, ''));
  const request = to.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((answered, failed) => {
    const body = JSON.stringify(content);
    const timestamp = `${Math.floor(now / 1_000)}`;
    const call = request(
      to,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-gantry-timestamp': timestamp,
          'x-gantry-signature': signatureOf(key, timestamp, body),
        },
        ...(allowInner ? {} : { lookup: publicLookup }),
        signal: AbortSignal.timeout(LIMIT_MS),
      },
      (answer) => {
        const { statusCode = 0 } = answer;
        if (statusCode < 200 || statusCode >= 300) {
          answer.resume();
          failed(Object.assign(new Error(`The adapter answered ${statusCode}`), { code: `HTTP ${statusCode}` }));
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > MOST_ANSWER_BYTES)
            call.destroy(Object.assign(new Error('The adapter said too much'), { code: 'ETOOLARGE' }));
        });
        answer.on('error', failed);
        answer.on('end', () => answered(Buffer.concat(chunks).toString('utf8')));
      },
    );
    call.on('error', failed);
    call.end(body);
  });
}
