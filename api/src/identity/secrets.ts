// Random tokens, what is kept of them, and what is kept sealed. Nothing that is handed out lies anywhere as it is.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** 32 bytes by chance, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a token: it has 256 bits by chance, so that no salt or slow hash is needed. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys for one purpose each, derived from the platform's key. */
export class Secrets {
  readonly #platformKey: Uint8Array;

  constructor(platformKey: Uint8Array) {
    if (platformKey.length < 32) throw new Error('The platform key has fewer than 32 bytes.');
    this.#platformKey = platformKey;
  }

  /** For what is short enough to be found by trying all: without the platform's key nobody can try. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  /** Encrypted and bound to its purpose; `open` gives it back. */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyFor(purpose), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  open(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor(purpose), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  keyFor(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#platformKey, '', `gantry.dev/identity/${purpose}`, 32));
  }
}
