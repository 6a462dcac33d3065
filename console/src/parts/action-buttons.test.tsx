// Buttons from a view's rows: which are sent at once, which ask first, and the answers for many objects.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, newQueryClient } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { answer, answerOf, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { typeShownDigits } from '@gantry/ui/testing/type-shown-digits.ts';
import { expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { ActionButtons } from './action-buttons.tsx';
import type { ActionRow, ActionTarget } from './action-calls.ts';
import { BatchActions, offersOf } from './batch-actions.tsx';
import { words as parts } from './words/en.ts';

const fetched = playNetwork();

const NODES = ['gpuInstance.start', 'gpuInstance.stop', 'gpuInstance.hibernate', 'gpuInstance.release'];

function show(page: ReactNode, nodes = NODES) {
  const client = newQueryClient();
  client.setQueryData(
    keyOf(CALLS.getPermissionNodes, nodesInput('tenant')),
    nodes.map((pname) => ({ pname, peltype: 'element' })),
  );
  render(page, { wrapper: appAround({ parts }, client) });
}

const row = (action: string, danger: ActionRow['danger'] = 'none'): ActionRow => ({
  action,
  label: action[0]?.toUpperCase() + action.slice(1),
  danger,
  spends: false,
});
const START = row('start');
const STOP = row('stop', 'interrupts');
const HIBERNATE = row('hibernate', 'interrupts');
const RELEASE = row('release', 'destroys');
const target = (...actions: ActionRow[]): ActionTarget => ({ id: 'ins-1', name: 'dev', actions });
const accept = () => fetched.mockResolvedValueOnce(answerOf({}));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const sent = () => fetched.mock.calls.map(([url, init]) => [String(url), JSON.parse(String(init?.body))]);

test('a harmless command goes at once', async () => {
  accept();
  show(<ActionButtons kind="gpuInstance" target={target(START)} />);
  press('Start');
  await waitFor(() => expect(sent()).toEqual([['/api/develop/v1/instance/ins-1/action', { action: 'start' }]]));
});

test('the page around hears of each accepted command, whether it asked first or not', async () => {
  accept();
  const done: string[] = [];
  show(<ActionButtons kind="gpuInstance" target={target(START)} onDone={(action) => done.push(action)} />);
  press('Start');
  await waitFor(() => expect(done).toEqual(['start']));
});

test('one that interrupts asks first, and the milder way beside it is given instead', async () => {
  accept();
  const questions = () => ({ stop: { lost: ['Processes'], instead: ['hibernate', 'hardReboot'] } }) as const;
  show(<ActionButtons kind="gpuInstance" target={target(STOP, HIBERNATE)} questions={questions} />);
  press('Stop');
  expect(screen.getByText('Processes')).toBeTruthy();
  expect(fetched).not.toHaveBeenCalled();
  press('Hibernate');
  await waitFor(() => expect(sent()[0]?.[1]).toEqual({ action: 'hibernate' }));
});

test('a command says what it keeps and costs, to the pointer and to the keyboard, and keeps its name', async () => {
  const questions = () => ({ stop: { brief: 'Keeps all.' }, hibernate: { brief: 'Costs little.' } });
  show(<ActionButtons kind="gpuInstance" target={target(STOP, HIBERNATE)} questions={questions} size="medium" />);
  screen.getByRole('button', { name: 'Stop', description: 'Keeps all.' });
  await userEvent.tab();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Keeps all.');
  await userEvent.click(screen.getByRole('button', { name: 'More actions for dev' }));
  expect(screen.getByRole('menuitem', { name: 'Hibernate', description: 'Costs little.' })).toBeTruthy();
});

test('a destructive command asks for the name', async () => {
  accept();
  show(<ActionButtons kind="gpuInstance" target={target(RELEASE)} />);
  press('Release');
  const confirm = screen.getAllByRole('button', { name: 'Release' }).at(-1) as HTMLButtonElement;
  expect(confirm.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Type dev to confirm.'), { target: { value: 'dev' } });
  expect(confirm.disabled).toBe(false);
  fireEvent.click(confirm);
  await waitFor(() => expect(sent()[0]?.[1]).toEqual({ action: 'release' }));
});

test('a refusal stays in the question, with its sentence', async () => {
  fetched.mockResolvedValueOnce(answer({ code: 40960, error: 'action_not_allowed', message: 'Not now.' }, 409));
  show(<ActionButtons kind="gpuInstance" target={target(STOP)} />);
  press('Stop');
  fireEvent.click(screen.getAllByRole('button', { name: 'Stop' }).at(-1) as HTMLElement);
  expect(await screen.findByText('Not now.')).toBeTruthy();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('without the node the button is there and cannot be pressed', () => {
  show(<ActionButtons kind="gpuInstance" target={target(START)} />, []);
  expect((screen.getByRole('button', { name: 'Start' }) as HTMLButtonElement).disabled).toBe(true);
});

test('a selection is offered what some of it may be given, each with those', () => {
  const other = { ...target(START, RELEASE), id: 'ins-2', name: 'other' };
  const offers = offersOf([target(STOP), other, { ...target(START), id: 'ins-3' }], ['release']);
  expect(offers.map(({ action, targets }) => [action, targets.map(({ id }) => id)])).toEqual([
    ['stop', ['ins-1']],
    ['start', ['ins-2', 'ins-3']],
  ]);
});

test('a batch lists its refusals by name, with their reasons', async () => {
  const other = { ...target(STOP), id: 'ins-2', name: 'other' };
  const answers = [
    { id: 'ins-1', code: 0, error: null, message: 'ok' },
    { id: 'ins-2', code: 40960, error: 'action_not_allowed', message: 'It is shut down.' },
  ];
  fetched.mockResolvedValueOnce(answer({ code: 0, message: 'ok', data: answers }));
  show(<BatchActions kind="gpuInstance" selected={[target(STOP), other]} onClear={() => {}} />);
  press('Stop (2)');
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('1 of 2 done')).toBeTruthy();
  expect(screen.getByText(/It is shut down\./).textContent).toBe('other: It is shut down.');
  expect(sent()).toEqual([['/api/develop/v1/instance/batch', { action: 'stop', ids: ['ins-1', 'ins-2'] }]]);
});

test('more than a hundred that are destroyed are confirmed once, and sent in hundreds', async () => {
  const many = Array.from({ length: 101 }, (_, at) => ({ ...target(RELEASE), id: `dsk-${at}` }));
  for (const part of [many.slice(0, 100), many.slice(100)])
    fetched.mockResolvedValueOnce(
      answer({ code: 0, message: 'ok', data: part.map(({ id }) => ({ id, code: 0, error: null, message: 'ok' })) }),
    );
  show(<BatchActions kind="dataDisk" selected={many} onClear={() => {}} />, ['dataDisk.release']);
  press('Release (101)');
  const confirm = screen.getByRole('button', { name: 'Release' }) as HTMLButtonElement;
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '101' } });
  expect(confirm.disabled).toBe(true);
  typeShownDigits();
  fireEvent.click(confirm);
  await waitFor(() => expect(sent()).toHaveLength(2));
  const ids = many.map(({ id }) => id);
  expect(sent().map(([, body]) => body)).toEqual([
    { action: 'release', ids: ids.slice(0, 100), confirm: ids.slice(0, 100) },
    { action: 'release', ids: ['dsk-100'], confirm: ['dsk-100'] },
  ]);
});

test('a command that raises the cost says the price first, for one object and for many', async () => {
  accept();
  const price = { per: 'hour', amount: '1.5', list: '1.5', discount_percent: 0, currency: 'USD' } as const;
  const dear = target({ ...START, spends: true, price });
  show(
    <>
      <ActionButtons kind="gpuInstance" target={dear} />
      <BatchActions kind="gpuInstance" selected={[dear]} onClear={() => {}} />
    </>,
  );
  const said = 'New price $1.50 / hour';
  press('Start (1)');
  expect(screen.getByRole('listitem').textContent).toBe(`dev (ins-1) ${said}`);
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('Start');
  expect(screen.getByText(/New price/).textContent).toBe(said);
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(screen.getAllByRole('button', { name: 'Start' }).at(-1) as HTMLElement);
  await waitFor(() => expect(sent()).toEqual([['/api/develop/v1/instance/ins-1/action', { action: 'start' }]]));
});
