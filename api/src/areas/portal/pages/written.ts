// One answer of the portal as it goes out: its bytes, plain and compressed, and the headers that they need.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { NO_PAGE } from './policy.ts';

const compressed = promisify(brotliCompress);

export interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly plain: Buffer;
  readonly brotli: Buffer;
}

const QUALITY = 6;

/** Compresses beside the loop. `policy` is the Content-Security-Policy. */
export async function written(
  text: string,
  { status = 200, type, policy }: { status?: number; type: string; policy: string },
): Promise<Written> {
  const plain = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return {
    status,
    plain,
    brotli: await compressed(plain, { params }),
    // Weak: it stands for both encodings.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
      vary: 'Accept-Encoding',
      ...ALWAYS,
    },
  };
}

const ALWAYS = {
  'permissions-policy': ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
    .map((feature) => `${feature}=()`)
    .join(', '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Browsers ignore it over plain HTTP.
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Its address changes with it. */
export function writeLogo(req: IncomingMessage, res: ServerResponse, png: Buffer): void {
  res.writeHead(200, {
    ...ALWAYS,
    'content-type': 'image/png',
    'content-length': png.length,
    'content-security-policy': NO_PAGE,
    'cache-control': 'public, max-age=31536000, immutable',
  });
  res.end(req.method === 'HEAD' ? undefined : png);
}

export const sizeOf = ({ plain, brotli }: Written): number => plain.length + brotli.length;

export function write(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, etag, plain, brotli }: Written,
): void {
  if (status === 200) {
    res.setHeader('etag', etag);
    if (knows(req.headers['if-none-match'], etag)) {
      res.writeHead(304, { ...headers }).end();
      return;
    }
  }
  const takesBrotli = /(^|,)\s*br\s*(?!;\s*q=0(\.0*)?\s*(,|$))/.test(`${req.headers['accept-encoding'] ?? ''}`);
  const bytes = takesBrotli ? brotli : plain;
  res.writeHead(status, {
    ...headers,
    ...(takesBrotli && { 'content-encoding': 'br' }),
    'content-length': bytes.length,
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

const knows = (header: string | undefined, etag: string): boolean | undefined =>
  header?.split(',').some((one) => one.trim() === etag || one.trim() === '*');
