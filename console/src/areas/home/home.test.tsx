// The home page's cards: what they say of money in either market, and where a read fails.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { appAround, type Played, playAnswers, playedRefusal, playedResult } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { words as parts } from '../../parts/words/en.ts';
import { DeployCard } from './deploy-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HomePage } from './home-page.tsx';
import { NewsCard } from './news-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { RunningCard } from './running-card.tsx';
import { useRunning } from './use-running.ts';
import { words as home } from './words/en.ts';

const { answer, calls } = playAnswers();

const show = (page: React.ReactNode) =>
  render(<MemoryRouter>{page}</MemoryRouter>, { wrapper: appAround({ home, parts }) });

const offers = (...data: object[]) => ({ body: { code: 0, message: 'ok', data } });

function money({ market, balance, credits }: { market: string; balance: string; credits: string }) {
  answer('GET /api/settings', playedResult({ market, welcome_credits: credits, console_variant: 'full' }));
  answer('GET /api/paybill/v1/wallet-balances', playedResult({ balance, currency: 'USD' }));
  answer('GET /api/account/v1/user-real-auth', playedResult({ status: 0, welcome_credit: 'none' }));
  answer('GET /api/elnode/v1/spec', offers());
}

test.each([
  [
    'the credits are those of the settings',
    { market: 'overseas', balance: '0', credits: '25.00' },
    /get \$25 in credits/,
  ],
  [
    'without welcome credits none are promised',
    { market: 'overseas', balance: '0', credits: '0.00' },
    home.steps.verify.noCredits,
  ],
  ['overseas one reads the balance', { market: 'overseas', balance: '7.5', credits: '100.00' }, /\$7\.50/],
  [
    'in the domestic market one reads only that there is credit',
    { market: 'domestic', balance: '7.5', credits: '100.00' },
    home.steps.verify.hasCredit,
  ],
])('%s', async (_, given, text) => {
  money(given);
  show(<FirstSteps />);
  expect(await screen.findByText(text)).toBeTruthy();
});

test('nothing is promised or denied before the settings are known', async () => {
  money({ market: 'overseas', balance: '0', credits: '25.00' });
  const settings = Promise.withResolvers<Played>();
  answer('GET /api/settings', settings.promise);
  show(<FirstSteps />);
  await waitFor(() => expect(calls('GET /api/account/v1/user-real-auth')).toBe(1));
  await screen.findByText(home.steps.start.withoutGpu);
  expect(screen.queryByText(home.steps.verify.noCredits)).toBeNull();
  settings.resolve(playedResult({ market: 'overseas', welcome_credits: '25.00', console_variant: 'full' }));
  expect(await screen.findByText(/get \$25 in credits/)).toBeTruthy();
});

test('whoever is verified without the welcome credit is told so, and can pay', async () => {
  money({ market: 'overseas', balance: '0', credits: '25.00' });
  answer('GET /api/account/v1/user-real-auth', playedResult({ status: 1, welcome_credit: 'usedElsewhere' }));
  show(<FirstSteps />);
  expect(await screen.findByText(home.steps.verify.usedElsewhere)).toBeTruthy();
});

test('a message list of an unknown shape is an error in the log, and the card says that it failed', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  answer('POST /api/account/v1/messages', playedResult({ rows: [] }));
  show(<NewsCard />);
  expect((await screen.findByRole('alert')).textContent).toContain('No answer of ours.');
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockRestore();
});

test('the last step starts an instance on the cheapest free GPU, by its name', async () => {
  const offer = (name: string, amount: string, free: number) => ({
    name,
    price: { amount },
    starts: [{ count: 1, free }],
  });
  money({ market: 'overseas', balance: '7.5', credits: '0' });
  answer(
    'GET /api/elnode/v1/spec',
    offers(offer('dear', '9', 1), offer('NVIDIA L4', '0.43', 2), offer('taken', '0.1', 0)),
  );
  show(<FirstSteps />);
  expect(await screen.findByText(/one NVIDIA L4 is already filled in/)).toBeTruthy();
  expect(screen.getByText(home.steps.title)).toBeTruthy();
  expect(screen.getByRole('link', { name: home.steps.start.go }).getAttribute('href')).toContain('preset=oneGpu');
});

test('without a free GPU the last step says so, and starts an instance without one', async () => {
  money({ market: 'overseas', balance: '7.5', credits: '0' });
  show(<FirstSteps />);
  expect(await screen.findByText(home.steps.titleWithoutGpu)).toBeTruthy();
  expect(screen.getByText(home.steps.start.withoutGpu)).toBeTruthy();
  expect(screen.getByRole('link', { name: home.steps.start.go }).getAttribute('href')).toContain('preset=tryIt');
});

