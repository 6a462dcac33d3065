// The address decides where a shell is opened; whatever else is in it is not sent.
import type { Call } from '@gantry/contract/http/call.ts';
import { expect, test } from '@jest/globals';
import { placeAt } from './shell-place.ts';

const params = { id: 'x' };

test.each<[string, string, unknown[]]>([
  [
    '/develop/instance/console/ins-1',
    '?session=trm-1',
    [
      'openTerminal',
      { params, query: { namespace: 'org-acme' }, body: { session: 'trm-2' } },
      true,
      '/develop/instance/x',
    ],
  ],
  [
    '/deploy/job/console/job-1',
    '?worker=2&session=no',
    ['openJobTerminal', { params, query: { worker: '2' } }, false, '/deploy/job/x'],
  ],
  ['/deploy/job/console/job-1', '', ['openJobTerminal', { params, query: {} }, false, '/deploy/job/x']],
  [
    '/deploy/service/console/svc-1',
    '?pod=a',
    ['openServiceTerminal', { params, query: { pod: 'a' } }, false, '/deploy/service/x/replicas'],
  ],
])('%s%s', async (path, search, expected) => {
  const sent: unknown[] = [];
  const api = { call: async (call: Call, input: unknown) => sent.push(call.id, input) };
  const { open, hasSessions, back } = placeAt(path, 'x', new URLSearchParams(search));
  const asked = { session: 'trm-2', former: { namespace: 'org-acme' } };
  await open(api as never, asked, new AbortController().signal);
  expect([...sent, hasSessions, back]).toEqual(expected);
});
