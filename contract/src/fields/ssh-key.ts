// Whether an OpenSSH public key is one: what the SSH servers would leave out is named before anybody tries to log in.
import { sentence, type Words } from '../define-kind.ts';

/** Each follows its field's name in a sentence. */
export const KEY_RULES = {
  kind: {
    en: '{kind} is no kind of key that can log in',
    zh: '{kind} 不是可用于登录的密钥类型',
    ja: '{kind} はログインに使える鍵の種類ではありません',
  },
  base64: { en: 'its base64 is damaged', zh: '其 base64 内容已损坏', ja: 'base64 が壊れています' },
  cut: {
    en: 'it is cut off or has something after its end',
    zh: '内容被截断或末尾有多余内容',
    ja: '途中で切れているか、末尾に余分なものがあります',
  },
  inner: {
    en: 'it says {kind} outside and another kind inside',
    zh: '外部标明为 {kind}，内部却是另一种类型',
    ja: '外側は {kind} ですが、内側は別の種類です',
  },
  parts: {
    en: 'it lacks a part or has one too many',
    zh: '缺少或多出一个部分',
    ja: '構成要素が足りないか、余分にあります',
  },
  length: { en: 'an Ed25519 key has 32 bytes', zh: 'Ed25519 密钥应为 32 字节', ja: 'Ed25519 の鍵は 32 バイトです' },
} as const satisfies Record<string, Words>;

const broken = (rule: keyof typeof KEY_RULES, args?: Record<string, string>): string =>
  sentence(KEY_RULES[rule], 'en', args);

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

/** Which rule a public key breaks, in English, to follow its field's name in a sentence; undefined where it is sound. */
export function brokenKeyRule(publicKey: string): string | undefined {
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
