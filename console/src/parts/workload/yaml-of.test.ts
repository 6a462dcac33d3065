// A copy from the page is what kubectl applies: a text stays a text.
import { expect, test } from '@jest/globals';
import { yamlOf } from './yaml-of.ts';

test('maps, lists of maps, lists of texts, and what is empty', () => {
  const spec = {
    image: 'registry.example/official/busybox:1.36',
    command: ['sh', '-c', 'echo "hi"\nexit 1'],
    workers: 2,
    env: [
      { name: 'A', value: 'yes' },
      { name: 'B', value: '' },
    ],
    gone: undefined,
    ports: [],
    idle: { does: 'Warn', afterMinutes: 60 },
  };
  expect(yamlOf(spec)).toBe(
    [
      'image: "registry.example/official/busybox:1.36"',
      'command:',
      '- sh',
      '- "-c"',
      '- "echo \\"hi\\"\\nexit 1"',
      'workers: 2',
      'env:',
      '- name: A',
      '  value: "yes"',
      '- name: B',
      '  value: ""',
      'ports: []',
      'idle:',
      '  does: Warn',
      '  afterMinutes: 60',
      '',
    ].join('\n'),
  );
});

test.each(['1.0', '0x1', 'null', 'Off', '~', '- a', 'a: b', '# a', '12e3', '2026-01-01', '*a', '&a', '', ' a'])(
  '%j is quoted',
  (text) => {
    expect(yamlOf({ a: text })).toBe(`a: ${JSON.stringify(text)}\n`);
  },
);
