import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

playNetwork();
const nothing = () => {};
const open = (fields: ReactNode) =>
  render(
    <FormDialog title="Form" submitLabel="Send" isBusy={false} onSubmit={nothing} onClose={nothing}>
      {fields}
    </FormDialog>,
    { wrapper: appAround() },
  );

test('the first field that can be filled in has the focus', () => {
  open(
    <>
      <input type="hidden" />
      <input aria-label="fixed" disabled />
      <input aria-label="first" />
      <input aria-label="second" />
    </>,
  );
  expect(document.activeElement).toBe(screen.getByLabelText('first'));
});

test('a field that asks for the focus keeps it', () => {
  open(
    <>
      <input aria-label="first" />
      {/* biome-ignore lint/a11y/noAutofocus: what the test is about */}
      <input aria-label="second" autoFocus />
    </>,
  );
  expect(document.activeElement).toBe(screen.getByLabelText('second'));
});
