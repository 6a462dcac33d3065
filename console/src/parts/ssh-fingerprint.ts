// A public key's fingerprint as ssh-keygen shows it, so that people recognise their key before and after sending it.

/**
 * `SHA256:…` of "ssh-ed25519 AAAA… comment"; undefined if it is damaged, or this page was not loaded over a secure connection.
 */
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

/** Pasted or chosen by mistake: the private half. */
export const isPrivateKey = (text: string): boolean =>
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|PuTTY-User-Key-File/.test(text);

/** The words after the key: mostly whose it is, and where. */
export const commentOf = (publicKey: string): string => publicKey.trim().split(/\s+/).slice(2).join(' ');
