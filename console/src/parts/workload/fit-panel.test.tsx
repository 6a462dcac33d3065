// Without capacity: the largest size that fits is named as it would be applied, and never exceeds the request.

import type { FitView, WorkloadFitView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { describe, expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { MemoryRouter } from 'react-router';
import { FitPanel } from './fit-panel.tsx';
import { words as workload } from './words/en.ts';
import { placeOf, type WorkloadValues } from './workload-values.ts';

const fetched = playNetwork();
const EMPTY: WorkloadValues = { image: '', host: '', gpu: { model: '', count: 1 }, cores: 2, memoryGi: 4 };
let form: UseFormReturn<WorkloadValues>;
let copies: number | undefined;

function Form({ values }: { values: WorkloadValues }) {
  form = useForm({ defaultValues: values });
  return (
    <FormProvider {...form}>
      <FitPanel call={CALLS.fitInstance} place={placeOf(values)} onCopies={(taken) => (copies = taken)} />
    </FormProvider>
  );
}

async function show(largest: FitView['largest'], model = '', more: Partial<FitView> = {}) {
  const fit: FitView = {
    fits: false,
    reason: 'WaitingForRoom',
    message: 'No room.',
    wanted: { model: model || null, count: model ? 1 : 0, cores: 2, memory_gi: 4 },
    free: largest.count,
    nodes: 1,
    largest,
    quota_left: null,
    blocked_by: 'free',
    ...more,
  };
  fetched.mockImplementation(async () => answerOf(fit));
  const client = newQueryClient();
  const nodes = [{ pname: 'fitInstance', peltype: 'element' }];
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), nodes);
  const values = { ...EMPTY, gpu: { model, count: 1 } };
  render(
    <MemoryRouter>
      <Form values={values} />
    </MemoryRouter>,
    { wrapper: appAround({ workload }, client) },
  );
  await screen.findByText('No room.');
}
const size = () => form.getValues(['gpu.count', 'cores', 'memoryGi']);

test('one card of a node with eight free ones is offered, and taken', async () => {
  await show({ count: 8, cores: 0.5, memory_gi: 21.4 }, 'Tesla-T4');
  expect(screen.getByText(/This fits now: 1 × NVIDIA Tesla T4, 0.5 cores, 4 GiB\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Use this' }));
  expect(size()).toEqual([1, 0.5, 4]);
});

test('without a card, what is left of the node', async () => {
  await show({ count: 0, cores: 4, memory_gi: 1 });
  expect(screen.getByText(/This fits now: 2 cores, 1 GiB\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Use this' }));
  expect(size()).toEqual([1, 2, 1]);
});

test('where no card is free, nothing is offered', async () => {
  await show({ count: 0, cores: 4, memory_gi: 1 }, 'Tesla-T4');
  expect(screen.queryByText(/This would fit/)).toBeNull();
  expect(screen.getByText(workload.fit.waits)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use this' })).toBeNull();
});

test('what the quota leaves is offered, and nobody is told to wait for what never comes', async () => {
  const wanted = { model: 'Tesla-T4', count: 8, cores: 2, memory_gi: 4 };
  await show({ count: 8, cores: 4, memory_gi: 8 }, 'Tesla-T4', { wanted, quota_left: 3, blocked_by: 'quota' });
  expect(screen.getByText(/This fits now: 3 × NVIDIA Tesla T4, 2 cores, 4 GiB\./)).toBeTruthy();
  expect(screen.queryByText(new RegExp(workload.fit.waits))).toBeNull();
});

describe('of several workers', () => {
  const wanted = { model: 'NVIDIA-H100', count: 8, cores: 2, memory_gi: 4 };
  const showMany = (more: Partial<WorkloadFitView>) =>
    show({ count: 8, cores: 4, memory_gi: 8 }, 'NVIDIA-H100', {
      wanted,
      copies: { wanted: 4, fitting: 1 },
      nearest: null,
      position: null,
      ...more,
    } as Partial<FitView>);

  test('the nearest size of the answer is offered, and taken with its number of workers', async () => {
    await showMany({ nearest: { model: 'NVIDIA-L40S', count: 4, copies: 2 }, position: 3 });
    expect(screen.getByText(/2 of these fit now: 4 × NVIDIA L40S, 2 cores, 4 GiB\./)).toBeTruthy();
    expect(screen.getByText(/It would be number 3 in your organisation’s queue\./)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use this' }));
    expect([form.getValues('gpu'), copies]).toEqual([{ model: 'NVIDIA-L40S', count: 4 }, 2]);
  });

  test('nothing is offered where nothing would fit, whatever one node has left', async () => {
    await showMany({ blocked_by: 'quota' });
    expect(screen.getByText(/There is room for 1 of 4 now\./)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Use this' })).toBeNull();
  });
});
