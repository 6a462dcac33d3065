// A statement in an envelope (DSSE v1, as in-toto's tools read it) with a signature by a key of whoever publishes: Ed25519, whose
// signature is the same each time, as the bundle is.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The private key in SIGNING_KEY's file; undefined without one. Throws a sentence for another kind of key. */
export function signingKey(file = process.env.SIGNING_KEY ?? ''): KeyObject | undefined {
  if (file === '') return undefined;
  const wanted =
    'SIGNING_KEY: must name a file with an Ed25519 key: openssl genpkey -algorithm ed25519 -out signing.pem';
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Error(`${wanted}; "${file}": ${(error as Error).message}`);
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${wanted}; "${file}" has one of ${key.asymmetricKeyType}`);
  return key;
}

export function signStatement(statement: object, key: KeyObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keyid = createHash('sha256').update(spki).digest('hex');
  const sig = sign(null, signedBytes(payload), key).toString('base64');
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
}

/** The signed bytes: type and payload, each after its length. */
const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);
