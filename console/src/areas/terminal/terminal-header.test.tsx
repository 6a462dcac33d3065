// The header above a shell: its link back, which also names the key that leaves the screen.
import { appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { MemoryRouter } from 'react-router';
import { TerminalHeader } from './terminal-header.tsx';
import type { Shell } from './use-shell.ts';
import { words as terminal } from './words/en.ts';

playNetwork();
const nothing = () => {};

test('the way back to the instance is named with the key that leads to it, and is what the page gives the focus to', async () => {
  const back = createRef<HTMLAnchorElement>();
  render(
    <MemoryRouter>
      <TerminalHeader
        backTo="/develop/instance/ins-1"
        name="dev"
        back={back}
        shell={{ state: { status: 'connected' }, connection: { current: undefined } } as unknown as Shell}
        options={{ fontSize: 14, isRead: false }}
        canCopy={false}
        onCopy={nothing}
        onPaste={nothing}
        onSearch={nothing}
        onResizeText={nothing}
        onRead={nothing}
      />
    </MemoryRouter>,
    { wrapper: appAround({ terminal }) },
  );
  const link = screen.getByRole('link', { name: 'dev', description: 'Back to its page (Ctrl+Shift+E)' });
  expect(link.getAttribute('href')).toBe('/develop/instance/ins-1');
  act(() => back.current?.focus());
  expect(document.activeElement).toBe(link);
});
