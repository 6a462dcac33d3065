// The second level of a form: one line for each part, that says what is set, and opens where somebody has to look.
import { FormText } from '@gantry/ui/form/fields.tsx';
import { appAround } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { MemoryRouter } from 'react-router';
import { FormFolds, FormSection } from './form-section.tsx';
import { words as workload } from './words/en.ts';

interface Values {
  name: string;
  port: string;
}

function Form() {
  const form = useForm<Values>({ defaultValues: { name: '', port: '' } });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => form.setError('name', { message: 'Taken.' }))(event)}
      >
        <FormSection title="Image" summary="none">
          <input aria-label="image" />
        </FormSection>
        <FormFolds>
          <FormSection title="Names" summary="none yet">
            <FormText control={form.control} name="name" label="name" />
          </FormSection>
          <FormSection title="Ports" summary="" anchor="ports">
            <FormText control={form.control} name="port" label="port" />
          </FormSection>
        </FormFolds>
        <button type="submit">Send</button>
      </form>
    </FormProvider>
  );
}

const shown = (address = '/') =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <Form />
    </MemoryRouter>,
    { wrapper: appAround({ workload }) },
  );
const isOpen = (title: string) => screen.getByRole('region', { name: title }).querySelector('details')?.open;

test('a part is one line that says what is set, or that nothing is; outside of them it is open', () => {
  shown();
  within(screen.getByRole('region', { name: 'Names' })).getByText('none yet');
  within(screen.getByRole('region', { name: 'Ports' })).getByText('none');
  expect(['Image', 'Names', 'Ports'].map(isOpen)).toEqual([undefined, false, false]);
});

test('the part with a refused field opens, and no other', async () => {
  shown();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Taken.');
  await waitFor(() => expect(['Names', 'Ports'].map(isOpen)).toEqual([true, false]));
});

test('an address leads to its part, which opens', () => {
  shown('/#ports');
  expect([isOpen('Names'), isOpen('Ports')]).toEqual([false, true]);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Ports' }));
});
