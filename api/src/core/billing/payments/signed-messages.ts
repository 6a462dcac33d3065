// How messages between us and a payment network are signed: over their time, a nonce and their bytes, with a shared key (HMAC) or
// the sender's own (RSA). A message with a wrong signature or an old time is not read. Pure except for the nonce.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { BadSignature } from './channel.ts';

export type Keys =
  | { readonly scheme: 'hmac-sha256'; readonly secret: Buffer }
  | { readonly scheme: 'rsa-sha256'; readonly own: KeyObject; readonly theirs: KeyObject };

/** How old a message may be, and how far in the future. */
const TOLERANCE_S = 300;

export interface Envelope {
  /** `POST /orders` for a request; empty for an answer. */
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Buffer;
}

const textOf = ({ target, timestamp, nonce, body }: Envelope): Buffer =>
  Buffer.concat([Buffer.from(`${target}\n${timestamp}\n${nonce}\n`), body]);

/** Base64. */
export function signatureOf(keys: Keys, envelope: Envelope): string {
  const text = textOf(envelope);
  return keys.scheme === 'hmac-sha256'
    ? createHmac('sha256', keys.secret).update(text).digest('base64')
    : sign('sha256', text, keys.own).toString('base64');
}

/** Throws BadSignature. `now`: seconds since 1970. */
export function requireSigned(keys: Keys, envelope: Envelope, signature: string, now: number): void {
  const age = Math.abs(now - Number(envelope.timestamp));
  const isFresh = /^\d{1,12}$/.test(envelope.timestamp) && age <= TOLERANCE_S;
  if (!isFresh || !isSigned(keys, envelope, signature))
    throw new BadSignature('a message of a payment network is not signed');
}

function isSigned(keys: Keys, envelope: Envelope, signature: string): boolean {
  const received = Buffer.from(signature, 'base64');
  const text = textOf(envelope);
  if (keys.scheme === 'rsa-sha256') return verify('sha256', text, keys.theirs, received);
  const right = createHmac('sha256', keys.secret).update(text).digest();
  return received.length === right.length && timingSafeEqual(received, right);
}

/**
 * Out of a file: a secret of one line, or two PEM blocks, our private key and the network's public one. Throws a RangeError for
 * a secret shorter than 16 bytes.
 */
export function keysOf(text: string): Keys {
  const blocks = text.match(/-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/g) ?? [];
  const [own, theirs] = [/PRIVATE KEY/, /PUBLIC KEY|CERTIFICATE/].map((kind) =>
    blocks.find((block) => kind.test(block)),
  );
  if (own && theirs) return { scheme: 'rsa-sha256', own: createPrivateKey(own), theirs: createPublicKey(theirs) };
  const secret = Buffer.from(text.trim());
  if (blocks.length > 0 || secret.length < 16)
    throw new RangeError(
      'the key of a payment network is one secret of 16 bytes or more, or a private and a public key as PEM',
    );
  return { scheme: 'hmac-sha256', secret };
}
