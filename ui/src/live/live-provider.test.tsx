// The stream around a page, and what a page costs.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { useCall } from '../client/use-api.tsx';
import { storeSession } from '../session/session.ts';
import { answerOf, appAround, playNetwork } from '../testing/played-app.tsx';
import { LiveProvider } from './live-provider.tsx';

const fetched = playNetwork();
beforeEach(() => {
  jest.useFakeTimers();
  storeSession({ token: 'tok', accountId: 'ann', organizationId: 'acme' });
});
afterEach(() => void jest.useRealTimers());

function Balance() {
  useCall(CALLS.getWalletBalances, {});
  return null;
}

test('a tab that is alone reads what it shows once more when its stream is there, and no more', async () => {
  let connect: (stream: Response) => void = () => {};
  const asked: string[] = [];
  fetched.mockImplementation((url) => {
    const path = new URL(String(url), location.origin).pathname;
    asked.push(path);
    return path.endsWith('/messages')
      ? new Promise((resolve) => (connect = resolve))
      : Promise.resolve(answerOf({ balance: '1' }));
  });
  render(
    <LiveProvider>
      <Balance />
    </LiveProvider>,
    { wrapper: appAround() },
  );
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(asked).toEqual(['/api/paybill/v1/wallet-balances', '/api/account/v1/messages']);
  connect(new Response(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }));
  await act(() => jest.advanceTimersByTimeAsync(60_000));
  expect(asked.slice(2)).toEqual(['/api/paybill/v1/wallet-balances']);
});

test('a read after a change asks for the version of the event', async () => {
  const versions: (string | null)[] = [];
  const change = { kind: 'GpuInstance', id: 'a', type: 'delete', version: '5' };
  const stream = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(`event: resource\ndata: ${JSON.stringify(change)}\n\n`)),
  });
  fetched.mockImplementation(async (url, init) => {
    if (String(url).includes('/messages'))
      return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
    versions.push(new Headers(init?.headers).get('X-Gantry-Version'));
    return answerOf({ balance: '1' });
  });
  render(
    <LiveProvider>
      <Balance />
    </LiveProvider>,
    { wrapper: appAround() },
  );
  await act(() => jest.advanceTimersByTimeAsync(10_000));
  expect([versions.at(0), versions.at(-1)]).toEqual([null, 'gpuinstances=5']);
});
