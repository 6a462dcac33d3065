// Features that an instance in another data centre lacks are explained in a sentence, and no call is made that would be refused.
import { appAround, playAnswers } from '@gantry/ui/testing/played-app.tsx';
import { beforeEach, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { HereOnly } from './here-only.tsx';
import { words as instance } from './words/en.ts';

const { answer } = playAnswers();
const REGIONS = 'GET /api/elnode/v1/cluster/region';
const regions = [
  { region: 'us-east', name: 'US East', takes_instances: true, gpus: null },
  { region: 'eu-west', name: 'EU West', takes_instances: true, gpus: null },
];
let isAsked: boolean;
beforeEach(() => {
  isAsked = false;
});

function Metrics() {
  isAsked = true;
  return <p>charts</p>;
}
const show = (region: string) =>
  render(
    <HereOnly instance={{ region, data_center: 'EU West' }}>
      <Metrics />
    </HereOnly>,
    { wrapper: appAround({ instances: instance }) },
  );

test('an instance in the first data centre has it', async () => {
  answer(REGIONS, { body: { code: 0, message: 'ok', data: regions } });
  show('us-east');
  expect(await screen.findByText('charts')).toBeTruthy();
});

test('of one elsewhere a sentence says that it is not there, without an error', async () => {
  answer(REGIONS, { body: { code: 0, message: 'ok', data: regions } });
  show('eu-west');
  expect(await screen.findByText('This instance is in EU West')).toBeTruthy();
  expect(
    screen.getByText('For instances there, only the last hour is shown so far, without metrics or alerts.'),
  ).toBeTruthy();
  expect([screen.queryByRole('alert'), isAsked]).toEqual([null, false]);
});

test('while nobody says which regions there are, it is shown', async () => {
  answer(REGIONS, { status: 500, body: { code: 50000, error: 'internal', message: 'Not here.' } });
  show('us-east');
  expect(await screen.findByText('charts')).toBeTruthy();
});
