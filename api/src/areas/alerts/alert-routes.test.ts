// The story of a hot GPU, over HTTP, SQL and mail: Prometheus is played at the wire, and nobody plays anything else.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ALERT_ROUTES as R } from '@gantry/contract/areas/alerts/alerts.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { HttpClient } from '../../../../test/support/http-client.ts';
import { type Mailbox, openMailbox } from '../../../../test/support/mail-sink.ts';
import { type MemoryGateway, startMemoryGateway } from '../../../../test/support/memory-gateway.ts';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import type { Database } from '../../platform/db/open.ts';
import { alertMailboxes } from '../../platform/db/schema/alerts.ts';

const NAMESPACE = 'org-acmeorgs';
const PATIENCE_MS = 60_000;
const hotGpu = {
  displayName: 'hot_gpu',
  objects: { kind: 'GpuInstance' as const, names: ['ins-hot'] },
  metric: 'GpuTemperature' as const,
  aggregation: 'Maximum' as const,
  periodSeconds: 15,
  rules: [{ compare: 'Above' as const, value: 85, level: 'Critical' as const }],
  channels: [{ type: 'Bell' as const }, { type: 'Mail' as const }],
};

const clock = new SteppedClock();

/** Each look comes a second later. */
const later = <T>(what: string, look: () => Promise<T>) =>
  eventually(
    what,
    async () => {
      const seen = await look();
      if (seen === undefined || seen === null || seen === false) await clock.step(1_000);
      return seen;
    },
    PATIENCE_MS,
  );

let db: Database;
let prometheus: Server;
let degrees: number | undefined = 90;
const asked: string[] = [];
let mailbox: Mailbox;
let gateway: MemoryGateway;
let owner: HttpClient;

beforeAll(async () => {
  prometheus = createServer(async (req, res) => {
    asked.push(decodeURIComponent(await text(req)));
    if (degrees === undefined) return void res.writeHead(503).end();
    const metric = { namespace: NAMESPACE, pod: 'ins-hot-1', gpu: '0' };
    const isRange = req.url?.includes('query_range');
    const result = isRange
      ? [{ metric, values: [[Number(new URLSearchParams(asked.at(-1)).get('start')), '91']] }]
      : [{ metric, value: [0, `${degrees}`] }];
    const data = { resultType: isRange ? 'matrix' : 'vector', result };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'success', data }));
  }).listen(0, '127.0.0.1');
  await once(prometheus, 'listening');
  mailbox = await openMailbox();
  db = await migratedDatabase();
  clock.set(Date.now());
  gateway = await startMemoryGateway({
    ...{ db, clock },
    flags: [
      `--prometheus-url=http://127.0.0.1:${(prometheus.address() as AddressInfo).port}`,
      `--smtp-url=${mailbox.url}`,
    ],
    objects: [
      kindObject(gpuInstance, 'ins-hot', {
        namespace: NAMESPACE,
        spec: { displayName: 'hot' },
        status: { phase: 'running' },
      }),
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'ins-hot-1',
          namespace: NAMESPACE,
          uid: 'uid-of-a-pod',
          resourceVersion: '1',
          labels: { [LABEL.kind]: gpuInstance.kind, [LABEL.name]: 'ins-hot' },
        },
      },
    ],
  });
  owner = gateway.client(gateway.tokens.owner);
}, PATIENCE_MS);
afterAll(async () => {
  await gateway.stop();
  await mailbox.close();
  prometheus.closeAllConnections();
  prometheus.close();
});

/** The newest mail that matches. */
const newest = (to: string, matching?: RegExp) =>
  later(`a mail to ${to}`, async () => (await mailbox.all(to, matching))[0]);

let policy = '';
/** One whose alarm is closed by hand. */
let byHand = '';
const firstAlarm = (status: 'firing' | 'shielded' | 'resolved') =>
  later(`an alarm that is ${status}`, async () => (await owner.must(R.listAlerts, { query: { policy, status } }))[0]);

