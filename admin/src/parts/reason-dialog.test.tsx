import { isReloadHeld } from '@gantry/ui/session/hold-reload.ts';
import { playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { staffAround } from '../testing/played-staff.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

playNetwork();
const onClose = jest.fn();
const show = () =>
  render(
    <ReasonDialog title="Sure?" confirmLabel="Do it" onConfirm={async () => {}} onClose={onClose}>
      <input aria-label="more" />
    </ReasonDialog>,
    { wrapper: staffAround() },
  );

test('what is typed holds back reloads until the dialog is gone', async () => {
  const { unmount } = show();
  await screen.findByRole('dialog');
  expect(await isReloadHeld()).toBe(false);
  fireEvent.change(screen.getByLabelText('more'), { target: { value: 'x' } });
  expect(await isReloadHeld()).toBe(true);
  unmount();
  expect(await isReloadHeld()).toBe(false);
});

test('a click beside the dialog closes nothing, and Escape does', async () => {
  show();
  const dialog = await screen.findByRole('dialog');
  const around = dialog.parentElement as HTMLElement;
  fireEvent.mouseDown(around);
  fireEvent.click(around);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(1);
});
