// Calls of an adapter: one signed POST each. The adapter's operator checks the signature and the time. Redirects are not followed,
// internal addresses are refused unless explicitly allowed, and an answer has a limit.
import { createHmac } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { INNER, NOT_PUBLIC } from '@gantry/contract/inner-addresses.ts';
import { addressList } from '../address-list.ts';
import { proxyHosts } from '../way-out.ts';

const LIMIT_MS = 10_000;
const MOST_ANSWER_BYTES = 65_536;

const NETWORKS = addressList([...INNER.v4, ...INNER.v6]);

/** Whether an address belongs to no public network. An IPv4-mapped IPv6 address counts as IPv4. */
const isInner = (ip: string): boolean => NETWORKS.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

const INNER_NAME = new RegExp(NOT_PUBLIC);

/** Whether the host of a URL is written as one inside; what its name resolves to is another question. */
export function isInnerHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return isIP(host) === 0 ? INNER_NAME.test(host) : isInner(host);
}

class InnerAddress extends Error {
  readonly code = 'EINNER';
}

/**
 * The connection goes to the address that was checked: a name that resolves to another one a moment later gains nothing. Proxies are
 * the installation's own choice.
 */
const publicLookup: LookupFunction = (host, options, done) =>
  resolve(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const inner = proxyHosts().includes(host) ? undefined : found.find(({ address }) => isInner(address));
    if (inner) return done(new InnerAddress(`${host} is inside`), []);
    return options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
  });

/**
 * A proxy resolves names itself. It is not asked for one that is written as one inside, or that has an address inside here; a name that
 * nobody here knows is the proxy's to judge, because behind most proxies no name of the internet is known.
 */
async function requirePublic(host: string): Promise<void> {
  const found = isInnerHost(host) ? undefined : await lookup(host, { all: true }).catch(() => []);
  if (!found || found.some(({ address }) => isInner(address))) throw new InnerAddress(`${host} is inside`);
}

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
  if (!allowInner && proxyHosts().length > 0) await requirePublic(to.hostname.replace(/^\[|\]$/g, ''));
  const request = to.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((answered, failed) => {
    const host = to.hostname.replace(/^\[|\]$/g, '');
    // A literal address is not looked up.
    if (!allowInner && isIP(host) && isInner(host)) return failed(new InnerAddress(`${host} is inside`));
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
