// For components' tests: types the four digits that a question about many things shows.
import { fireEvent, screen } from '@testing-library/react';

export function typeShownDigits(): void {
  const field = screen.getByLabelText(/^Type \d{4} to confirm\./);
  const [digits = ''] = /\d{4}/.exec(document.querySelector(`label[for="${field.id}"]`)?.textContent ?? '') ?? [];
  fireEvent.change(field, { target: { value: digits } });
}