describe('a hot GPU', () => {
  test(
    'is an alarm that names the instance, a message and one mail',
    async () => {
      const { create } = KIND_ROUTES.alertPolicy;
      policy = (await owner.must(create, { body: hotGpu })).id;
      byHand = (await owner.must(create, { body: { ...hotGpu, displayName: 'by_hand', channels: [] } })).id;
      const alarm = await firstAlarm('firing');
      expect(alarm).toMatchObject({
        object: 'ins-hot',
        level: 'Critical',
        value: 90,
        strategy: { id: policy, name: 'hot_gpu' },
      });
      expect(asked.some((query) => query.includes(`namespace=~"${NAMESPACE}"`))).toBe(true);
      const mail = await newest('owner@example.com', /hot_gpu/);
      expect(mail.subject).toContain('Alarm: hot_gpu');
      expect(mail.text).toContain('hot (ins-hot), GPU temperature has been 90');
      const bell = await later('a message', async () =>
        (await owner.must(MESSAGE_ROUTES.listMessages, { body: { cursor: '0', page_size: 10 } })).data.find(
          ({ title }) => title === 'Alarm: hot_gpu',
        ),
      );
      expect(bell).toBeDefined();
      const { records } = await owner.must(R.getAlert, { params: { id: alarm.id } });
      expect(records.map(({ what }) => what)).toEqual(['fired', 'notified', 'notified']);
    },
    PATIENCE_MS,
  );

  test('shows in its policy, whoever asks', async () => {
    const seen = await later('a policy that alerts', async () => {
      const view = await owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } });
      return view.phase === 'alerting' && view;
    });
    expect(seen).toMatchObject({ firing: 1, message: '1 alarm is firing.' });
  });

  test('is shielded and unshielded by hand, and nobody else hears less', async () => {
    const { id } = await firstAlarm('firing');
    const operate = (operation: 'shield' | 'unshield') =>
      owner.must(R.operateAlert, { params: { id }, body: { operation, minutes: 90 } });
    const { status, shielded_until: until } = await operate('shield');
    expect([status, Math.round((Date.parse(until ?? '') - clock.now()) / 60_000)]).toEqual(['shielded', 90]);
    expect(await owner.must(R.listAlerts, { query: { policy, status: 'firing' } })).toEqual([]);
    expect(await owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } })).toMatchObject({ firing: 1 });
    const { records, ...after } = await operate('unshield');
    expect(after).toMatchObject({ status: 'firing', shielded_until: null });
    expect(records.slice(-2).map(({ type, what }) => `${type} ${what}`)).toEqual([
      'manual shielded',
      'manual unshielded',
    ]);
    expect(records.at(-2)?.message).toContain('owner');
  });

  test('draws its value over time, and nothing where there is none', async () => {
    const { id } = await firstAlarm('firing');
    const start = Math.floor(clock.now() / 60_000) * 60;
    const query = (end: number) => owner.call(R.queryAlert, { params: { id }, body: { start, end, step: 60 } });
    expect((await query(start + 120)).body).toMatchObject({
      result: {
        points: [
          [start, 91],
          [start + 60, null],
          [start + 120, null],
        ],
      },
    });
    expect((await query(start)).body.error).toBe('monitor_window');
  });

  test(
    'that is closed is over by the hand of somebody, and cannot be closed again',
    async () => {
      const { id } = await later(
        'the alarm of another policy',
        async () => (await owner.must(R.listAlerts, { query: { policy: byHand, status: 'firing' } }))[0],
      );
      const close = () => owner.call(R.operateAlert, { params: { id }, body: { operation: 'close' } });
      const { result } = (await close()).body as { result: { status: string; end_time: string; records: object[] } };
      expect([result.status, result.end_time !== null]).toEqual(['closed', true]);
      expect(result.records.at(-1)).toMatchObject({ type: 'manual', what: 'closed' });
      expect((await close()).body.error).toBe('alarm_over');
      expect((await owner.must(R.listAlerts, { query: { policy: byHand } })).map(({ status }) => status)).toEqual([
        'closed',
      ]);
    },
    PATIENCE_MS,
  );

  test('is muted from the link of its mail, once it is confirmed, and only by a link that is ours', async () => {
    const { text: written = '' } = await newest('owner@example.com', /hot_gpu/);
    const [, token = ''] = /\/monitor\/mute#(\S+)/.exec(written) ?? [];
    const nobody = gateway.client();
    expect(await nobody.must(R.muteByLink, { body: { token, confirm: false } })).toEqual({
      policy: 'hot_gpu',
      muted_until: null,
    });
    const { muted_until: until } = await nobody.must(R.muteByLink, { body: { token, confirm: true } });
    expect(until === null ? 0 : Date.parse(until) - clock.now()).toBeGreaterThan(29 * 60_000);
    const { spec } = await owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } });
    expect(Date.parse(spec.mutedUntil ?? '')).toBe(Date.parse(until ?? ''));
    // The second one changes nothing.
    expect(await nobody.must(R.muteByLink, { body: { token, confirm: true } })).toEqual({
      policy: 'hot_gpu',
      muted_until: until,
    });
    const forged = token.replace(/\.\d+\./, '.9999999999999.');
    expect((await nobody.call(R.muteByLink, { body: { token: forged, confirm: true } })).body.error).toBe(
      'link_invalid',
    );
    expect((await firstAlarm('shielded')).object).toBe('ins-hot');
  });

  test(
    'stays an alarm while Prometheus is away, and the policy says so',
    async () => {
      degrees = undefined;
      await later('a policy that knows it', async () => {
        const { conditions } = await owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } });
        return conditions.some(({ reason }) => reason === 'PrometheusAway');
      });
      expect((await firstAlarm('shielded')).end_time).toBeNull();
    },
    PATIENCE_MS,
  );

  test(
    'is over once it has cooled down',
    async () => {
      degrees = 40;
      const alarm = await firstAlarm('resolved');
      expect(alarm.end_time).not.toBeNull();
      expect(
        (await owner.call(R.operateAlert, { params: { id: alarm.id }, body: { operation: 'close' } })).body.error,
      ).toBe('alarm_over');
    },
    PATIENCE_MS,
  );
});

