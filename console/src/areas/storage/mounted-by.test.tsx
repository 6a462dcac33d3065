// A disk's mounts, as a row of the list shows them.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { MountedBy } from './mounted-by.tsx';
import { words as storage } from './words/en.ts';

playNetwork();

const instance = (id: string, name: string, at_next_start = false) =>
  ({ kind: 'GpuInstance', id, name, mount_path: '/data', at_next_start }) as const;

const BIG = { kind: 'GpuHost', id: 'hst-1', name: 'big', mount_path: '/data', at_next_start: false } as const;

test.each([
  [
    'by its name, also what gets the disk at its next start; what else it is called is told beside',
    [instance('ins-1', 'training', true), BIG],
    [
      ['training', 'training (ins-1)', '/develop/instance/ins-1'],
      ['big', 'big (hst-1)', '/gpu/nodes/hst-1'],
    ],
    'trainingbig',
  ],
  [
    'by its id where nobody chose a name',
    [instance('ins-1', 'ins-1')],
    [['ins-1', 'ins-1', '/develop/instance/ins-1']],
    'ins-1',
  ],
  [
    'one alone where there is no room for all',
    [instance('ins-1', 'training'), BIG, instance('ins-2', 'other')],
    [['training', 'training (ins-1)', '/develop/instance/ins-1']],
    'training+2',
  ],
])('who has a disk is called %s', (_, mounted_by, wanted, shown) => {
  const { container } = render(
    <MemoryRouter>
      <MountedBy disk={{ mounted_by }} />
    </MemoryRouter>,
    { wrapper: appAround({ storage }) },
  );
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.title, link.getAttribute('href')]);
  expect([links, container.textContent]).toEqual([wanted, shown]);
});
