// The cluster's metrics: a panel each, the newest values in words, and no data that is no zero.
import type { ClusterMetricsView } from '@gantry/contract/areas/monitoring/admin-monitor.ts';
import { newQueryClient, useApi } from '@gantry/ui/client/use-api.tsx';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { adminData } from '../../providers/data-provider.ts';
import { words as operation } from '../../words/en/operation.ts';

const saveFile = jest.fn<(name: string, parts: readonly Blob[], type: string) => void>();
jest.unstable_mockModule('../../parts/save-file.ts', () => ({ saveFile }));
const { ClusterMetrics } = await import('./cluster-metrics.tsx');

const fetched = playNetwork();
const view: ClusterMetricsView = {
  start: '2026-01-01T00:00:00Z',
  step: 60,
  panels: [
    { panel: 'gpuHottest', unit: 'celsius', series: [{ name: 'H100', points: [80, 97] }] },
    { panel: 'gpuFaulty', unit: 'count', series: [] },
  ],
};

const Around = ({ children }: { children: ReactNode }) => (
  <CoreAdminContext dataProvider={adminData(useApi())} queryClient={newQueryClient()}>
    {children}
  </CoreAdminContext>
);

test('each panel says its newest values, or that there is no data; it is a CSV file, too; another range is asked for', async () => {
  const asked: string[] = [];
  fetched.mockImplementation(async (url) => {
    asked.push(String(url));
    return answer(view);
  });
  const page = (
    <Around>
      <ClusterMetrics />
    </Around>
  );
  const router = createMemoryRouter([{ path: '*', element: page }]);
  render(<RouterProvider router={router} />, { wrapper: appAround({ operation }) });
  const panel = await screen.findByRole('region', { name: operation.metrics.panels.gpuHottest });
  within(panel).getByText('97 °C');
  within(screen.getByRole('region', { name: operation.metrics.panels.gpuFaulty })).getByText('No data');
  const user = userEvent.setup();
  const title = operation.metrics.panels.gpuHottest;
  await user.click(screen.getByRole('button', { name: `${title} as CSV` }));
  const lines = ['time,H100', '2026-01-01T00:00:00.000Z,80', '2026-01-01T00:01:00.000Z,97', ''];
  await waitFor(() => expect(saveFile).toHaveBeenCalledWith(`${title}.csv`, [expect.any(Blob)], 'text/csv'));
  const [[, [file] = []] = []] = saveFile.mock.calls;
  expect(await file?.text()).toBe(lines.join('\n'));
  expect(screen.getAllByRole('button', { name: /as CSV$/ })).toHaveLength(1);
  await user.click(screen.getByRole('combobox', { name: operation.metrics.hours }));
  await user.click(screen.getByRole('option', { name: operation.metrics.ranges.d7 }));
  await screen.findByRole('region', { name: operation.metrics.panels.gpuHottest });
  expect(asked.map((url) => url.split('/').at(-1))).toEqual(['cluster-metrics?hours=1', 'cluster-metrics?hours=168']);
});
