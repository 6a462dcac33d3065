// The page's text while nobody answers, and its behaviour when somebody does again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { OfflineBanner } from './offline-banner.tsx';

const fetched = playNetwork();
const PATIENCE = { timeout: 20_000 };

function Page() {
  const { data, error } = useCall(CALLS.listRegions, {});
  return <p>{data ? 'shown' : error ? 'failed' : 'loading'}</p>;
}

test('an unreachable service is said once, and all is read again when it is back', async () => {
  fetched.mockRejectedValue(new TypeError('fetch failed'));
  const all = (
    <>
      <OfflineBanner />
      <Page />
    </>
  );
  render(all, { wrapper: appAround({}) });
  expect((await screen.findAllByText(ui.states.unreachable, {}, PATIENCE)).length).toBe(1);
  expect(screen.getByText('failed')).toBeTruthy();
  fetched.mockImplementation(async (url) =>
    String(url).includes('settings') ? answerOf({}) : answer({ code: 0, message: 'ok', data: [] }),
  );
  await waitFor(() => expect(screen.getByText('shown')).toBeTruthy(), PATIENCE);
  expect(screen.queryByText(ui.states.unreachable)).toBeNull();
});

test('a service that refuses is reachable', async () => {
  fetched.mockImplementation(async () => answer({ code: 1, error: 'internal', message: 'broken' }, 500));
  render(
    <>
      <OfflineBanner />
      <Page />
    </>,
    { wrapper: appAround({}) },
  );
  await screen.findByText('failed', {}, PATIENCE);
  expect(screen.queryByText(ui.states.unreachable)).toBeNull();
});

test('one read that finds nobody is not an outage', async () => {
  let reads = 0;
  fetched.mockImplementation(async (url) => {
    if (String(url).includes('settings')) return answerOf({});
    reads += 1;
    throw new TypeError('fetch failed');
  });
  render(
    <>
      <OfflineBanner />
      <Page />
    </>,
    { wrapper: appAround({}) },
  );
  await screen.findByText('failed', {}, PATIENCE);
  await waitFor(
    () => expect(fetched.mock.calls.some(([url]) => String(url).includes('settings'))).toBe(true),
    PATIENCE,
  );
  expect(screen.queryByText(ui.states.unreachable)).toBeNull();
  // Nor is it asked again for it.
  expect(reads).toBe(3);
});
