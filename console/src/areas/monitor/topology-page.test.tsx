// How objects hang together, and what the page does not show.
import { appAround, playAnswers, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { TopologyPage } from './topology-page.tsx';
import { words } from './words/en.ts';

jest.unstable_mockModule('./topology-map.tsx', () => ({ TopologyMap: () => null }));
const { answer } = playAnswers();

test('objects are listed with what they use, and the page says that it shows no traffic', async () => {
  answer(
    'GET /api/monitor/v1/observe/topov2/',
    playedResult({
      nodes: [
        { id: 'instance/dev', type: 'instance', name: 'my dev' },
        { id: 'disk/data', type: 'disk', name: 'my data' },
      ],
      edges: [{ from: 'instance/dev', to: 'disk/data', relation: 'mounts' }],
    }),
  );
  render(
    <MemoryRouter>
      <TopologyPage />
    </MemoryRouter>,
    { wrapper: appAround({ monitor: words }) },
  );
  expect((await screen.findByRole('row', { name: /my dev/ })).textContent).toContain('mounts my data');
  screen.getByText(/Traffic between objects is not measured/);
});
