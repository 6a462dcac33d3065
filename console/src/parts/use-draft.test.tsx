// A form whose page is reloaded, or left and revisited, from the point of view of the person typing.
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { WordsProvider } from '@gantry/ui/i18n/use-words.tsx';
import { Words } from '@gantry/ui/i18n/words.ts';
import { forgetSession, storeSession } from '@gantry/ui/session/session.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { MemoryRouter } from 'react-router';
import { draftKey, forgetOthersDrafts, keepDraft, wayToDraft } from './draft.ts';
import { DraftNotice, useDraft } from './use-draft.tsx';
import { words as english } from './words/en.ts';

const FIRST: { name: string; cores: number | undefined } = { name: '', cores: 2 };
const RESTORED = 'We restored your earlier input.';
const ADA = { token: 'tok', accountId: 'acc-ada', organizationId: 'org-a' };

let answer: () => Promise<void>;

type KeptOf = (values: typeof FIRST) => typeof FIRST;

function Thing({ first, keptOf }: { first: typeof FIRST; keptOf: KeptOf | undefined }) {
  const draft = useDraft('thing', first, keptOf);
  const form = useForm({ defaultValues: draft.begun });
  return (
    <form>
      <DraftNotice draft={draft} form={form} />
      <input aria-label="name" {...form.register('name')} />
      <input
        aria-label="cores"
        {...form.register('cores', { setValueAs: (text) => (text === '' ? undefined : Number(text)) })}
      />
      <button type="button" onClick={() => draft.keep(form.getValues())}>
        Pay first
      </button>
      <button type="button" onClick={() => void draft.send(form.getValues(), answer).catch(() => {})}>
        Send
      </button>
    </form>
  );
}

/** As a browser shows the page when it is loaded: whatever was there before is gone. */
function load(address = '/things/create', first = FIRST, keptOf?: KeptOf) {
  cleanup();
  const words = new Words('en');
  words.add('parts', english);
  render(
    <WordsProvider words={words}>
      <MemoryRouter initialEntries={[address]}>
        <Thing first={first} keptOf={keptOf} />
      </MemoryRouter>
    </WordsProvider>,
  );
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typed = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const isRestored = () => screen.queryByText(RESTORED) !== null;

beforeEach(() => {
  sessionStorage.clear();
  answer = async () => {};
  storeSession(ADA);
});
afterEach(cleanup);

test('a draft is there after a reload, and the form says so', () => {
  load();
  expect(isRestored()).toBe(false);
  type('name', 'first_try');
  type('cores', '');
  load();
  expect([typed('name'), typed('cores'), isRestored()]).toEqual(['first_try', '', true]);
});

test('who starts over begins with nothing, and stays there', () => {
  load();
  type('name', 'first_try');
  load();
  press('Start over');
  expect([typed('name'), typed('cores'), isRestored()]).toEqual(['', '2', false]);
  load();
  expect([typed('name'), isRestored()]).toEqual(['', false]);
});

test('a sent form is not offered as a draft', () => {
  load();
  type('name', 'first_try');
  press('Send');
  load();
  expect([typed('name'), isRestored()]).toEqual(['', false]);
  expect(wayToDraft('thing')).toBeUndefined();
});

test('a form in flight is not offered as a draft, since it may succeed; a refused one is', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  answer = () => promise;
  load();
  type('name', 'first_try');
  press('Send');
  expect(wayToDraft('thing')).toBeUndefined();
  reject(new ApiProblem({ status: 402, code: 1, error: 'not_enough_credit', message: 'no credit' }));
  await waitFor(() => expect(wayToDraft('thing')).toBeDefined());
  load();
  expect([typed('name'), isRestored()]).toEqual(['first_try', true]);
});

test.each([
  ['that never came', { status: 0, error: 'network' as const }],
  ['of a server in trouble', { status: 502, error: 'bad_answer' as const }],
])('after an answer %s it is not offered again, whatever is typed since: it may be done', async (_, problem) => {
  const { promise, reject } = Promise.withResolvers<void>();
  answer = () => promise;
  load();
  type('name', 'first_try');
  press('Send');
  await act(async () => reject(new ApiProblem({ ...problem, code: 0, message: 'who knows' })));
  expect(wayToDraft('thing')).toBeUndefined();
  type('name', 'second_try');
  load();
  expect([typed('name'), isRestored()]).toEqual(['', false]);
});

test('a link that brings other values is followed; without any, what was typed is there', () => {
  load('/things/create?preset=small');
  type('name', 'first_try');
  load('/things/create?preset=large');
  expect([typed('name'), isRestored()]).toEqual(['', false]);
  load('/things/create');
  expect([typed('name'), isRestored()]).toEqual(['first_try', true]);
});

test('who leaves to pay finds the way back, also where nothing was typed, and is not told that it was', () => {
  load('/things/create?preset=small');
  press('Pay first');
  expect(wayToDraft('thing')).toBe('/things/create?preset=small');
  load('/things/create?preset=small');
  expect(isRestored()).toBe(false);
});

test.each([
  ['organisation', { ...ADA, organizationId: 'org-b' }],
  ['person', { ...ADA, accountId: 'acc-bob' }],
])('another %s has a draft of their own', (_, session) => {
  load();
  type('name', 'first_try');
  storeSession(session);
  load();
  expect([typed('name'), isRestored()]).toEqual(['', false]);
});

test('who signs out leaves none behind', () => {
  load();
  type('name', 'first_try');
  forgetSession();
  forgetOthersDrafts();
  expect(sessionStorage.length).toBe(0);
});

test('excluded fields are not kept', () => {
  load('/things/create', FIRST, ({ cores }) => ({ name: '', cores }));
  type('name', 'secret');
  type('cores', '4');
  expect(JSON.stringify(sessionStorage)).not.toContain('secret');
  load();
  expect([typed('name'), typed('cores')]).toEqual(['', '4']);
});

test('a draft of a former version of the form lacks what is new there', () => {
  keepDraft(draftKey('thing'), { values: { cores: 1 }, path: '/things/create', search: '' });
  load();
  expect([typed('name'), typed('cores')]).toEqual(['', '1']);
});