test('a policy is tried on the last seven days, and shows what it would say, before it is saved', async () => {
  const { alarms, series, step, start_time: start, end_time: end } = await owner.must(R.testPolicy, { body: hotGpu });
  // An alarm of a single value: it would have stood for an hour without another one.
  expect(alarms).toMatchObject([{ object: 'ins-hot', start_time: start }]);
  const ended = Date.parse(alarms[0]?.end_time ?? '') - Date.parse(start);
  expect(Math.abs(ended - 3_600_000)).toBeLessThanOrEqual(step * 1000);
  expect(series).toMatchObject([{ object: 'ins-hot', group: {}, points: expect.arrayContaining([91, null]) }]);
  const length = (Date.parse(end) - Date.parse(start)) / 1000 / step;
  expect(Math.abs((series[0]?.points.length ?? 0) - length)).toBeLessThanOrEqual(1);
  const { fired } = await owner.must(R.previewPolicy, { body: { ...hotGpu, content: '{{object}}: {{value}}' } });
  expect(fired).toEqual({ title: 'Alarm: hot_gpu', text: 'ins-hot: 85' });
  const disks = { ...hotGpu, objects: { kind: 'DataDisk' as const }, metric: 'DiskUsed' as const };
  expect((await owner.call(R.testPolicy, { body: disks })).body.error).toBe('policy_not_testable');
  const own = { ...hotGpu, metric: undefined, query: 'up{' };
  expect((await owner.call(R.testPolicy, { body: own })).body).toMatchObject({
    error: 'monitor_query_syntax',
    field: 'query',
  });
});

test('a change of the objects that a policy watches replaces them', async () => {
  const { create, change, read } = KIND_ROUTES.alertPolicy;
  const { id } = await owner.must(create, { body: { ...hotGpu, displayName: 'chosen' } });
  const chosen = async (objects: object) => {
    await owner.must(change, { params: { id }, body: { objects: { kind: 'GpuInstance', ...objects } } });
    return (await owner.must(read, { params: { id } })).spec.objects;
  };
  const labels = { team: 'red', tier: 'one' };
  expect(await chosen({ labels })).toEqual({ kind: 'GpuInstance', labels });
  expect(await chosen({ labels: { tier: 'two' }, names: ['ins-hot'] })).toEqual({
    ...{ kind: 'GpuInstance', names: ['ins-hot'], labels: { tier: 'two' } },
  });
  expect(await chosen({})).toEqual({ kind: 'GpuInstance' });
});

