// The form of a new instance, reloaded on the way: a person's choice of keys decides who can log in.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { wayToDraft } from '../../parts/draft.ts';
import { words as parts } from '../../parts/words/en.ts';
import { words as workload } from '../../parts/workload/words/en.ts';
import { InstanceCreatePage } from './instance-create-page.tsx';
import { words as instance } from './words/en.ts';

const fetched = playNetwork();
const key = (remark: string, status: string) => ({
  id: remark,
  remark,
  status,
  public_key: `ssh-ed25519 ${remark}`,
  expiration_time: null,
});
const items = [key('laptop', 'valid'), key('colleague', 'valid'), key('old', 'expired')];

const H100 = {
  id: 'NVIDIA-H100-80GB-HBM3-8',
  gpu_type: 'NVIDIA-H100-80GB-HBM3',
  name: 'NVIDIA H100 80 GB',
  gpu_memory_gi: 80,
  gpu_count: 8,
  card_cores: 21,
  card_memory_gi: 230,
  total: 16,
  free: 10,
  starts: [
    { count: 1, free: 10 },
    { count: 8, free: 1 },
  ],
  price: { per: 'hour', amount: '2.69', list: '2.69', discount_percent: 0, currency: 'USD' },
};

const L40S = { ...H100, id: 'NVIDIA-L40S-8', gpu_type: 'NVIDIA-L40S', name: 'NVIDIA L40S', total: 8, free: 5 };
const HOME = { region: 'us-east', name: 'US East', takes_instances: true, gpus: { free: 10, total: 16 } };
const FAR = { region: 'eu-west', name: 'EU West', takes_instances: true, gpus: { free: 5, total: 8 } };

let offered: (typeof H100)[];
let regions: object[];
/** Bodies of calls, by the last step of their paths. */
let sent: Map<string, Record<string, unknown>>;

beforeEach(() => {
  offered = [H100];
  regions = [HOME];
  sent = new Map();
  sessionStorage.clear();
  storeSession({ token: 'tok', accountId: 'acc-1', organizationId: 'org-1' });
  fetched.mockImplementation(async (url, init) => {
    if (init?.body) sent.set(String(url).split('/').at(-1) ?? '', JSON.parse(String(init.body)));
    if (String(url).endsWith('/cluster/region')) return answer({ code: 0, message: 'ok', data: regions });
    if (String(url).endsWith('/spec?region=eu-west')) return answer({ code: 0, message: 'ok', data: [L40S] });
    if (String(url).startsWith('/api/account/v1/pub-key')) return answer({ code: 0, message: 'ok', data: items });
    if (String(url).startsWith('/api/elnode/v1/spec')) return answer({ code: 0, message: 'ok', data: offered });
    // Other tests cover prices, images and disks. Like a network, this answers late: an endless loop of requests would show.
    await new Promise((arrive) => setTimeout(arrive));
    return answer({ code: 50000, error: 'internal', message: 'Not here.' }, 500);
  });
});

/** As a browser shows the page when it is loaded: whatever was there before is gone. */
async function load(address = '/develop/instance/create') {
  cleanup();
  const client = newQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  client.setQueryData(keyOf(CALLS.getPermissionNodes, nodesInput('tenant')), [
    { pname: 'createInstance', peltype: 'element' },
  ]);
  const router = createMemoryRouter([{ path: '*', Component: InstanceCreatePage }], { initialEntries: [address] });
  render(<RouterProvider router={router} />, { wrapper: appAround({ parts, instances: instance, workload }, client) });
  await screen.findByRole('checkbox', { name: 'laptop' });
}

const box = (remark: RegExp) => screen.getByRole('checkbox', { name: remark }) as HTMLInputElement;
const ticked = () => [/^laptop/, /^colleague/, /^old/].map((remark) => box(remark).checked);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const restored = () => screen.queryByText(/We restored your earlier input/);

test('all keys that can log in are picked; one that was taken out stays out, until one starts over', async () => {
  await load();
  expect(ticked()).toEqual([true, true, false]);
  fireEvent.click(box(/^colleague/));
  await load();
  expect(restored()).not.toBeNull();
  expect(ticked()).toEqual([true, false, false]);
  press('Start over');
  expect(ticked()).toEqual([true, true, false]);
  expect(restored()).toBeNull();
});

test('whoever only looks at it has filled in nothing', async () => {
  await load('/develop/instance/create?preset=tryIt');
  expect(wayToDraft('instance')).toBeUndefined();
  await load();
  expect(restored()).toBeNull();
});

