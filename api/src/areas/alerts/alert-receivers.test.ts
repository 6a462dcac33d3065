// Receivers of alarms outside the platform, over the wire: calls are signed, tried again and never redirected; and the policy's people see
// what did not get through.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ALERT_ROUTES as R } from '@gantry/contract/areas/alerts/alerts.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { HttpClient } from '../../../../test/support/http-client.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { accounts } from '../../platform/db/schema/people.ts';
import { signatureOf } from '../../platform/mail/signed-post.ts';

const PATIENCE_MS = 60_000;
const KEY = 'a key of ours';

interface Received {
  path: string;
  signature: unknown;
  timestamp: string;
  body: string;
}

let folder: string;
let receiver: Server;
let gateway: MemoryGateway;
let owner: HttpClient;
const received: Received[] = [];
const calls = (path: string): Received[] => received.filter((one) => one.path.split('?')[0] === path);

beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const { url: path = '', headers } = req;
    const timestamp = String(headers['x-gantry-timestamp']);
    received.push({ path, timestamp, signature: headers['x-gantry-signature'], body: await text(req) });
    if (path === '/moved') return void res.writeHead(302, { location: '/inner' }).end();
    if (path.startsWith('/robot')) return void res.end('{"errcode":310000,"errmsg":"sign not match"}');
    res.writeHead(path === '/hook' && calls('/hook').length === 1 ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'gantry-receivers-'));
  const smsKey = join(folder, 'sms-key');
  await writeFile(smsKey, KEY);
  const db = await migratedDatabase();
  gateway = await startMemoryGateway({
    db,
    flags: [
      '--alerts-allow-inner=true',
      `--sms-url=${address}/sms`,
      `--sms-key-file=${smsKey}`,
      '--sms-allow-inner=true',
    ],
    objects: [
      kindObject(gpuInstance, 'ins-bad', {
        namespace: 'org-acmeorgs',
        spec: { displayName: 'bad' },
        status: { phase: 'failed' },
      }),
    ],
  });
  await db.sql.update(accounts).set({ phone: '+8613800000000', locale: 'ja' }).where(eq(accounts.name, 'owner'));
  owner = gateway.client(gateway.tokens.owner);
  const contact = (name: string, type: 'Webhook' | 'DingTalk', path: string) =>
    owner.must(R.setAlertContact, { body: { name, type, url: `${address}${path}`, key: KEY } });
  await contact('hook', 'Webhook', '/hook');
  await contact('moved', 'Webhook', '/moved');
  await contact('robot', 'DingTalk', '/robot');
}, PATIENCE_MS);
afterAll(async () => {
  await gateway.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true });
});

test(
  'receivers hear of an alarm signed and in the creator’s language, again where they did not answer, and nobody is led elsewhere',
  async () => {
    const { id: policy } = await owner.must(KIND_ROUTES.alertPolicy.create, {
      body: {
        ...{ displayName: 'broken', objects: { kind: 'GpuInstance', names: ['ins-bad'] }, metric: 'Failed' },
        ...{ aggregation: 'Last', periodSeconds: 15, rules: [{ compare: 'Above', value: 0 }] },
        channels: [
          { type: 'Webhook', to: 'hook' },
          { type: 'Webhook', to: 'moved' },
          { type: 'DingTalk', to: 'robot' },
          { type: 'SMS' },
        ],
      },
    });
    await eventually('the second try', () => calls('/hook').length === 2, PATIENCE_MS);
    const [first, second] = calls('/hook').map(({ body }) => JSON.parse(body));
    expect(first).toMatchObject({
      event: 'fired',
      title: 'アラーム：broken',
      alarms: [{ object: 'ins-bad', display_name: 'bad' }],
    });
    expect(second.id).toBe(first.id);
    for (const { signature, timestamp, body } of calls('/hook'))
      expect(signature).toBe(signatureOf(KEY, timestamp, body));

    const [text] = await eventually(
      'a text',
      () => (calls('/sms').length > 0 ? calls('/sms') : undefined),
      PATIENCE_MS,
    );
    expect(text?.signature).toBe(signatureOf(KEY, text?.timestamp ?? '', text?.body ?? ''));
    expect(JSON.parse(text?.body ?? '')).toMatchObject({
      to: '+8613800000000',
      text: expect.stringContaining('bad (ins-bad)'),
    });

    const [alarm] = await owner.must(R.listAlerts, { query: { policy } });
    const said = await eventually('failures in the alarm’s flow', async () => {
      const { records } = await owner.must(R.getAlert, { params: { id: alarm?.id ?? '' } });
      const failures = records.filter(({ what }) => what === 'notNotified').map(({ message }) => message);
      return failures.length >= 3 ? failures : undefined;
    });
    expect([...said].sort()).toEqual([
      'The notification by DingTalk failed: the receiver refused it: sign not match',
      'The notification by Webhook failed: the receiver answered 503',
      'The notification by Webhook failed: the receiver redirects, and redirects are not followed',
    ]);
    expect(calls('/inner')).toEqual([]);
    const { conditions } = await owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } });
    expect(conditions.map(({ type }) => type)).toContain('Notified');
  },
  PATIENCE_MS,
);
