// A chip and its reason, before and after somebody comes near.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { PhaseChip } from './phase-chip.tsx';

const REASON = 'The image is gone.';

function shown() {
  render(<PhaseChip label="Failed" tone="bad" message={REASON} />);
  return screen.getByTitle(REASON);
}
// jsdom knows no pointers, and React hears who comes and goes from these two.
const comes = (element: Element, pointerType: string) =>
  fireEvent(element, Object.assign(createEvent.pointerOver(element), { pointerType }));
const goes = (element: Element, pointerType: string) =>
  fireEvent(element, Object.assign(createEvent.pointerOut(element), { pointerType }));
const step = (ms: number) => act(() => jest.advanceTimersByTime(ms));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('why it is so is read to whoever listens, as long as it is not shown', () => {
  const chip = shown();
  expect(chip.textContent).toBe('Failed');
  expect(screen.queryByRole('tooltip')).toBeNull();
  comes(chip, 'mouse');
  step(100);
  expect(chip.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id);
  expect(chip.hasAttribute('title')).toBe(false);
});

test.each([
  ['the first time that somebody points at it', 'mouse', 100, 0],
  ['by the first finger that stays on it, until a while after', 'touch', 400, 1500],
])('why it is so is shown %s', (_, pointerType, comesInMs, staysMs) => {
  const chip = shown();
  comes(chip, pointerType);
  step(comesInMs - 1);
  expect(screen.queryByRole('tooltip')).toBeNull();
  step(1);
  expect(screen.getByRole('tooltip').textContent).toBe(REASON);
  // It still receives events.
  expect(chip.isConnected).toBe(true);
  goes(chip, pointerType);
  if (staysMs > 0) {
    step(staysMs - 1);
    expect(chip.hasAttribute('title')).toBe(false);
  }
  step(1);
  expect(chip.title).toBe(REASON);
});

test('a finger that is lifted at once shows nothing', () => {
  const chip = shown();
  comes(chip, 'touch');
  goes(chip, 'touch');
  step(2000);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('whoever points at what is shown keeps it, and Escape takes it away', () => {
  const chip = shown();
  comes(chip, 'mouse');
  step(100);
  goes(chip, 'mouse');
  comes(screen.getByRole('tooltip'), 'mouse');
  step(1000);
  expect(chip.hasAttribute('title')).toBe(false);
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(chip.title).toBe(REASON);
});

test.each(['neutral', 'progress', 'good', 'warning', 'bad'] as const)('%s has a sign beside its colour', (tone) => {
  render(<PhaseChip label="Phase" tone={tone} />);
  expect(screen.getByText('Phase').parentElement?.querySelectorAll('svg, i')).toHaveLength(1);
});
