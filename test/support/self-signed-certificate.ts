// A TLS certificate for 127.0.0.1, made in memory: node:crypto makes keys but no certificates, and a fresh machine may
// have no openssl. Only for fakes; the DER below is the least that TLS clients accept (RFC 5280 section 4.1).
import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const EXPLICIT_0 = 0xa0;
const EXPLICIT_3 = 0xa3;
const IP_ADDRESS = 0x87;

const ED25519 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2b6570', 'hex')));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));
const SUBJECT_ALT_NAME = der(OBJECT_ID, Buffer.from('551d11', 'hex'));

/** PEM texts, valid from 2020 to 2049 for the address 127.0.0.1; the certificate is its own CA. */
export function selfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from('fake')))));
  const altName = der(OCTET_STRING, der(SEQUENCE, der(IP_ADDRESS, Buffer.from([127, 0, 0, 1]))));
  const body = der(
    SEQUENCE,
    der(EXPLICIT_0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ED25519,
    name,
    der(SEQUENCE, der(UTC_TIME, Buffer.from('200101000000Z')), der(UTC_TIME, Buffer.from('490101000000Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXPLICIT_3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, altName))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign(null, body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(SEQUENCE, body, ED25519, signature)),
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

/** The shortest form: Go takes no other. */
function lengthOf(bytes: number): number[] {
  if (bytes < 0x80) return [bytes];
  return bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff];
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
