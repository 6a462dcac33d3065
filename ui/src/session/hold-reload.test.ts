import { expect, test } from '@jest/globals';
import { holdReload, isReloadHeld, leaveAtOnce, onceReloadIsFree } from './hold-reload.ts';

test('whoever holds the reload up is waited for, all of them', () => {
  const went: string[] = [];
  const first = holdReload();
  const second = holdReload();
  onceReloadIsFree(() => went.push('reload'));
  first();
  first();
  expect(went).toEqual([]);
  second();
  expect(went).toEqual(['reload']);
  onceReloadIsFree(() => went.push('again'));
  expect(went).toEqual(['reload', 'again']);
});

test('a reload that is called off does not come', () => {
  const went: string[] = [];
  const letGo = holdReload();
  onceReloadIsFree(() => went.push('reload'))();
  letGo();
  expect(went).toEqual([]);
});

/** Whether the browser would ask. */
const isAsked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('whoever leaves what is held is asked, and where the session is another nobody is', async () => {
  expect(isAsked()).toBe(false);
  const letGo = holdReload();
  expect([isAsked(), await isReloadHeld()]).toEqual([true, true]);
  letGo();
  expect([isAsked(), await isReloadHeld()]).toEqual([false, false]);
  holdReload();
  let isGone = false;
  leaveAtOnce(() => {
    isGone = true;
  });
  // Work that begins before the page is gone asks nobody either.
  holdReload();
  expect([isGone, isAsked(), document.documentElement.inert]).toEqual([true, false, true]);
});
