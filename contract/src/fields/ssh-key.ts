// Whether an OpenSSH public key is one: what the SSH servers would leave out is named before anybody tries to log in.

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
export function brokenKeyRule(publicKey: string): string | undefined {
  const [kind = '', blob = ''] = publicKey.split(' ');
  const fields = FIELDS[kind];
  if (fields === undefined) return `${kind} is no kind of key that can log in`;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(blob) || blob.length % 4 !== 0) return 'its base64 is damaged';
  const parts = partsOf(Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0)));
  if (!parts) return 'it is cut off or has something after its end';
  const inner = String.fromCharCode(...(parts[0] ?? []));
  if (inner !== kind) return `it says ${kind} outside and another kind inside`;
  if (parts.length !== fields + 1 || parts.some(({ length }) => length === 0))
    return 'it lacks a part or has one too many';
  return kind.includes('ed25519') && parts[1]?.length !== 32 ? 'an Ed25519 key has 32 bytes' : undefined;
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
