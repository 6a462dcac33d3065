import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type { Caller } from '../../../platform/http/caller.ts';
import { LoginWatch, type ReadAccess } from './login-watch.ts';

const SESSION: Caller['session'] = { id: 'ses-ann', kind: 'session', scopes: [], expiresAt: 0 };

test('a follower that stops late takes no other follower of its session along', async () => {
  const clock = new SteppedClock();
  let mayUse = false;
  const logins = new LoginWatch({ clock, readAccess: async () => new Map([['ses-ann', { mayUse }]]) });
  const ended: string[] = [];
  const unfollow = logins.follow(SESSION, () => ended.push('first'));
  await clock.step(500);
  mayUse = true;
  logins.follow(SESSION, () => ended.push('second'));
  unfollow();
  mayUse = false;
  await clock.step(500);
  expect(ended).toEqual(['first', 'second']);
  logins.stop();
});

test('a follower that begins during a look, after the last of its session has ended, is ended by the next look', async () => {
  const clock = new SteppedClock();
  const looks: PromiseWithResolvers<Awaited<ReturnType<ReadAccess>>>[] = [];
  const readAccess: ReadAccess = () => {
    const look = Promise.withResolvers<Awaited<ReturnType<ReadAccess>>>();
    looks.push(look);
    return look.promise;
  };
  const logins = new LoginWatch({ clock, readAccess });
  const unfollow = logins.follow(SESSION, () => {});
  await clock.step(500);
  unfollow();
  let ended = false;
  logins.follow(SESSION, () => {
    ended = true;
  });
  looks[0]?.resolve(new Map());
  await clock.step(500);
  looks[1]?.resolve(new Map());
  await clock.step(0);
  expect(ended).toBe(true);
  logins.stop();
});
