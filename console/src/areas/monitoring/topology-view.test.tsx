// How objects hang together, and how many requests reach them.
import type { TopologyView as Topology } from '@gantry/contract/areas/monitoring/monitor.ts';
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { TopologyView } from './topology-view.tsx';
import { words } from './words/en.ts';

/** The texts of the map's boxes. */
jest.unstable_mockModule('./topology-map.tsx', () => ({
  TopologyMap: ({ topology, labelOf }: { topology: Topology; labelOf: (node: object) => string }) =>
    topology.nodes.length < 100 &&
    topology.nodes.map((node) => <pre key={node.id}>{labelOf({ ...node, count: 1 })}</pre>),
}));
playLayout();
const { answer } = playAnswers();
const flow = (requests: number, errors = 0) => ({ seconds: 240, requests, errors });

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
        { id: 'alias/chat', type: 'alias', name: 'chat' },
        { id: 'replica/deployment/llm/llm-0', type: 'replica', name: 'llm-77d9-x2z' },
      ],
      edges: [
        { from: 'instance/dev', to: 'disk/data', relation: 'mounts', requests_per_second: null },
        { from: 'clients', to: 'service/web', relation: 'calls', requests_per_second: 9, flow: flow(600) },
        { from: 'clients', to: 'deployment/llm', relation: 'calls', requests_per_second: null, flow: null },
        { from: 'alias/chat', to: 'deployment/llm', relation: 'calls', requests_per_second: null, flow: flow(480, 12) },
        {
          ...{ from: 'deployment/llm', to: 'replica/deployment/llm/llm-0', relation: 'calls' },
          ...{ requests_per_second: null, flow: flow(1, 1) },
        },
      ],
    }),
  );
  render(
    <MemoryRouter>
      <TopologyView />
    </MemoryRouter>,
    { wrapper: appAround({ monitoring: words }) },
  );
  const row = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
  expect(await row(/my dev/)).toContain('mounts my data (traffic not measured)');
  expect(await row(/Clients/)).toContain('calls my web (2.5 requests/s), calls my llm (rate unknown)');
  const linkOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect([linkOf('my rack'), linkOf('my data')]).toEqual(['/gpu/nodes/rack/metrics', '/gpu/storage/data']);
  expect(await row(/^chat/)).toBe('chatAliasescalls my llm (2 requests/s, 3% errors)');
  expect(await row(/^my llm/)).toContain('calls llm-77d9-x2z (<0.01 requests/s, 100% errors)');
  expect(await row(/^llm-77/)).toBe('llm-77d9-x2zReplicas–');
  expect((await screen.findByText(/^…/)).textContent).toBe('…77d9-x2z\nReplicas');
  expect([linkOf('chat'), linkOf('llm-77d9-x2z')]).toEqual(['/model/alias', linkOf('my llm')]);
});

test('of thousands of objects only the rows in sight are in the page', async () => {
  const nodes = Array.from({ length: 3000 }, (_, at) => ({ id: `job/${at}`, type: 'job', name: `job ${at}` }));
  const edges = nodes.slice(1, 6).map(({ id }) => ({
    ...{ from: 'job/0', to: id, relation: 'mounts', requests_per_second: null },
  }));
  answer('GET /api/monitor/v1/observe/topov2/', playedResult({ nodes, edges }));
  render(
    <MemoryRouter>
      <TopologyView />
    </MemoryRouter>,
    { wrapper: appAround({ monitoring: words }) },
  );
  expect((await screen.findByRole('row', { name: /^job 0/ })).textContent).toContain(
    'job 3 (traffic not measured), 2 more',
  );
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
});