test('values of the environment are kept nowhere, and the form says that they are missing', async () => {
  await load();
  press('Add variable');
  const fields = within(screen.getByRole('group', { name: 'Environment variables' }));
  fireEvent.change(fields.getByLabelText(/^Name/), { target: { value: 'API_KEY' } });
  fireEvent.change(fields.getByLabelText(/^Value/), { target: { value: 'hunter2' } });
  expect(JSON.stringify(sessionStorage)).toContain('API_KEY');
  expect(JSON.stringify(sessionStorage)).not.toContain('hunter2');
  await load();
  expect(restored()?.textContent).toMatch(/values of environment variables were not saved/);
  expect(screen.getByDisplayValue('API_KEY')).toBeTruthy();
  expect(screen.queryByDisplayValue('hunter2')).toBeNull();
});

const number = (name: RegExp) => screen.getByRole('spinbutton', { name }) as HTMLInputElement;
const amounts = () => [number(/^CPU/).value, number(/^Memory/).value];
const setCards = (value: string) => fireEvent.change(number(/^GPUs/), { target: { value } });

test('a GPU is chosen by its name, with what comes with it and how many could start now', async () => {
  await load();
  const card = screen.getByText('NVIDIA H100 80 GB').closest('label') as HTMLElement;
  for (const line of [
    '$2.69 per GPU and hour',
    '80 GiB of GPU memory',
    'each with 21 cores and 230 GiB of memory',
    '10 of 16 free',
    'Can start now: 10 with 1 GPU · 1 with 8 GPUs',
  ])
    expect(within(card).getByText(line)).toBeTruthy();
  const bar = within(card).getByRole('progressbar', { name: 'NVIDIA H100 80 GB: 6 of 16 in use' });
  expect(bar.getAttribute('aria-valuenow')).toBe('37.5');
});

test('CPU and memory scale with the cards, until they are changed', async () => {
  await load();
  expect(amounts()).toEqual(['2', '4']);
  fireEvent.click(screen.getByRole('radio', { name: /^NVIDIA H100 80 GB/ }));
  expect(amounts()).toEqual(['21', '230']);
  setCards('8');
  expect(amounts()).toEqual(['168', '1840']);
  fireEvent.change(number(/^CPU/), { target: { value: '32' } });
  setCards('4');
  expect(amounts()).toEqual(['32', '920']);
});

test('a link to eight cards brings what comes with them', async () => {
  await load('/develop/instance/create?gpu=NVIDIA-H100-80GB-HBM3&count=8');
  expect(amounts()).toEqual(['168', '1840']);
});

test('a link that fills in a GPU fills in the smallest instance where none is free, and a name', async () => {
  offered = [];
  await load('/develop/instance/create?preset=oneGpu');
  expect((screen.getByRole('spinbutton', { name: /^CPU/ }) as HTMLInputElement).value).toBe('0.1');
  expect((screen.getByRole('textbox', { name: /^Name/ }) as HTMLInputElement).value).toBe('first_instance');
});

const region = () => screen.findByRole('combobox', { name: /^Region/ });
async function choose(name: RegExp) {
  fireEvent.mouseDown(await region());
  fireEvent.click(await screen.findByRole('option', { name }));
}

test('where there is one data centre, or nothing can be created in the others, there is nothing to choose', async () => {
  regions = [HOME, { ...FAR, takes_instances: false }];
  await load();
  await screen.findByText(/Shared pool, US East/);
  expect(screen.queryByRole('combobox', { name: /^Region/ })).toBeNull();
});

test('a region is chosen with what is free there; one out of reach cannot be', async () => {
  regions = [HOME, FAR, { ...FAR, region: 'ap', name: 'Asia', gpus: null }];
  await load();
  fireEvent.mouseDown(await region());
  const options = await screen.findAllByRole('option');
  expect(options.map((option) => [option.textContent, option.getAttribute('aria-disabled')])).toEqual([
    ['US East: 10 of 16 GPUs free', null],
    ['EU West: 5 of 8 GPUs free', null],
    ['Asia: unreachable now', 'true'],
  ]);
});

test('cards, disks, price and room follow the region, and it is sent', async () => {
  regions = [HOME, FAR];
  await load();
  await choose(/^EU West/);
  expect(await screen.findByText('NVIDIA L40S')).toBeTruthy();
  expect(screen.queryByText('NVIDIA H100 80 GB')).toBeNull();
  expect(screen.getByText(/Shared pool, EU West/)).toBeTruthy();
  expect(screen.getByText('Data disks cannot be mounted in EU West yet.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Mount a disk' })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'far' } });
  fireEvent.change(screen.getByRole('combobox', { name: /^Image/ }), { target: { value: 'a/b:1' } });
  await waitFor(() => expect(sent.get('estimate')).toMatchObject({ kind: 'GpuInstance', region: 'eu-west' }));
  press('Create and start');
  await waitFor(() => expect(sent.get('instance')).toMatchObject({ displayName: 'far', region: 'eu-west' }));
});

