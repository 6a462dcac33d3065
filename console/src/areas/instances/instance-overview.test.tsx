// The limits of an instance on its page.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { appAround, playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as workload } from '../../parts/workload/words/en.ts';
import { InstanceOverview } from './instance-overview.tsx';
import { InstanceParts } from './instance-parts.tsx';
import { words as instance } from './words/en.ts';

playAnswers();

function show(more: Partial<InstanceView>) {
  const view = {
    ...{ id: 'ins-1', specification: '1 core', host: null, node: null, address: null, price: null, creator: null },
    ...{
      image: 'official/busybox:1.36',
      image_type: 'base',
      region: 'here',
      data_center: 'EU West',
      health_label: null,
      running_since: null,
    },
    ...{ create_time: '2026-11-22T10:00:00Z', root_limit_gi: 40, root_used_bytes: null, process_limit: 4096 },
    ...{ home_used_bytes: null, spec: { homeDisk: { sizeGi: 20 } }, ...more },
  } as unknown as InstanceView;
  render(
    <MemoryRouter>
      <InstanceOverview instance={view} />
      <InstanceParts instance={view} />
    </MemoryRouter>,
    { wrapper: appAround({ instances: instance, workload }) },
  );
}
/** The value beside a label. */
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

test('an instance that was not measured yet shows its limits alone', () => {
  show({});
  expect([fact('Files outside disks'), fact('Processes and threads'), fact('Home disk')]).toEqual([
    'up to 40 GiB',
    'up to 4096',
    '20 GiB at /root',
  ]);
});

test('a measured instance shows how much of its limits is used', () => {
  show({ root_used_bytes: 1.5 * 2 ** 30, home_used_bytes: 0 });
  expect([fact('Files outside disks'), fact('Home disk')]).toEqual([
    '1.50 GiB used of 40 GiB',
    '20 GiB at /root, 0 B used',
  ]);
});

test('its region and its place are named', () => {
  show({});
  expect([fact('Region'), fact('Place')]).toEqual(['EU West', 'Shared pool']);
});
