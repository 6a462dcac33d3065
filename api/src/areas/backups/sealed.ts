// A backup as it lies on a disk or in a bucket: encrypted in frames, so that memory does not grow with it, and authenticated from
// the first byte to the last. Whoever changes, swaps, repeats, drops or adds a byte makes a file that is refused.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';

// The header: these eight letters, the format's number, the salt, and by which secret it is. It is authenticated with every frame.
const MAGIC = Buffer.from('GANTRYBK');
const FORMAT = 1;
const SALT_BYTES = 32;
const CHECK_BYTES = 16;
const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES + CHECK_BYTES;

/** Then frames, each of so many bytes, encrypted, with the tag behind them; only the last has fewer. An empty file has one frame. */
const FRAME_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_BYTES = FRAME_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

/** A passphrase is guessed slowly; 32 MiB each. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const LEAST_LETTERS = 16;

/** A sentence for whoever has the file. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export interface Keys {
  readonly salt: Buffer;
  /** Says by which secret a file is, and nothing about it. */
  readonly check: Buffer;
  readonly cipher: Buffer;
  /** For the manifest that lies beside the file. */
  readonly manifest: Buffer;
}

/**
 * The secrets in a key file, one a line. The first seals; the others still open what was sealed before the key changed. Throws a
 * sentence, which never quotes them.
 */
export function secretsIn(text: string): readonly string[] {
  const secrets = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (secrets.length === 0) throw new Error('holds no key: one line with 16 or more letters is needed');
  const short = secrets.findIndex((secret) => secret.length < LEAST_LETTERS);
  if (short !== -1)
    throw new Error(
      `has a key of ${secrets[short]?.length} letters in line ${short + 1}, fewer than ${LEAST_LETTERS}: any line of random text serves, such as that of "openssl rand -base64 32"`,
    );
  return secrets;
}

const stretched = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** Each file has a salt of its own, so that no two files share a key. */
async function keysOf(secret: string, salt: Buffer): Promise<Keys> {
  const root = await stretched(secret, salt, 32, SCRYPT);
  const derived = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', root, salt, `gantry backup ${FORMAT} ${what}`, bytes));
  return {
    salt,
    check: derived('check', CHECK_BYTES),
    cipher: derived('cipher', 32),
    manifest: derived('manifest', 32),
  };
}

export const newKeys = ([secret = '']: readonly string[]): Promise<Keys> => keysOf(secret, randomBytes(SALT_BYTES));

export const macOf = ({ manifest }: Keys, text: string): string =>
  createHmac('sha256', manifest).update(text).digest('hex');

const headerOf = ({ salt, check }: Keys): Buffer => Buffer.concat([MAGIC, Buffer.of(FORMAT), salt, check]);

/** Its number, and whether it is the last: two frames never have the same, and none can take another's place. */
function nonceOf(frame: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(frame), 0);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Joins what comes in into pieces of this size; the last is what is left, and known to be the last. */
abstract class Frames extends Transform {
  readonly #bytes: number;
  #held: Buffer[] = [];
  #length = 0;

  constructor(bytes: number) {
    super();
    this.#bytes = bytes;
  }

  protected abstract frame(bytes: Buffer, isLast: boolean): void;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#held.push(chunk);
    this.#length += chunk.length;
    // One byte more: only then is it known that a whole piece is not the last.
    finished(done, () => {
      if (this.#length <= this.#bytes) return;
      let all = Buffer.concat(this.#held);
      while (all.length > this.#bytes) {
        this.frame(all.subarray(0, this.#bytes), false);
        all = all.subarray(this.#bytes);
      }
      this.#held = [all];
      this.#length = all.length;
    });
  }

  override _flush(done: (error?: Error | null) => void): void {
    finished(done, () => this.frame(Buffer.concat(this.#held), true));
  }
}

function finished(done: (error?: Error | null) => void, work: () => void): void {
  try {
    work();
    done();
  } catch (error) {
    done(error as Error);
  }
}

class Seal extends Frames {
  readonly #keys: Keys;
  readonly #header: Buffer;
  #frame = 0;

  constructor(keys: Keys) {
    super(FRAME_BYTES);
    this.#keys = keys;
    this.#header = headerOf(keys);
    this.push(this.#header);
  }

  protected override frame(bytes: Buffer, isLast: boolean): void {
    const cipher = createCipheriv(CIPHER, this.#keys.cipher, nonceOf(this.#frame++, isLast));
    cipher.setAAD(this.#header);
    this.push(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
  }
}

class Open extends Frames {
  readonly #keys: Keys;
  readonly #name: string;
  #frame = 0;

  constructor(keys: Keys, name: string) {
    super(SEALED_BYTES);
    this.#keys = keys;
    this.#name = name;
  }

  protected override frame(sealed: Buffer, isLast: boolean): void {
    const number = this.#frame++;
    const opened = this.#opened(sealed, number, isLast);
    if (opened) this.push(opened);
    else if (isLast && (sealed.length < TAG_BYTES || this.#opened(sealed, number, false)))
      throw new Unreadable(`${this.#name} ends early: it is not a whole backup`);
    else
      throw new Unreadable(
        `${this.#name} is damaged or was changed: frame ${number + 1} is not what was written there`,
      );
  }

  #opened(sealed: Buffer, number: number, isLast: boolean): Buffer | undefined {
    if (sealed.length < TAG_BYTES) return undefined;
    const decipher = createDecipheriv(CIPHER, this.#keys.cipher, nonceOf(number, isLast));
    decipher.setAAD(headerOf(this.#keys));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** Encrypts what flows through. */
export const sealing = (keys: Keys): Transform => new Seal(keys);

/** Decrypts what comes after the header. Nothing of a frame comes out before it is authenticated; fails with Unreadable. */
export const opening = (keys: Keys, name: string): Transform => new Open(keys, name);

export const SEALED_HEADER_BYTES = HEADER_BYTES;

/** The keys for the file that begins like this. Throws Unreadable: it is something else, or sealed by none of the secrets. */
export async function keysFor(header: Buffer, secrets: readonly string[], name: string): Promise<Keys> {
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Unreadable(`${name} is no backup of Gantry's`);
  const format = header[MAGIC.length];
  if (format !== FORMAT)
    throw new Unreadable(`${name} has format ${format}, and this version of Gantry reads format ${FORMAT}`);
  const salt = header.subarray(MAGIC.length + 1, MAGIC.length + 1 + SALT_BYTES);
  const check = header.subarray(-CHECK_BYTES);
  for (const secret of secrets) {
    const keys = await keysOf(secret, Buffer.from(salt));
    if (timingSafeEqual(keys.check, check)) return keys;
  }
  throw new Unreadable(`${name} was sealed by another key than those in --backup-key-file`);
}
