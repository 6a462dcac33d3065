import { SteppedClock } from '@gantry/kube/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type { Caller } from '../identity/caller.ts';
import { LoginWatch } from './login-watch.ts';

test('what stopped following late takes nobody else of its session along', async () => {
  const clock = new SteppedClock();
  let mayUse = false;
  const logins = new LoginWatch({ clock, readStanding: async () => new Map([['ses-ann', { mayUse }]]) });
  const session: Caller['session'] = { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: 0 };
  const ended: string[] = [];
  const unfollow = logins.follow(session, () => ended.push('first'));
  await clock.step(500);
  mayUse = true;
  logins.follow(session, () => ended.push('second'));
  unfollow();
  mayUse = false;
  await clock.step(500);
  expect(ended).toEqual(['first', 'second']);
  logins.stop();
});
