// Random tokens, their hashes, and encrypted values. Nothing that is handed out is stored in plain text.
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

/** The stored form of a token: it has 256 random bits, so neither a salt nor a slow hash is needed. */
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

  /** For values short enough to be brute-forced: that is impossible without the platform's key. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  /** Encrypts for one purpose; `open` decrypts. */
  seal(purpose: string, text: string): string {
    return this.sealBytes(purpose, Buffer.from(text, 'utf8')).toString('base64url');
  }

  open(purpose: string, sealed: string): string {
    return this.openBytes(purpose, Buffer.from(sealed, 'base64url')).toString('utf8');
  }

  sealBytes(purpose: string, content: Uint8Array): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyFor(purpose), iv, { authTagLength: TAG_BYTES });
    const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws for anything that was changed, or sealed for another purpose. */
  openBytes(purpose: string, sealed: Uint8Array): Buffer {
    const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor(purpose), iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  }

  keyFor(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#platformKey, '', `gantry.dev/identity/${purpose}`, 32));
  }
}