test('a plan that cannot be read says so, and can be tried again', async () => {
  answer('GET /api/paybill/v1/plan', { ...playedRefusal('internal', 'Back-end data error.'), status: 500 });
  show(<PlanCard />);
  expect(await screen.findByText('Back-end data error.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
});

test('the account console has a home of its own, which asks for nothing of the cluster', async () => {
  money({ market: 'overseas', balance: '0', credits: '0' });
  answer('GET /api/settings', playedResult({ market: 'overseas', console_variant: 'account' }));
  answer('GET /api/auth/v1/account/me', playedResult({ username: 'ann_01' }));
  show(<HomePage />);
  expect(await screen.findByText(home.account.title)).toBeTruthy();
  expect(await screen.findByText(home.lead)).toBeTruthy();
  expect(calls('GET /api/develop/v1/instance?size=100')).toBe(0);
});

const listed = (...objects: object[]): Played => ({
  body: {
    ...{ code: 0, message: 'ok', data: objects },
    paginated: { page: 1, size: 100, total_num: objects.length, total_page: 1 },
  },
});
const inPhase = (phase: string, label: string, tone: string) => ({ phase, phase_label: label, tone });

test('jobs and services are counted by phase, and each count leads to those', async () => {
  const running = inPhase('running', 'Running', 'good');
  answer('GET /api/deploy/v1/job?size=100', listed(running, inPhase('queued', 'Queued', 'progress'), running));
  answer('GET /api/deploy/v1/service?size=100', listed());
  show(<DeployCard />);
  const count = await screen.findByRole('link', { name: 'Running 2' });
  expect(count.getAttribute('href')).toBe('/deploy/job?status=running');
  expect(screen.getByRole('link', { name: 'Queued 1' })).toBeTruthy();
  expect(screen.queryByText(home.deploy.services)).toBeNull();
});

test('without jobs and services nothing is said of them', async () => {
  answer('GET /api/deploy/v1/job?size=100', listed());
  answer('GET /api/deploy/v1/service?size=100', listed());
  show(<DeployCard />);
  await waitFor(() => expect(calls('GET /api/deploy/v1/service?size=100')).toBe(1));
  expect(screen.queryByText(home.deploy.title)).toBeNull();
});

const LISTS = [
  ...['develop/v1/instance', 'elnode/v1/instance', 'stor/v1/data-disk', 'deploy/v1/job', 'deploy/v1/service'],
  ...['model/v1/model/deployment', 'data/v1/data/dataset/processing', 'model/v1/model/fine-tune'],
  'model/v1/model/evaluation',
];

function Card() {
  const instances = useCall(CALLS.listInstances, { query: { size: 100 } });
  return <RunningCard running={useRunning(instances)} instances={instances.data?.items ?? []} />;
}
const object = (id: string, state: object) => ({ id, name: id, message: null, price: null, actions: [], ...state });

test('what runs is listed with its kind, what failed comes first, and what is over is left out', async () => {
  for (const list of LISTS) answer(`GET /api/${list}?size=100`, listed());
  const good = inPhase('active', 'Active', 'good');
  const failed = { ...inPhase('failed', 'Failed', 'bad'), message: 'Three exits.' };
  answer('GET /api/model/v1/model/deployment?size=100', listed(object('dep-1', good)));
  answer('GET /api/deploy/v1/job?size=100', listed(object('job-1', failed)));
  answer('GET /api/model/v1/model/fine-tune?size=100', listed(object('ftn-1', inPhase('success', 'Done', 'good'))));
  answer('GET /api/stor/v1/data-disk?size=100', listed(object('disk-1', inPhase('ready', 'Ready', 'good'))));
  show(<Card />);
  const links = await screen.findAllByRole('link', { name: /-1$/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/deploy/job/job-1', '/model/deployment/dep-1']);
  expect(screen.getByText('Job · Three exits.')).toBeTruthy();
  expect(screen.queryByText(home.running.none)).toBeNull();
});

test('nothing is said to be running nowhere before every kind was read', async () => {
  for (const list of LISTS) answer(`GET /api/${list}?size=100`, listed());
  const late = Promise.withResolvers<Played>();
  answer('GET /api/model/v1/model/deployment?size=100', late.promise);
  show(<Card />);
  await waitFor(() => expect(calls('GET /api/model/v1/model/evaluation?size=100')).toBe(1));
  expect(screen.queryByText(home.running.none)).toBeNull();
  late.resolve(listed());
  expect(await screen.findByText(home.running.none)).toBeTruthy();
});
