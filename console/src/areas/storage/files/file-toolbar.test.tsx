// Commands for a folder as a whole: one at a time, without taking the keyboard focus away.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { words as storage } from '../words/en.ts';
import { FileToolbar } from './file-toolbar.tsx';

playNetwork();
const nothing = () => {};

test.each([
  [false, 1],
  [true, 0],
])('while folders are made (%s), another folder is chosen so often, and the button says so: %s', (isBusy, times) => {
  render(
    <FileToolbar
      selectedCount={0}
      isBusy={isBusy}
      onPicked={nothing}
      onNewFolder={nothing}
      onAsk={nothing}
      onZip={nothing}
      onRefresh={nothing}
      search={null}
    />,
    { wrapper: appAround({ storage }) },
  );
  const chosen = jest.fn();
  screen.getByLabelText('Upload a folder', { selector: 'input' }).addEventListener('click', chosen);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Upload a folder' });
  fireEvent.click(button);
  expect(chosen).toHaveBeenCalledTimes(times);
  expect(button.disabled).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe(String(isBusy));
});
