// The log of a run on its page: of the present run as it arrives, of another one that is chosen, searched, and its notes.
import { playLayout } from '@gantry/ui/testing/play-layout.ts';
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { words as ui } from '@gantry/ui/words/en.ts';
import { expect, test } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { words as parts } from '../words/en.ts';
import { RunLog } from './run-log.tsx';

playLayout();
const fetched = playNetwork();
const AT = '2026-11-23T10:00:00.123456789Z';
const run = (number: number, more: object = {}) => ({
  ...{ number, cause: 'first', start_time: AT, end_time: null, exit: null, exit_label: null, exit_code: null },
  ...{ log: null, ...more },
});
const ended = (number: number, log: object | null) =>
  run(number, { end_time: AT, exit: 'exit code 3', exit_label: 'exit code 3', exit_code: 3, log });

/** Answers by path; a log's answer is a stream that the test goes on writing. */
function open(runs: object[], logs: Record<number, () => Response>) {
  const asked: URL[] = [];
  fetched.mockImplementation(async (input) => {
    const url = new URL(String(input), 'http://localhost');
    asked.push(url);
    const number = Number(/\/run\/(\d+)\/log$/.exec(url.pathname)?.[1] ?? 0);
    if (number === 0) return new Response(JSON.stringify({ code: 0, message: 'ok', data: runs }));
    return logs[number]?.() ?? new Response('{}', { status: 404 });
  });
  render(<RunLog kind="gpuInstance" id="ins-1" />, { wrapper: appAround({ parts }) });
  return { asked, user: userEvent.setup() };
}
const whole = (text: string) => () => new Response(text);
function written() {
  let write: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      write = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  return { answer: () => new Response(body), write: (text: string) => act(async () => write(text)) };
}

test('the present run is followed, and its new lines are shown', async () => {
  const log = written();
  const { asked } = open([run(2), ended(1, null)], { 2: log.answer });
  await log.write(`${AT} it begins\n`);
  await screen.findByText('it begins');
  await log.write(`${AT} <b>bold</b> \u001b[31mred\u001b[0m\n`);
  expect((await screen.findByText('red')).style.color).toBe('var(--ansi-1)');
  screen.getByText('<b>bold</b>', { exact: false });
  const query = asked.at(-1)?.searchParams;
  expect([query?.get('follow'), query?.get('timestamps')]).toEqual(['true', 'true']);
});

test('an ended run is chosen; its end is what is kept, and the page says so', async () => {
  const { asked, user } = open([run(2), ended(1, { bytes: 2048, is_cut: true })], {
    2: whole(''),
    1: whole(`${AT} boom\n`),
  });
  await screen.findByText(parts.log.empty);
  await user.selectOptions(screen.getByLabelText(parts.log.run), '1');
  await screen.findByText('boom');
  screen.getByText('This log was longer: only its last 2.00 KiB are kept.');
  expect(asked.at(-1)?.searchParams.has('follow')).toBe(false);
});

test('what is searched for is counted and marked, and one goes from one match to the next', async () => {
  const { user } = open([ended(1, { bytes: 9, is_cut: false })], {
    1: whole(`${AT} an Error\n${AT} no error, an ERROR\n`),
  });
  await screen.findByText('an Error');
  await user.type(screen.getByLabelText(parts.log.search), 'error');
  await screen.findByText('1 of 3');
  expect(screen.getAllByText(/^error$/i, { selector: 'mark' })).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: parts.log.before }));
  await screen.findByText('3 of 3');
  expect(document.querySelector('mark[data-current]')?.textContent).toBe('ERROR');
  await user.clear(screen.getByLabelText(parts.log.search));
  await waitFor(() => expect(document.querySelector('mark')).toBeNull());
});

test('times are shown on request', async () => {
  const { user } = open([ended(1, { bytes: 9, is_cut: false })], { 1: whole(`${AT} boom\n`) });
  await screen.findByText('boom');
  expect(document.querySelector('time')).toBeNull();
  await user.click(screen.getByRole('button', { name: parts.log.times }));
  expect(document.querySelector('time')?.dateTime).toBe(AT);
});

test('one that never ran, and one that wrote nothing, say so', async () => {
  open([], {});
  await screen.findByText(parts.log.noRuns);
});

test('a log that is not kept says so, and can be asked for again', async () => {
  const refusal = { code: 40470, error: 'log_not_kept', message: 'The log of this run is not kept.', request_id: 'r' };
  const { user, asked } = open([ended(1, null)], { 1: () => new Response(JSON.stringify(refusal), { status: 404 }) });
  await screen.findByText(refusal.message);
  const before = asked.length;
  await user.click(screen.getByRole('button', { name: ui.actions.retry }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});