test('a policy is disabled, enabled and muted by its status', async () => {
  const set = (status: 'enabled' | 'disabled' | 'blocking') =>
    owner.must(R.updatePolicyStatus, { params: { id: policy }, body: { status } });
  const read = () => owner.must(KIND_ROUTES.alertPolicy.read, { params: { id: policy } });
  await set('disabled');
  expect((await read()).phase).toBe('disabled');
  await set('enabled');
  expect((await read()).spec).toMatchObject({ state: 'Enabled' });
  expect((await read()).spec.mutedUntil).toBeUndefined();
  const changes = await owner.must(R.listPolicyChanges, { params: { id: policy } });
  expect(changes.map(({ account, label }) => `${account}: ${label}`)).toEqual([
    'owner: Enabled, disabled or muted',
    'owner: Enabled, disabled or muted',
    'null: Muted through the link in a mail',
    'owner: Created',
  ]);
  const states = await owner.must(KIND_ROUTES.alertPolicy.history, { params: { id: policy } });
  expect(states.map(({ phase }) => phase)).toContain('alerting');
  await set('blocking');
  expect(Date.parse((await read()).spec.mutedUntil ?? '')).toBeGreaterThan(clock.now() + 29 * 60_000);
});

test('a policy whose time is over, or whose objects there are not, says so', async () => {
  const { create, read } = KIND_ROUTES.alertPolicy;
  const stateOf = async (over: object) => {
    const { id } = await owner.must(create, { body: { ...hotGpu, ...over } });
    return later('the state of a policy', async () => {
      const { phase, reason, message } = await owner.must(read, { params: { id } });
      return phase !== 'enabled' && reason !== undefined && `${phase} ${reason}: ${message}`;
    });
  };
  const [over, gone] = await Promise.all([
    stateOf({ displayName: 'over', validUntil: '2026-01-01T00:00:00Z' }),
    stateOf({ displayName: 'gone', objects: { kind: 'GpuInstance', names: ['ins-gone'] } }),
  ]);
  expect(over).toMatch(/^invalid Expired: .*2026/);
  expect(gone).toMatch(/^invalid ObjectGone: .*ins-gone/);
});

