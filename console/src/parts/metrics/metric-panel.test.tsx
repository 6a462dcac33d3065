// A metric in words: what each series spans, what has no data, and every value as a table.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as metrics } from './words/en.ts';

const saveFile = jest.fn<(file: Blob, name: string) => void>();
jest.unstable_mockModule('../save-file.ts', () => ({ saveFile }));
const { MetricPanel } = await import('./metric-panel.tsx');

playLayout();
const open = (lines: { name: string; points: (number | null)[] }[], warnings: string[] = []) =>
  render(
    <MetricPanel
      title="GPU"
      unit="percent"
      start="2026-01-01T00:00:00Z"
      step={60}
      lines={lines}
      warnings={warnings}
      onZoom={() => {}}
    />,
    { wrapper: appAround({ metrics }) },
  );

const tabled = () => userEvent.setup().click(screen.getByRole('button', { name: 'GPU as a table' }));

test('each series says its latest, lowest and highest value', async () => {
  open([{ name: 'a', points: [1, null, 3] }]);
  within(screen.getByRole('region', { name: 'GPU' })).getByText('1% to 3%');
  await tabled();
  const cells = within(screen.getByRole('table', { name: 'GPU' })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['3%', '1%', '3%']);
});

test('what has no data says so, and is no zero', async () => {
  open([
    { name: 'a', points: [1, null] },
    { name: 'b', points: [null, null] },
  ]);
  screen.getByText('No data: b');
  await tabled();
  expect(screen.getByRole('table', { name: 'GPU' }).textContent).not.toContain('0%');
});

test('without any data there is neither a chart nor a file', () => {
  open([{ name: 'a', points: [null] }]);
  screen.getByText('No data');
  expect(screen.queryByRole('button', { name: 'GPU as CSV' })).toBeNull();
});

test('every value is in a table, the newest first', async () => {
  open([{ name: 'a', points: [1, null] }]);
  await tabled();
  const table = await screen.findByRole('table', { name: 'Values of GPU' });
  expect(
    within(table)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['No data', '1%']);
});

test('the file has every value with its time, and an empty cell where there is none', async () => {
  open([
    { name: 'a', points: [1, null] },
    { name: 'b', points: [0.5, 2] },
  ]);
  await userEvent.setup().click(screen.getByRole('button', { name: 'GPU as CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledTimes(1));
  const [[file, name] = []] = saveFile.mock.calls;
  expect([name, await file?.text()]).toEqual([
    'GPU.csv',
    'time,a,b\n2026-01-01T00:00:00.000Z,1,0.5\n2026-01-01T00:01:00.000Z,,2\n',
  ]);
});

test('an answer that is not whole says why', () => {
  open([{ name: 'a', points: [1] }], ['one store is away']);
  screen.getByText('The result is incomplete: one store is away');
});
