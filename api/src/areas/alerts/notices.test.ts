import { MODEL_SECONDS, MODEL_WAITING } from '@gantry/contract/alerts/model-series.ts';
import { describe, expect, test } from '@jest/globals';
import { channelKey, channelOf } from './channels.ts';
import { outgoing, refusalIn } from './formats.ts';
import { keyOf, type Sample, seriesOf } from './group.ts';
import { type ToldAlarm, tell } from './message.ts';
import { shapeOf } from './shape.ts';

const alarm: ToldAlarm = {
  id: 'alm-1',
  title: 'hot_gpu',
  kind: 'GpuInstance',
  object: 'dev',
  labels: { gpu: '0' },
  metric: 'GpuTemperature',
  level: 'Critical',
  value: 90.123,
  firstAbnormalAt: new Date('2026-11-10T10:00:00Z'),
};

describe('the words of a notification', () => {
  const rows: Record<
    string,
    [spec: Parameters<typeof tell>[0], what: Parameters<typeof tell>[1], said: { title: string; text: string }]
  > = {
    'name the object, its value and since when': [
      {},
      'fired',
      {
        title: 'Alarm: hot_gpu',
        text: 'Critical: dev gpu=0, GPU temperature has been 90.12 since 2026-11-10 10:00 UTC.',
      },
    ],
    'say that it is over': [
      {},
      'resolved',
      { title: 'Resolved: hot_gpu', text: 'dev gpu=0: GPU temperature has returned to normal.' },
    ],
    'are the policy’s own': [
      { title: '{{level}} {{object}}', content: '{{labels.gpu}} {{ value }} {{nothing}} {{labels.none}}.' },
      'fired',
      { title: 'Critical dev gpu=0', text: '0 90.12 {{nothing}} .' },
    ],
    'have no label that every object has': [
      { content: '{{labels.constructor}}{{labels.__proto__}}{{labels.toString}}{{constructor}}.' },
      'fired',
      { title: 'Alarm: hot_gpu', text: '{{constructor}}.' },
    ],
    'never read what is filled in as a template': [
      { content: '{{object}} %{level} |||| x' },
      'fired',
      { title: 'Alarm: hot_gpu', text: 'dev gpu=0 %{level} |||| x' },
    ],
  };
  test.each(Object.entries(rows))('%s', (_title, [spec, what, said]) => {
    expect(tell(spec, what, [alarm], 'en')).toEqual(said);
  });

  test('call an object by the name that people gave it', () => {
    const called = (displayName: string) =>
      tell({ content: '{{object}}' }, 'fired', [{ ...alarm, displayName }], 'en').text;
    expect(called('Training {{value}}')).toBe('Training {{value}} (dev) gpu=0');
    expect(called('dev')).toBe('dev gpu=0');
  });

  test('are one for several alarms, in the reader’s language', () => {
    expect(tell({}, 'fired', [alarm], 'en', 2).text).toMatch(
      /\n2 notifications were not sent because of the hourly limit\.$/,
    );
    const { title, text } = tell({}, 'fired', [alarm, { ...alarm, object: '{{value}}', value: null }], 'zh');
    expect([title, text.split('\n').length]).toEqual(['告警：hot_gpu (2)', 2]);
    expect(text).toContain('{{value}} gpu=0，GPU 温度自 2026-11-10 10:00 UTC 起没有数据。');
  });
});

describe('a thousand alarms', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ ...alarm, object: `dev-${at}` }));
  test('are one notice that lists the first, and says how many more there are', () => {
    const { title, text } = tell({}, 'fired', many, 'en');
    const lines = text.split('\n');
    expect([title, lines.length, lines.at(-1)]).toEqual(['Alarm: hot_gpu (1000)', 21, 'And 980 more alarms.']);
    expect(tell({}, 'fired', many, 'zh', 2).text.split('\n').slice(-2)).toEqual([
      '另有 980 条告警。',
      '因每小时上限，有 2 条通知未发送。',
    ]);
    expect(tell({}, 'fired', many.slice(0, 21), 'en').text).toMatch(/\nAnd 1 more alarm\.$/);
  });
  test('are no longer a text than the strictest receiver takes, whatever the policy and the labels say', () => {
    const long = many.map((one) => ({ ...one, labels: { note: '長'.repeat(5000) } }));
    for (const [content, more] of [
      ['長'.repeat(2000), 998],
      ['{{labels.note}}'.repeat(100), 999],
    ] as const) {
      const { title, text } = tell({ title: '{{labels.note}}', content }, 'fired', long, 'en');
      expect(Buffer.byteLength(JSON.stringify({ content: `${title}\n${text}` }))).toBeLessThan(15_000);
      expect(text.endsWith(`\nAnd ${more} more alarms.`)).toBe(true);
    }
  });
  test('are counted for a webhook, which gets the first hundred', () => {
    const told = { title: '', text: '' };
    const contact = { type: 'Webhook' as const, url: 'https://a.example/x', key: 'k' };
    const { body } = outgoing(contact, { id: 'aln-1', what: 'fired', told, alarms: many, now: 0 });
    const { count, alarms } = body as { count: number; alarms: { object: string }[] };
    expect([count, alarms.length, alarms[99]?.object]).toEqual([1000, 100, 'dev-99']);
  });
});

