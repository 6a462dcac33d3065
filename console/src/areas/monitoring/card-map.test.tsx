// The heat map: a cell for each GPU or MIG instance, with whose it is.
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { CardMap } from './card-map.tsx';
import { words } from './words/en.ts';

const CARD = {
  ...{ uuid: 'GPU-1', gpu: '0', node: 'a100-0', model: 'A100', mig: null, type: 'instance' as const, object: 'dev' },
  ...{ pod: 'dev-1', container: 'main', utilization: 80, memory: 50, temperature: 60, power: 100, xid: null },
};

test('instances of one GPU are cells of their own, with their container', () => {
  render(
    <MemoryRouter>
      <CardMap
        cards={[CARD, { ...CARD, mig: '1' }, { ...CARD, mig: '2', container: 'side' }]}
        nameOf={() => 'My dev'}
      />
    </MemoryRouter>,
    { wrapper: appAround({ monitoring: words }) },
  );
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '80%My deva100-0, GPU 0Pod dev-1, container main',
    '80%My deva100-0, GPU 0, MIG instance 1Pod dev-1, container main',
    '80%My deva100-0, GPU 0, MIG instance 2Pod dev-1, container side',
  ]);
});
