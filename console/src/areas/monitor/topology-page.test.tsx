// How objects hang together, and how many requests reach them.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { TopologyPage } from './topology-page.tsx';
import { words } from './words/en.ts';

jest.unstable_mockModule('./topology-map.tsx', () => ({ TopologyMap: () => null }));
playLayout();
const { answer } = playAnswers();

test('objects are listed with what they use, and each relation with its requests or that they are not measured', async () => {
  answer(
    'GET /api/monitor/v1/observe/topov2/',
    playedResult({
      nodes: [
        { id: 'instance/dev', type: 'instance', name: 'my dev' },
        { id: 'disk/data', type: 'disk', name: 'my data' },
        { id: 'host/rack', type: 'host', name: 'my rack' },
        { id: 'clients', type: 'clients', name: 'clients' },
        { id: 'service/web', type: 'service', name: 'my web' },
        { id: 'deployment/llm', type: 'deployment', name: 'my llm' },
      ],
      edges: [
        { from: 'instance/dev', to: 'disk/data', relation: 'mounts', requests_per_second: null },
        { from: 'clients', to: 'service/web', relation: 'calls', requests_per_second: 2.5 },
        { from: 'clients', to: 'deployment/llm', relation: 'calls', requests_per_second: null },
      ],
    }),
  );
  render(
    <MemoryRouter>
      <TopologyPage />
    </MemoryRouter>,
    { wrapper: appAround({ monitor: words }) },
  );
  const row = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
  expect(await row(/my dev/)).toContain('mounts my data (traffic not measured)');
  expect(await row(/Clients/)).toContain('calls my web (2.5 requests/s), calls my llm (rate unknown)');
  const linkOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([linkOf('my rack'), linkOf('my data')]).toEqual(['/gpu/nodes/rack/metrics', '/gpu/storage/data']);
});

test('of thousands of objects only the rows in sight are in the page', async () => {
  const nodes = Array.from({ length: 3000 }, (_, at) => ({ id: `job/${at}`, type: 'job', name: `job ${at}` }));
  const edges = nodes.slice(1, 6).map(({ id }) => ({
    ...{ from: 'job/0', to: id, relation: 'mounts', requests_per_second: null },
  }));
  answer('GET /api/monitor/v1/observe/topov2/', playedResult({ nodes, edges }));
  render(
    <MemoryRouter>
      <TopologyPage />
    </MemoryRouter>,
    { wrapper: appAround({ monitor: words }) },
  );
  expect((await screen.findByRole('row', { name: /^job 0/ })).textContent).toContain(
    'job 3 (traffic not measured), 2 more',
  );
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
});
