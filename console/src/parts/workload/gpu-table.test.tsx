// GPUs as an aligned table: a radio group for the keyboard, sentences for a screen reader.
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { GpuOffer } from './gpu-offers.ts';
import { GpuTable } from './gpu-table.tsx';
import { words as workload } from './words/en.ts';

// jsdom has none, and user-event asks for the group by it.
Object.assign(globalThis, { CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, '\\$&') } });

const offer = (model: string, more: Partial<GpuOffer> = {}): GpuOffer => ({
  ...{ model, name: `NVIDIA ${model}`, gpuMemoryGi: 80, share: { cores: 21, memoryGi: 230 } },
  price: { per: 'hour', amount: '2.69', list: '2.69', discount_percent: 0, currency: 'USD' },
  ...{ free: 10, total: 16, most: 8, starts: [{ count: 1, free: 10 }], ...more },
});
const OFFERS = [offer('H100'), offer('L4', { free: 0, starts: [], price: null, gpuMemoryGi: null, share: null })];

function Picks({ first = '', gone }: { first?: string; gone?: string }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <span id="gpu">GPU</span>
      <GpuTable
        labelledBy="gpu"
        offers={OFFERS}
        value={value}
        gone={gone}
        inputRef={() => {}}
        onBlur={() => {}}
        onChange={setValue}
      />
    </>
  );
}
const shown = (props: Parameters<typeof Picks>[0] = {}) =>
  render(<Picks {...props} />, { wrapper: appAround({ workload }) });
const checked = () => (screen.getAllByRole('radio') as HTMLInputElement[]).map(({ checked: isOn }) => isOn);

test('it is one radio group that the keyboard goes through', async () => {
  const user = userEvent.setup();
  shown();
  within(screen.getByRole('radiogroup', { name: 'GPU' })).getAllByRole('radio');
  await user.tab();
  expect(checked()).toEqual([true, false, false]);
  await user.keyboard('{ArrowDown}');
  expect(checked()).toEqual([false, true, false]);
  await user.keyboard('{ArrowDown}');
  expect(checked()).toEqual([false, false, true]);
});

test('a row is heard as sentences, and seen as figures', () => {
  shown();
  const row = screen.getByRole('radio', { name: /^NVIDIA H100/ });
  for (const said of [
    '80 GiB of GPU memory',
    'each with 21 cores and 230 GiB of memory',
    '$2.69 per GPU and hour',
    '10 of 16 free',
  ])
    expect(row.closest('label')?.textContent).toContain(said);
  screen.getByText('$2.69', { selector: '[aria-hidden]' });
  screen.getByText('21 cores · 230 GiB', { selector: '[aria-hidden]' });
  expect(screen.getByRole('radio', { name: /^NVIDIA L4.*none free/ })).toBeTruthy();
});

test('what is no longer on offer stays chosen', () => {
  shown({ first: 'K80', gone: 'NVIDIA K80' });
  expect(checked()).toEqual([false, false, false, true]);
});
