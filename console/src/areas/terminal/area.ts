// A shell in an instance, over the whole page.
import type { Area } from '../../area.ts';

export const terminalArea: Area = {
  name: 'terminal',
  pages: [
    {
      path: '/develop/instance/console/:id',
      menu: 'develop/instance',
      frame: 'bare',
      load: () => import('./terminal-page.tsx').then(({ TerminalPage }) => ({ Page: TerminalPage })),
    },
  ],
};
