// The adapter at the wire: what it is sent, and what becomes of what it answers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { signatureOf } from '../../../platform/mail/signed-post.ts';
import { realNameChecker } from './check-real-name.ts';

const NOW = 1_790_000_000_000;
const KEY = 'shared';
const person = {
  type: 1 as const,
  name: '张三',
  id_card: '11010519491231002X',
  phone: '13800000000',
  commitment: true as const,
};
let server: Server;
let answer: { status: number; body: string };
let got: { body: string; signature: unknown; timestamp: unknown }[];
let warned: object[];

beforeAll(async () => {
  server = createServer(async (req, res) => {
    const { 'x-gantry-signature': signature, 'x-gantry-timestamp': timestamp } = req.headers;
    got.push({ body: await text(req), signature, timestamp });
    res.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  got = [];
  warned = [];
});

const log = { warn: (facts: object) => void warned.push(facts) };
const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
const check = (allowInner = true) =>
  realNameChecker({ url: urlOf(), key: KEY, allowInner }, { now: () => NOW, log })('rna-1', person);

test.each([
  ['approved', '{"result":"approved"}', { step: 'approve' }],
  [
    'rejected with a reason',
    '{"result":"rejected","reason":"No such person."}',
    { step: 'reject', reason: 'No such person.' },
  ],
  ['unsure', '{"result":"unsure"}', { step: 'take' }],
])('%s', async (_, body, verdict) => {
  answer = { status: 200, body };
  expect(await check()).toEqual(verdict);
  expect(warned).toEqual([]);
  const [{ body: sent = '', signature, timestamp } = {}] = got;
  expect(timestamp).toBe(`${NOW / 1000}`);
  expect(signature).toBe(signatureOf(KEY, `${timestamp}`, sent));
  expect(JSON.parse(sent)).toEqual({
    id: 'rna-1',
    type: 'personal',
    name: person.name,
    id_card: person.id_card,
    phone: person.phone,
  });
});

test.each([
  ['rejected without a reason', 200, '{"result":"rejected","reason":" "}'],
  ['another word', 200, '{"result":"maybe"}'],
  ['no JSON', 200, `${person.id_card} is fine`],
  ['a reason that hides letters', 200, '{"result":"rejected","reason":"a\\u202eb"}'],
  ['a megabyte of one letter', 200, `{"result":"approved","x":"${'a'.repeat(1 << 20)}"}`],
  ['a failure', 500, '{"result":"approved"}'],
  ['a redirect', 302, ''],
])('%s is for an auditor, and the log names nobody', async (_, status, body) => {
  answer = { status, body };
  expect(await check()).toEqual({ step: 'take' });
  expect(warned).toHaveLength(1);
  expect(JSON.stringify(warned)).not.toContain(person.id_card);
  expect(JSON.stringify(warned)).not.toContain(person.name);
});

test('an inner address is not called unless it is allowed', async () => {
  answer = { status: 200, body: '{"result":"approved"}' };
  expect(await check(false)).toEqual({ step: 'take' });
  expect(got).toEqual([]);
});
