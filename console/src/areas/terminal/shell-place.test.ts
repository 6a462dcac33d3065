// The address decides where a shell is opened; whatever else is in it is not sent.
import { expect, test } from '@jest/globals';
import { placeAt } from './shell-place.ts';

test.each([
  ['/develop/instance/console/ins-1', '?session=trm-1', ['openTerminal', {}, true, '/develop/instance/x']],
  ['/deploy/job/console/job-1', '?worker=2&session=no', ['openJobTerminal', { worker: '2' }, false, '/deploy/job/x']],
  ['/deploy/job/console/job-1', '', ['openJobTerminal', {}, false, '/deploy/job/x']],
  [
    '/deploy/service/console/svc-1',
    '?pod=a',
    ['openServiceTerminal', { pod: 'a' }, false, '/deploy/service/x/replicas'],
  ],
])('%s%s', (path, search, expected) => {
  const { call, query, hasSessions, back } = placeAt(path, 'x', new URLSearchParams(search));
  expect([call.id, query, hasSessions, back]).toEqual(expected);
});
