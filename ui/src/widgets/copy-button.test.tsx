// Copying with and without a clipboard: pages that are not secure have none.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import Dialog from '@mui/material/Dialog';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { appAround } from '../testing/played-app.tsx';
import { words as ui } from '../words/en.ts';
import { CopyButton } from './copy-button.tsx';

const TEXT = 'ssh -J gantry@door root@dev\nsecond line';

/** The text that the browser's command copies: the selection of the focused field. */
let copied: string | undefined;
let doesCopy: boolean;
beforeEach(() => {
  copied = undefined;
  doesCopy = true;
  document.execCommand = jest.fn((command: string) => {
    const field = document.activeElement;
    if (command !== 'copy' || !doesCopy || !(field instanceof HTMLTextAreaElement)) return false;
    copied = field.value.slice(field.selectionStart, field.selectionEnd);
    return true;
  });
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(document, 'execCommand');
});
const clipboard = (writeText: (text: string) => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });

async function press(says: string, isInDialog = false) {
  const button = <CopyButton text={TEXT} />;
  render(isInDialog ? <Dialog open>{button}</Dialog> : button, { wrapper: appAround() });
  const pressed = screen.getByRole('button', { name: ui.actions.copy });
  act(() => pressed.focus());
  fireEvent.click(pressed);
  await screen.findByText(says);
  expect(document.querySelectorAll('textarea')).toHaveLength(0);
  expect(document.activeElement).toBe(pressed);
}

test('a secure page copies by the clipboard', async () => {
  const written: string[] = [];
  clipboard(async (text) => void written.push(text));
  await press(ui.toasts.copied);
  expect([written, copied]).toEqual([[TEXT], undefined]);
});

test.each([
  ['a page that is not secure', false],
  ['a dialog of such a page, which keeps the focus', true],
])('%s copies by the browser’s command', async (_, isInDialog) => {
  await press(ui.toasts.copied, isInDialog);
  expect(copied).toBe(TEXT);
});

test('a clipboard that refuses is no end', async () => {
  clipboard(() => Promise.reject(new Error('denied')));
  await press(ui.toasts.copied);
  expect(copied).toBe(TEXT);
});

test('a browser that copies nothing is told', async () => {
  doesCopy = false;
  await press(ui.toasts.copyFailed);
  expect(copied).toBeUndefined();
});
