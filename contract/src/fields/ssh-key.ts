// Whether an OpenSSH public key is one: what the SSH servers would leave out is named before anybody tries to log in.
import type { Words } from '../define-kind.ts';
import * as en from '../words/en/ssh-keys.ts';
import * as ja from '../words/ja/ssh-keys.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/ssh-keys.ts';

/** Each follows its field's name in a sentence. */
export const KEY_RULES = joined('key', { en: en.rules, zh: zh.rules, ja: ja.rules });

interface Broken {
  words: Words;
  args: Record<string, string>;
}
const broken = (rule: keyof typeof KEY_RULES, args = {}): Broken => ({ words: KEY_RULES[rule], args });

/** How many strings follow the name inside a key of each kind (RFC 4253, 5656, 8709; OpenSSH's PROTOCOL.u2f). */
const FIELDS: Record<string, number> = {
  'ssh-ed25519': 1,
  'ssh-rsa': 2,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
  'sk-ssh-ed25519@openssh.com': 2,
  'sk-ecdsa-sha2-nistp256@openssh.com': 3,
};

/** Which rule a public key breaks, to follow its field's name in a sentence; undefined where it is sound. */
export function brokenKeyRule(publicKey: string): Broken | undefined {
  const [kind = '', blob = ''] = publicKey.split(' ');
  const fields = FIELDS[kind];
  if (fields === undefined) return broken('kind', { kind });
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(blob) || blob.length % 4 !== 0) return broken('base64');
  const parts = partsOf(Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0)));
  if (!parts) return broken('cut');
  const inner = String.fromCharCode(...(parts[0] ?? []));
  if (inner !== kind) return broken('inner', { kind });
  if (parts.length !== fields + 1 || parts.some(({ length }) => length === 0)) return broken('parts');
  return kind.includes('ed25519') && parts[1]?.length !== 32 ? broken('length') : undefined;
}

/** The strings of the wire form, each led by its length in four bytes; undefined where they do not fill it exactly. */
function partsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const end = at + 4 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return at === bytes.length ? parts : undefined;
}
