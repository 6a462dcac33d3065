// An edit of a host that somebody else has edited meanwhile: the input stays until the person loads the new values.

import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { words as parts } from '../../parts/words/en.ts';
import { EditHost } from './edit-host.tsx';
import { words as host } from './words/en.ts';

const fetched = playNetwork();

const hostOf = (name: string, generation: number) =>
  ({ id: 'hst-1', name, generation, tags: [], auto_renew: false, source: 'owned' }) as unknown as HostView;
const nameField = () => screen.getByRole('textbox', { name: /Name/ }) as HTMLInputElement;

test('a conflict keeps what was typed, and the new values come when they are asked for', async () => {
  const message = 'Somebody else changed it in the meantime; read it again.';
  fetched.mockImplementation(async (url) =>
    String(url).includes('tag-name')
      ? answer({ code: 0, message: 'ok', data: [] })
      : answer({ code: 40902, error: 'conflict', message }, 409),
  );
  const { rerender } = render(<EditHost host={hostOf('first', 3)} onClose={() => {}} />, {
    wrapper: appAround({ parts, host }),
  });
  fireEvent.change(nameField(), { target: { value: 'mine' } });
  // The stream reports it before the form is sent: the form is still based on the older state.
  rerender(<EditHost host={hostOf('theirs', 4)} onClose={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(message)).toBeTruthy();
  const put = fetched.mock.calls.find(([, init]) => init?.method === 'PUT');
  expect([String(put?.[0]), JSON.parse(String(put?.[1]?.body))]).toEqual([
    '/api/elnode/v1/instance/hst-1?generation=3',
    { displayName: 'mine', tags: [], autoRenew: false },
  ]);
  expect(nameField().value).toBe('mine');
  fireEvent.click(screen.getByRole('button', { name: 'Load new values' }));
  expect(nameField().value).toBe('theirs');
  expect(screen.queryByText(message)).toBeNull();
});
