// "Start" on the market: what is reserved, where the browser goes with it, and what a visitor is told.
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type MarketModel, searchOf, shownModels, viewOf } from './parts/market-view.ts';
import { StartButton } from './parts/start-button.tsx';
import { words as english } from './words/en.ts';

const words = new Words('en');
words.add('portal', english);
const SITE = { portal: 'https://www.example.org', console: 'https://console.example.org' };
const PATH = '/develop/instance/create?gpu=NVIDIA-H200&count=2&hold=hld-1';
const before = globalThis.fetch;
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  globalThis.fetch = before;
});

function start(answer: () => Promise<Response>) {
  const calls = jest.fn<typeof fetch>(answer);
  globalThis.fetch = calls;
  const go = jest.fn<(address: string) => void>();
  render(
    <WordsProvider words={words}>
      <StartButton {...{ site: SITE, language: 'ja', model: 'NVIDIA-H200', gpus: 2, region: 'eu-west', go }} />
    </WordsProvider>,
  );
  fireEvent.click(screen.getByRole('link', { name: 'Start' }));
  const bodies = () => calls.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
  return { calls, go, bodies };
}
const held = async () => Response.json({ code: 0, result: { id: 'hld-1', path: PATH } }, { status: 201 });
const FORM = `${SITE.console}/develop/instance/create?gpu=NVIDIA-H200&count=2`;

test('Start reserves what is shown and goes to the form with it', async () => {
  const { calls, go, bodies } = start(held);
  await waitFor(() => expect(go.mock.calls).toEqual([[SITE.console + PATH]]));
  expect(bodies()).toEqual([{ model: 'NVIDIA-H200', gpus: 2, region: 'eu-west' }]);
  expect(calls.mock.calls[0]).toMatchObject(['/api/portal/v1/market/hold', { headers: { 'accept-language': 'ja' } }]);
});

test('choosing again gives up the former reservation of the tab', async () => {
  sessionStorage.setItem('gantry_hold', 'hld-0');
  const { go, bodies } = start(held);
  await waitFor(() => expect(go).toHaveBeenCalled());
  expect(bodies()).toMatchObject([{ instead: 'hld-0' }]);
  expect(sessionStorage.getItem('gantry_hold')).toBe('hld-1');
});

test('who comes second is told so, stays, and may go on without a reservation', async () => {
  const message = 'The last free NVIDIA H200 is being started by somebody else.';
  const { go } = start(async () => Response.json({ code: 409102, message }, { status: 409 }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Continue without a reservation' }).getAttribute('href')).toBe(FORM);
  expect(go).not.toHaveBeenCalled();
});

test.each([
  ['answers', () => Promise.reject(new TypeError('offline'))],
  ['can say', async () => new Response('<html>', { status: 502 })],
])('where nobody %s, the form goes on without a reservation', async (_, answer) => {
  const { go } = start(answer);
  await waitFor(() => expect(go.mock.calls).toEqual([[FORM]]));
});

test('a click for another tab is the browser’s own, and reserves nothing', async () => {
  const { calls, go } = start(held);
  await waitFor(() => expect(go).toHaveBeenCalled());
  calls.mockClear();
  fireEvent.click(screen.getByRole('link'), { ctrlKey: true });
  expect(calls).not.toHaveBeenCalled();
});

const model = (id: string, starts: [gpus: number, free: number][], region = 'us-east') =>
  ({
    ...{ id, name: id, vendor: null, memory_gi: 80, price: { hour: null, month: null } },
    free: { step: 'some', count: 8 },
    regions: [{ region, starts: starts.map(([gpus, count]) => ({ gpus, free: { step: 'few', count } })) }],
  }) as unknown as MarketModel;
const MODELS = [
  model('one', [[1, 8]]),
  model('four', [
    [1, 8],
    [4, 1],
    [8, 0],
  ]),
  model('far', [[8, 1]], 'eu-west'),
];

test.each([
  ['', ['one', 'four', 'far']],
  ['?gpus=2', ['four', 'far']],
  ['?gpus=8', ['far']],
  ['?gpus=8&region=us-east', []],
  ['?gpus=-1', ['one', 'four', 'far']],
  ['?gpus=x', ['one', 'four', 'far']],
])('the market of %s has the models of which one instance could have so many GPUs now', (search, ids) => {
  expect(shownModels(MODELS, viewOf(search)).map(({ id }) => id)).toEqual(ids);
});

test('the address keeps how many GPUs', () => {
  expect(searchOf(viewOf('?gpus=4&free=1'))).toBe('?gpus=4&free=1');
  expect(searchOf(viewOf('?gpus=0'))).toBe('');
});