describe('receivers', () => {
  const about = {
    id: 'aln-1',
    what: 'fired' as const,
    told: { title: 'a<b', text: '&' },
    alarms: [alarm],
    now: 1_700_000_000_000,
  };
  test('of our own get what an alarm is, and nothing else of its row', () => {
    const row = { ...alarm, displayName: 'Training', policyUid: 'uid' };
    const { firstAbnormalAt: _, ...same } = alarm;
    expect(outgoing({ type: 'Webhook', url: 'https://a.example/x', key: 'k' }, { ...about, alarms: [row] })).toEqual({
      url: 'https://a.example/x',
      body: {
        ...{ id: 'aln-1', event: 'fired', ...about.told, count: 1 },
        alarms: [{ ...same, display_name: 'Training', first_abnormal_time: '2026-11-10T10:00:00.000Z' }],
      },
    });
  });
  test('what a robot refuses with is kept as SQL can store it', () => {
    expect(refusalIn('DingTalk', '{"errcode":1,"errmsg":"a\\u0000"}')).toBe('a\uFFFD');
    const cut = refusalIn('DingTalk', JSON.stringify({ errcode: 1, errmsg: `${'a'.repeat(199)}😀` }));
    expect(cut?.isWellFormed()).toBe(true);
  });
  test('Slack reads no markup in it', () => {
    expect(outgoing({ type: 'Slack', url: 'https://a.example', key: '' }, about).body).toEqual({
      text: '*a&lt;b*\n&amp;',
    });
  });
  test('DingTalk gets its signature in the address', () => {
    const { url } = outgoing({ type: 'DingTalk', url: 'https://a.example/send?access_token=t', key: 'SEC1' }, about);
    const query = new URL(url).searchParams;
    expect([query.get('access_token'), query.get('timestamp')]).toEqual(['t', '1700000000000']);
    expect(query.get('sign')).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });
  test('a channel’s row in the outbox says which it is', () => {
    for (const channel of [
      { type: 'Bell' as const, to: undefined },
      { type: 'Slack' as const, to: 'a/b' },
    ])
      expect(channelOf(channelKey(channel))).toEqual(channel);
  });
});

describe('the series of a policy', () => {
  const spec = {
    objects: { kind: 'GpuInstance' as const },
    metric: 'GpuTemperature' as const,
    aggregation: 'Maximum' as const,
    periodSeconds: 60,
  };
  const of = (gpu: string, value: number, name = 'dev', labels = {}): Sample => ({
    labels: { gpu, pod: `${name}-1` },
    value,
    object: { kind: 'GpuInstance', name, labels },
  });
  const series = (over: object, ...samples: Sample[]) =>
    [...seriesOf({ spec: { ...spec, ...over } } as never, samples).values()].map(({ object, labels, value }) => [
      object,
      labels,
      value,
    ]);
  const both = [of('0', 80), of('1', 90)];

  test('are one an object', () => expect(series({}, ...both)).toEqual([['dev', {}, 90]]));
  test('are one a group', () =>
    expect(series({ groupBy: ['gpu'] }, ...both)).toEqual([
      ['dev', { gpu: '0' }, 80],
      ['dev', { gpu: '1' }, 90],
    ]));
  test('are averaged', () => expect(series({ aggregation: 'Average' }, ...both)).toEqual([['dev', {}, 85]]));
  test('are filtered by values', () =>
    expect(series({ filters: [{ label: 'gpu', operator: 'NotIn', values: ['1'] }] }, ...both)).toEqual([
      ['dev', {}, 80],
    ]));
  test('are filtered for values where no operator is named', () =>
    expect(series({ filters: [{ label: 'gpu', values: ['1'] }] }, ...both)).toEqual([['dev', {}, 90]]));
  test('are those of the named objects', () =>
    expect(series({ objects: { kind: 'GpuInstance', names: ['two'] } }, ...both, of('0', 1, 'two'))).toEqual([
      ['two', {}, 1],
    ]));
  test('are those of objects with the labels', () =>
    expect(
      series({ objects: { kind: 'GpuInstance', labels: { a: 'b' } } }, ...both, of('0', 1, 'two', { a: 'b' })),
    ).toEqual([['two', {}, 1]]));
  test('of another kind, or of no object, are none', () =>
    expect(
      series({}, { labels: {}, value: 1 }, { labels: {}, value: 1, object: { kind: 'Job', name: 'dev' } }),
    ).toEqual([]));
  test('of a query of one’s own keep their labels', () =>
    expect(series({ metric: undefined, query: 'x' }, { labels: { a: '1' }, value: 2 })).toEqual([
      [undefined, { a: '1' }, 2],
    ]));
  test('have one key, whatever the order of their labels', () =>
    expect(keyOf('dev', { a: '1', b: '2' })).toBe(keyOf('dev', { b: '2', a: '1' })));
  test('of models are asked of the gateways, which know those of every engine', () => {
    const asked = ['ModelQueue', 'RequestSeconds'].map((metric) => {
      const { queryAt } = shapeOf({ metadata: { namespace: 'org-a' }, spec: { ...spec, metric } } as never);
      return queryAt?.(['org-a'], 'now').replace(/.*\((\w+)\{.*/, '$1');
    });
    expect(asked).toEqual([MODEL_WAITING, `${MODEL_SECONDS}_bucket`]);
  });
  test('of every metric are asked for within the namespaces', () => {
    for (const metric of [
      'GpuUtilization',
      'GpuMemory',
      'CpuCores',
      'MemoryBytes',
      'ModelQueue',
      'RequestSeconds',
      'GpuXid',
      'TuneLoss',
      'TuneTokens',
      'TuneStepAge',
    ]) {
      const { queryAt } = shapeOf({ metadata: { namespace: 'org-a' }, spec: { ...spec, metric } } as never);
      const query = queryAt?.(['org-a', 'org-b', 'x" or y'], 'week') ?? '';
      expect(query.match(/\{[^}]*\}/g)?.every((matchers) => matchers.includes('namespace=~"org-a|org-b"'))).toBe(true);
      expect(query.match(/\]/g)?.length).toBe(query.match(/\] offset 604800s/g)?.length);
    }
  });
});
