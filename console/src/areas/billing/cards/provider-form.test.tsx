// The card's form: the provider renders it and answers; the caller of the form gets the meaning of its answers.

import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { words as uiWords } from '@gantry/ui/words/en.ts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { words } from '../words/en.ts';
import { ProviderForm } from './provider-form.tsx';

const all = new Words('en');
all.add('ui', uiWords);
all.add('billing', words);

const confirmPayment = jest.fn<() => Promise<{ error?: { type: string } }>>();
const drawn = jest.fn<(secret: string) => void>();
const onAnswered = jest.fn();
let script = 0;

const fakeStripe = () => ({
  elements: ({ clientSecret }: { clientSecret: string }) => ({
    create: () => ({
      on: (event: string, heard: () => void) => event === 'ready' && heard(),
      mount: () => drawn(clientSecret),
      destroy: () => {},
    }),
  }),
  confirmPayment,
});

beforeEach(() => {
  script++;
  Object.assign(globalThis, { Stripe: fakeStripe });
  for (const mock of [confirmPayment, drawn, onAnswered]) mock.mockReset();
});
afterEach(() => {
  cleanup();
  document.head.replaceChildren();
});

/** Each test has its own script, because a loaded one is cached. */
function show() {
  render(
    <WordsProvider words={all}>
      <ProviderForm
        offer={{ script_url: `https://cards.example/${script}/`, publishable_key: 'pk' }}
        clientSecret="pi_1_secret_2"
        kind="payment"
        submitLabel="Pay"
        returnUrl="https://console.example/manage/billing?payment=1"
        onAnswered={onAnswered}
      />
    </WordsProvider>,
  );
}
const asked = () => document.head.querySelectorAll('script');
async function comes(event: 'load' | 'error') {
  await waitFor(() => expect(asked().length).toBe(1));
  fireEvent(asked()[0] as HTMLElement, new Event(event));
}
async function pay() {
  await waitFor(() => expect(screen.getByRole('button', { name: 'Pay' })).toHaveProperty('disabled', false));
  fireEvent.click(screen.getByRole('button', { name: 'Pay' }));
}

test('it is drawn with the secret of one payment by the script that the API names', async () => {
  show();
  await comes('load');
  await waitFor(() => expect(drawn).toHaveBeenCalledWith('pi_1_secret_2'));
});

test.each<[string, { error?: { type: string } }, number]>([
  ['a payment that went through is told', {}, 1],
  ['so is a card that was refused: the gateway knows why', { error: { type: 'card_error' } }, 1],
  ['what is wrong with a field can be mended in the form', { error: { type: 'validation_error' } }, 0],
  ['a provider that could not be reached is asked again', { error: { type: 'api_connection_error' } }, 0],
])('%s', async (_, answer, times) => {
  confirmPayment.mockResolvedValue(answer);
  show();
  await comes('load');
  await pay();
  await waitFor(() => expect(confirmPayment).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Pay' })).toHaveProperty('disabled', false));
  expect(onAnswered).toHaveBeenCalledTimes(times);
  const isLost = answer.error?.type === 'api_connection_error';
  expect(screen.queryAllByText(words.card.notReached)).toHaveLength(isLost ? 1 : 0);
});

test('a script that does not come is said to, and fetched anew on a press', async () => {
  show();
  await comes('error');
  await screen.findByText(words.card.notLoaded);
  expect(asked()).toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: uiWords.actions.retry }));
  await comes('load');
  await waitFor(() => expect(drawn).toHaveBeenCalledTimes(1));
});
