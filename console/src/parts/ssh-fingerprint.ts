// What ssh-keygen shows of a public key, so that a person knows theirs again before and after sending it.

/** `SHA256:…` of "ssh-ed25519 AAAA… comment"; undefined where it is damaged, or this page was not loaded over a safe connection. */
export async function sshFingerprint(publicKey: string): Promise<string | undefined> {
  const [, blob = ''] = publicKey.trim().split(/\s+/);
  if (blob === '' || globalThis.crypto.subtle === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
  } catch {
    return undefined;
  }
}

/** What was pasted or chosen by mistake: the half that is nobody else's business. */
export const isPrivateKey = (text: string): boolean =>
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|PuTTY-User-Key-File/.test(text);

/** The words after the key: mostly whose it is, and where. */
export const commentOf = (publicKey: string): string => publicKey.trim().split(/\s+/).slice(2).join(' ');