describe('the mailbox of a team', () => {
  const address = 'oncall@example.org';
  const { create, read } = KIND_ROUTES.alertPolicy;
  const codeIn = async (to = address) => /\d{6}/.exec((await newest(to, /Confirm this address/)).text ?? '')?.[0] ?? '';
  const states = async () => (await owner.must(R.listAlertMailboxes, {})).map((one) => `${one.address} ${one.state}`);
  const recipients = async (id: string, status: string) =>
    later('what a policy says of its addresses', async () =>
      (await owner.must(read, { params: { id } })).conditions.find(
        (one) => one.type === 'Recipients' && one.status === status,
      ),
    );
  let id = '';
  let unsubscribe = '';

  test(
    'is told by a condition as one that gets no mail, until it confirms by the code that it was mailed',
    async () => {
      const channels = [{ type: 'Mail' as const, to: 'OnCall@example.org' }];
      degrees = 90;
      ({ id } = await owner.must(create, { body: { ...hotGpu, displayName: 'for_a_team', channels } }));
      expect((await recipients(id, 'False')).message).toContain(address);
      expect((await owner.must(R.addAlertMailbox, { body: { address: 'Oncall@Example.org' } })).state).toBe(
        'unconfirmed',
      );
      const code = await codeIn();
      const wrong = code === '000000' ? '000001' : '000000';
      const confirm = (typed: string) => owner.call(R.confirmAlertMailbox, { body: { address, code: typed } });
      expect((await confirm(wrong)).body.error).toBe('code_wrong');
      expect((await confirm(code)).body.result).toMatchObject({ state: 'confirmed' });
      expect((await confirm(code)).body.error).toBe('code_wrong');
      expect((await owner.call(R.addAlertMailbox, { body: { address } })).body.error).toBe('mailbox_confirmed');
      await recipients(id, 'True');
    },
    2 * PATIENCE_MS,
  );

  test(
    'is mailed once it has confirmed, with a link and a header that end it',
    async () => {
      const channels = [{ type: 'Mail' as const, to: address }];
      ({ id } = await owner.must(create, { body: { ...hotGpu, displayName: 'for_a_team_now', channels } }));
      const mail = await later('the alarm', async () => (await mailbox.all(address, /for_a_team_now/))[0]);
      const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
      expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      [, unsubscribe = ''] = /^<(.+)>$/.exec(header('list-unsubscribe') ?? '') ?? [];
      expect(mail.text).toContain(`/monitor/unsubscribe#${unsubscribe.split('/').at(-1)}`);
    },
    2 * PATIENCE_MS,
  );

  test('of another organisation is not there: it cannot be confirmed, seen or taken away', async () => {
    const foreign = { organizationId: 'otherorg', address: 'theirs@example.org', creatorId: 'acc-0' };
    const row = { ...foreign, state: 'unconfirmed', language: 'en', createdAt: new Date() } as const;
    await db.sql.insert(alertMailboxes).values(row);
    expect(await states()).toEqual([`${address} confirmed`]);
    const body = { address: row.address, code: '123456' };
    expect((await owner.call(R.confirmAlertMailbox, { body })).status).toBe(404);
    expect((await owner.call(R.deleteAlertMailbox, { params: { address: row.address } })).status).toBe(404);
  });

  test('leaves by one POST without signing in, and comes back only by a new code', async () => {
    const token = unsubscribe.split('/').at(-1) ?? '';
    const nobody = gateway.client();
    expect(await nobody.must(R.unsubscribeByLink, { body: { token, confirm: false } })).toEqual({
      address,
      unsubscribed: false,
    });
    expect(await states()).toEqual([`${address} confirmed`]);
    const forged = `${token.slice(0, -2)}xx`;
    expect((await nobody.call(R.unsubscribeAtOnce, { params: { token: forged } })).body.error).toBe('link_invalid');
    const answer = await fetch(new URL(new URL(unsubscribe).pathname, gateway.url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).toBe(200);
    expect(await states()).toEqual([`${address} unsubscribed`]);
    expect(await nobody.must(R.unsubscribeByLink, { body: { token, confirm: true } })).toEqual({
      address,
      unsubscribed: true,
    });
    await owner.call(R.addAlertMailbox, { body: { address } });
    expect(await states()).toEqual([`${address} unsubscribed`]);
  });

  test('gets a few codes a day at most, whoever asks', async () => {
    const victim = 'victim@example.org';
    await owner.must(R.addAlertMailbox, { body: { address: victim } });
    expect((await owner.call(R.addAlertMailbox, { body: { address: victim } })).body.error).toBe('code_too_soon');
    for (let tries = 0; tries < 4; tries++) await owner.call(R.addAlertMailbox, { body: { address: victim } });
    expect((await owner.call(R.addAlertMailbox, { body: { address: victim } })).body.error).toBe('too_many_attempts');
    await newest(victim);
    expect(await mailbox.all(victim)).toHaveLength(1);
    await owner.must(R.deleteAlertMailbox, { params: { address: victim } });
  });
});

describe('contact points', () => {
  const set = (url: string) => owner.call(R.setAlertContact, { body: { name: 'ops', type: 'Webhook', url } });

  test.each([
    'http://127.0.0.1/x',
    'https://10.0.0.8/x',
    'https://[::1]/x',
    'https://[fd00::1]/x',
    'https://169.254.169.254/latest',
    'https://2130706433/x',
    'https://localhost/x',
    'https://api.svc/x',
    'https://kubernetes.default.svc.cluster.local/x',
  ])('are not inside: %s', async (url) => {
    expect((await set(url)).body).toMatchObject({ error: 'inner_address', field: 'url' });
  });

  test('show where they go, and nothing that opens it', async () => {
    expect((await set('https://hooks.example.com/services/secret')).status).toBe(200);
    expect(await owner.must(R.listAlertContacts)).toMatchObject([
      { name: 'ops', type: 'Webhook', host: 'hooks.example.com' },
    ]);
    expect(JSON.stringify(await owner.must(R.listAlertContacts))).not.toContain('secret');
    await owner.must(R.deleteAlertContact, { params: { id: 'ops' } });
    expect(await owner.must(R.listAlertContacts)).toEqual([]);
  });
});