test('in the first region none is sent', async () => {
  regions = [HOME, FAR];
  await load();
  fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'near' } });
  fireEvent.change(screen.getByRole('combobox', { name: /^Image/ }), { target: { value: 'a/b:1' } });
  press('Create and start');
  await waitFor(() => expect(sent.get('instance')).toMatchObject({ displayName: 'near' }));
  expect(sent.get('instance')).not.toHaveProperty('region');
});

const HOLD = '/develop/instance/create?gpu=NVIDIA-H100-80GB-HBM3&count=1&hold=hld-1';
const RESERVED = {
  ...{ id: 'hld-1', model: 'NVIDIA-H100-80GB-HBM3', name: 'NVIDIA H100 80 GB', gpus: 1, region: 'us-east' },
  ...{ region_name: 'US East', hour: '2.69', currency: 'USD', until: '2026-12-01T00:10:00Z', seconds: 565 },
  ...{ is_claimed: true, path: HOLD },
};
const REFUSED = (error: string, message: string) => answer({ code: 40900, error, message, field: 'hold' }, 409);

/** The gateway's answers to a claim, and to the instance that is sent. */
function playHold(claim: () => Response, create?: () => Response) {
  const others = fetched.getMockImplementation();
  const created: Record<string, unknown>[] = [];
  fetched.mockImplementation(async (url, init) => {
    if (String(url).endsWith('/hold/hld-1/claim')) return claim();
    if (create && String(url).endsWith('/develop/v1/instance')) {
      created.push(JSON.parse(String(init?.body)));
      return create();
    }
    return others ? others(url, init) : answer({}, 500);
  });
  return created;
}
function fillIn() {
  fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: 'held' } });
  fireEvent.change(screen.getByRole('combobox', { name: /^Image/ }), { target: { value: 'a/b:1' } });
}

test('a reserved GPU is chosen, shown with its price and the time that is left, and sent', async () => {
  const created = playHold(
    () => answer({ code: 0, message: 'ok', result: RESERVED }),
    () => answer({ code: 50000, error: 'internal', message: 'Not here.' }, 500),
  );
  await load(HOLD);
  expect(
    await screen.findByText(/^1 × NVIDIA H100 80 GB in US East is reserved for you at \$2\.69 .* 9:2\d\.$/),
  ).toBeTruthy();
  expect(amounts()).toEqual(['21', '230']);
  // To anybody but its organisation the GPU is not free.
  const asked = fetched.mock.calls.map(([url]) => String(url));
  const at = (path: string) => asked.findIndex((url) => url.includes(path));
  expect(at('/elnode/v1/spec')).toBeGreaterThan(at('/hold/hld-1/claim'));
  fillIn();
  press('Create and start');
  await waitFor(() => expect(created).toMatchObject([{ displayName: 'held', hold: 'hld-1' }]));
});

test('a form that asks for more than is reserved says so, and is sent without the reservation', async () => {
  const created = playHold(
    () => answer({ code: 0, message: 'ok', result: RESERVED }),
    () => answer({ code: 50000, error: 'internal', message: 'Not here.' }, 500),
  );
  await load(HOLD);
  await screen.findByText(/is reserved for you/);
  setCards('2');
  expect(await screen.findByText(/will be created without the reservation/)).toBeTruthy();
  fillIn();
  press('Create and start');
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]).not.toHaveProperty('hold');
});

test.each([
  ['that has run out meanwhile', () => answer({ code: 0, message: 'ok', result: { ...RESERVED, seconds: 0 } })],
  ['that is no longer there', () => answer({ code: 40401, error: 'not_found', message: 'hld-1 does not exist.' }, 404)],
])('with a reservation %s the form goes on without it, and says so', async (_, claim) => {
  const created = playHold(claim, () => answer({ code: 50000, error: 'internal', message: 'Not here.' }, 500));
  await load(HOLD);
  expect(await screen.findByText(/^The reservation of the GPU has ended/)).toBeTruthy();
  fillIn();
  press('Create and start');
  await waitFor(() => expect(created).toHaveLength(1));
  expect(created[0]).not.toHaveProperty('hold');
});

test('another price than the reserved one is named, and accepted by sending the form again', async () => {
  const said = 'It was reserved at $2.69 per hour, and now costs $3.00 per hour.';
  const created = playHold(
    () => answer({ code: 0, message: 'ok', result: RESERVED }),
    () => REFUSED('price_changed', said),
  );
  await load(HOLD);
  await screen.findByText(/is reserved for you/);
  fillIn();
  press('Create and start');
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.queryByText(/is reserved for you/)).toBeNull();
  press('Create and start');
  await waitFor(() => expect(created).toHaveLength(2));
  expect(created.map((body) => 'hold' in body)).toEqual([true, false]);
});
