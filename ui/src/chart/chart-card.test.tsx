// A chart as people use it: a pointer, a keyboard, a screen reader; one crosshair over all charts of a page.
import { describe, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { appAround, playNetwork } from '../testing/played-app.tsx';
import { ChartCard } from './chart-card.tsx';
import type { Line } from './line.ts';
import { timePlaces } from './places.ts';
import { unitText } from './unit-text.ts';

playNetwork();
// jsdom has none of its own, and what has no coordinates is nowhere.
class Pointer extends MouseEvent {
  readonly pointerType: string;
  constructor(type: string, init: PointerEventInit = {}) {
    super(type, init);
    this.pointerType = init.pointerType ?? 'mouse';
  }
}
Object.assign(globalThis, { PointerEvent: Pointer });

const START = new Date(2026, 0, 1, 8, 0).getTime();
const places = (count: number) => timePlaces(START, 60_000, count, 'Time');
const card = (title: string, lines: Line[], more: object = {}) => (
  <ChartCard
    key={title}
    title={title}
    unit="percent"
    textOf={unitText('percent')}
    lines={lines}
    places={places(lines[0]?.points.length ?? 0)}
    {...more}
  />
);
const shown = (...cards: ReactNode[]) => render(<div>{cards}</div>, { wrapper: appAround({}) });
const region = (name: string) => screen.getByRole('region', { name });
const chart = (name: string) => screen.getByRole('group', { name });

describe('a chart in words', () => {
  test('the newest value and what it spans stand beside its name', () => {
    shown(card('GPU', [{ name: 'a', points: [10, 40, 30] }]));
    within(region('GPU')).getByText('30%');
    within(region('GPU')).getByText('10% to 40%');
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('several lines say which is which, and what has no data is named once', () => {
    const lines = [
      { name: 'a', points: [1, 2] },
      { name: 'b', points: [3, null] },
      { name: 'c', points: [null, null] },
    ];
    shown(card('GPU', lines));
    const items = within(region('GPU')).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['a2%', 'bNo data']);
    within(region('GPU')).getByText('No data: c');
  });

  test('without any data it is one line, without a chart and without a file', () => {
    shown(
      card('GPU', [{ name: 'a', points: [null] }], {
        file: { places: () => ({ name: '', values: [] }), save: () => {} },
      }),
    );
    within(region('GPU')).getByText('No data');
    expect(within(region('GPU')).queryByRole('group')).toBeNull();
    expect(within(region('GPU')).queryByRole('button')).toBeNull();
  });

  test('a table comes on request, by the keyboard too, with the newest values first', async () => {
    const user = userEvent.setup();
    shown(card('GPU', [{ name: 'a', points: [1, null, 3] }]));
    await user.tab();
    const button = screen.getByRole('button', { name: 'GPU as a table' });
    expect([document.activeElement, button.getAttribute('aria-expanded')]).toEqual([button, 'false']);
    await user.keyboard('{Enter}');
    const table = screen.getByRole('table', { name: 'Values of GPU' });
    expect(
      within(table)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['3%', 'No data', '1%']);
    expect(
      within(screen.getByRole('table', { name: 'GPU' }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['3%', '1%', '3%']);
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('a chart in pixels', () => {
  test('a single sample is a dot', () => {
    shown(card('GPU', [{ name: 'a', points: [null, 50, null] }]));
    expect(region('GPU').querySelectorAll('[data-sample]')).toHaveLength(1);
  });

  test('the axis has the steps of its unit', () => {
    shown(card('GPU', [{ name: 'a', points: [3, 4] }]));
    const texts = [...chart('GPU').querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(texts.filter((text) => text.endsWith('%'))).toEqual(['0%', '50%', '100%']);
  });
});

describe('the crosshair', () => {
  const two = () =>
    shown(card('GPU', [{ name: 'a', points: [10, 20, 30] }]), card('CPU', [{ name: 'a', points: [1, 2, 3] }]));
  const at = (name: string) => chart(name).querySelector('[data-crosshair]')?.getAttribute('data-crosshair') ?? null;

  test('is one for all charts of a page, and only the chart under the pointer has a tip', () => {
    two();
    fireEvent.pointerMove(chart('GPU'), { clientX: 330 });
    const middle = `${START + 60_000}`;
    expect([at('GPU'), at('CPU')]).toEqual([middle, middle]);
    within(region('CPU')).getByText('2%');
    expect([chart('GPU'), chart('CPU')].map((one) => one.querySelector('[data-tip]') !== null)).toEqual([true, false]);
    fireEvent.pointerLeave(chart('GPU'));
    expect([at('GPU'), at('CPU')]).toEqual([null, null]);
    within(region('CPU')).getByText('3%');
  });

  test('follows the arrow keys, and each step is announced', async () => {
    const user = userEvent.setup();
    two();
    chart('GPU').focus();
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect([at('GPU'), at('CPU')]).toEqual([`${START + 60_000}`, `${START + 60_000}`]);
    expect(chart('GPU').querySelector('[aria-live]')?.textContent).toBe('2026-01-01 08:01:00, a 20%');
    expect(chart('CPU').querySelector('[aria-live]')?.textContent).toBe('');
    await user.keyboard('{End}');
    expect(at('CPU')).toBe(`${START + 120_000}`);
    await user.keyboard('{Escape}');
    expect([at('GPU'), at('CPU')]).toEqual([null, null]);
  });
});

describe('a part of a chart', () => {
  const drag = (from: number, to: number, more: object = {}) => {
    fireEvent.pointerDown(chart('GPU'), { clientX: from, button: 0, ...more });
    fireEvent.pointerMove(chart('GPU'), { clientX: to, ...more });
    fireEvent.pointerUp(chart('GPU'), { clientX: to, ...more });
  };

  test('is chosen by a drag, in either direction, and by Enter around the crosshair', async () => {
    const onZoom = jest.fn<(from: number, to: number) => void>();
    shown(card('GPU', [{ name: 'a', points: [10, 20, 30] }], { onZoom }));
    drag(588, 0);
    expect(onZoom).toHaveBeenLastCalledWith(START, START + 120_000);
    chart('GPU').focus();
    await userEvent.setup().keyboard('{Home}{Enter}');
    expect(onZoom).toHaveBeenLastCalledWith(START, START);
  });

  test('is shown by the chart itself where nobody asked, until Escape', async () => {
    shown(card('GPU', [{ name: 'a', points: [10, 20, 30, 40] }]));
    drag(0, 300);
    fireEvent.pointerMove(chart('GPU'), { clientX: 588 });
    const last = () => chart('GPU').querySelector('[data-crosshair]')?.getAttribute('data-crosshair');
    expect(Number(last())).toBeLessThan(START + 180_000);
    chart('GPU').focus();
    await userEvent.setup().keyboard('{Escape}');
    fireEvent.pointerMove(chart('GPU'), { clientX: 588 });
    await waitFor(() => expect(last()).toBe(`${START + 180_000}`));
  });

  test('is not chosen by a finger, which scrolls', () => {
    const onZoom = jest.fn();
    shown(card('GPU', [{ name: 'a', points: [10, 20, 30] }], { onZoom }));
    drag(60, 400, { pointerType: 'touch' });
    expect(onZoom).not.toHaveBeenCalled();
  });
});
