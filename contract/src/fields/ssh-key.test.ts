import { expect, test } from '@jest/globals';
import { sentence } from '../define-kind.ts';
import { brokenKeyRule } from './ssh-key.ts';

// Made with ssh-keygen; nobody has their private halves.
const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const ECDSA =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGHnSoAZrUnL1w7DuoRnRWsoqFirAQow+kXQrnAsXFnNUGZdrtkaN/ewmsRHG1c3y8aPik6BOyqD3gWLFLYJGBg=';
const RSA =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDfzgsw2FOWp+Cy6XWa7rdlY0XXGWTH2bpGPfIX/pqhIiXs8JD+j/efqUHZj4bJOv9MG+VLBct+nncJunq9ptiRJ4wjNxMFIIrtEoWueO4RJVFHeK1PxzC04wNoQ6Ntn7WeHsjSIgZyr6+xRQn+Ne3LPic62Xjhbp22T6bLJq1K2sPh3HZnBcxk0WuNG/J75vTnggEt3vM1T7FsVW52wKb54mLhrKVCxtC6gnFyWwme0KqJQ+ACknMSxnVHcfrxJrSeI2n4pokfBE6KRy9WBagP+2NJ9f6cPpgMNioL898i3Vxgm4+GLHCH/4G9rJ6fuguXcLw8iHLR4dVdkI+QHMJG+oofSXI6+23/h+H8i/Jn3DzrAu9ztJ9HV6paCS8Wf3Q5fy4RaU4SrvFOXR08a1eYXkIQ5Kyt+X/lve0nDQEW2pl/Z+NDk1JDn8rEcbBhGXV/jg7eXHVLTRTmPoqQPEnBrTiaehkG3WZCL0hfw/ctaRvJhOt6xRxmpElAMr9K7Yc=';

test.each([
  ['Ed25519', ED25519],
  ['with a remark', `${ED25519} ann@laptop of hers`],
  ['ECDSA', ECDSA],
  ['RSA', RSA],
])('a key of ssh-keygen is sound: %s', (_, key) => expect(brokenKeyRule(key)).toBeUndefined());

test.each([
  ['ssh-dss AAAA', 'a key of type ssh-dss cannot log in'],
  ['ssh-ed25519 AAAA=AAA', 'its base64 is not valid'],
  [ED25519.slice(0, -1), 'its base64 is not valid'],
  [
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM',
    'it is cut off, or has extra data at its end',
  ],
  [
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9AAAA',
    'it is cut off, or has extra data at its end',
  ],
  [
    'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9',
    'it is labelled ssh-rsa but contains another type',
  ],
  ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5', 'a part is missing, or there is one too many'],
  ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAH2FhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=', 'an Ed25519 key has 32 bytes'],
])('%s: %s', (key, rule) => {
  const broken = brokenKeyRule(key);
  expect(broken && sentence(broken.words, 'en', broken.args)).toBe(rule);
});
