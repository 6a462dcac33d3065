import { expect, test } from '@jest/globals';
import { seriesNames } from './series-name.ts';

test.each<[Record<string, string>[], string[]]>([
  [[{ __name__: 'up' }], ['up']],
  [[{ __name__: 'up', pod: 'a', gpu: '0' }], ['up{pod="a", gpu="0"}']],
  [[{ pod: 'a"b' }], ['{pod="a\\"b"}']],
  [[{}], ['1']],
  [
    [
      { __name__: 'up', pod: 'a', node: 'n' },
      { __name__: 'up', pod: 'b', node: 'n' },
    ],
    ['{pod="a"}', '{pod="b"}'],
  ],
  [
    [{ pod: 'a' }, {}],
    ['{pod="a"}', '2'],
  ],
])('%j read %j', (labels, names) => {
  expect(seriesNames(labels.map((one) => ({ labels: one })))).toEqual(names);
});
