// A hint to who comes by keyboard; who comes by pointer is played in phase-chip.test.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Hint } from './hint.tsx';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});
const turn = () => act(() => jest.advanceTimersByTime(1));

test('a button focused by keyboard says why it cannot be pressed, until the focus leaves or Escape is pressed', () => {
  render(
    <Hint title="No permission">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as around a button that is disabled */}
      <span tabIndex={0} role="note">
        <button type="button" disabled>
          Stop
        </button>
      </span>
    </Hint>,
  );
  const place = screen.getByRole('note');
  expect(place.title).toBe('No permission');
  act(() => place.focus());
  turn();
  expect(screen.getByRole('tooltip').textContent).toBe('No permission');
  expect(place.getAttribute('aria-describedby')).toBe(screen.getByRole('tooltip').id);
  expect(place.hasAttribute('title')).toBe(false);
  fireEvent.keyDown(place, { key: 'Escape' });
  expect(place.title).toBe('No permission');
  act(() => place.blur());
  act(() => place.focus());
  turn();
  expect(place.hasAttribute('title')).toBe(false);
  act(() => place.blur());
  turn();
  expect(place.title).toBe('No permission');
});
