// Staff read names, also of what their role may not list; an ID that nobody has stays as it is.
import { playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { RecordContextProvider } from 'react-admin';
import { staffAround } from '../testing/played-staff.tsx';
import { FieldValue } from './field-value.tsx';

const fetched = playNetwork();

test('accounts, organisations, actions and objects of a row are shown by name, with the ID beneath', async () => {
  fetched.mockImplementation(async () =>
    Response.json({ accounts: { 'acc-1': 'Ada' }, organizations: { y5x0zjm3: 'Acme Robotics' } }),
  );
  const entry = {
    ...{ id: 7, actor_id: 'acc-1', organization_id: 'y5x0zjm3', action: 'openTerminal', object: 'GpuInstance/ins-1' },
    ...{ action_label: 'Open a terminal of an instance', object_label: 'Trainer', request_id: 'req-1' },
  };
  render(
    <RecordContextProvider value={entry}>
      {(['actor_id', 'organization_id', 'action', 'object', 'request_id'] as const).map((field) => (
        <div key={field} data-testid={field}>
          <FieldValue name="audit-log" field={field} />
        </div>
      ))}
      <RecordContextProvider value={{ id: '1', created_by: 'default' }}>
        <div data-testid="author">
          <FieldValue name="prices" field="created_by" />
        </div>
      </RecordContextProvider>
    </RecordContextProvider>,
    { wrapper: staffAround() },
  );
  const textOf = (id: string) => screen.getByTestId(id).textContent;
  await waitFor(() => expect(textOf('actor_id')).toBe('Adaacc-1'));
  expect(textOf('organization_id')).toBe('Acme Roboticsy5x0zjm3');
  expect(textOf('action')).toBe('Open a terminal of an instanceopenTerminal');
  expect(textOf('object')).toBe('TrainerGpuInstance/ins-1');
  expect([textOf('request_id'), textOf('author')]).toEqual(['req-1', 'default']);
  // All that is drawn at once is asked for at once.
  expect(fetched.mock.calls.map(([url]) => String(url))).toEqual([
    '/api/admin/names?accounts=acc-1,default&organizations=y5x0zjm3',
  ]);
});
