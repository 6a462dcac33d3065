// A value once it has stopped changing, with a clock stepped by hand.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useSettled } from './use-settled.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});
const step = (ms: number) => act(() => jest.advanceTimersByTime(ms));

test('quick input is reported once, when it settles', () => {
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 400), { initialProps: { value: 1 } });
  for (const value of [2, 3, 4]) {
    rerender({ value });
    step(300);
    expect(result.current).toBe(1);
  }
  step(100);
  expect(result.current).toBe(4);
});

test('an equal object is no change: it neither waits nor is another', () => {
  const first = { cores: 1 };
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 400), { initialProps: { value: first } });
  rerender({ value: { cores: 1 } });
  step(1000);
  expect(result.current).toBe(first);
});

test('input that reverts before it settles is never reported', () => {
  const { result, rerender } = renderHook(({ value }) => useSettled(value, 400), { initialProps: { value: 'a' } });
  rerender({ value: 'b' });
  step(300);
  rerender({ value: 'a' });
  step(1000);
  expect(result.current).toBe('a');
});
