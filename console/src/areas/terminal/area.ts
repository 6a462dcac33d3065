// A shell in an instance, a worker or a replica, over the whole page.
import type { Area } from '../../area.ts';

const load = () => import('./terminal-page.tsx').then(({ TerminalPage }) => ({ Page: TerminalPage }));

export const terminalArea: Area = {
  name: 'terminal',
  pages: [
    {
      path: '/develop/instance/console/:id',
      menu: 'develop/instance',
      frame: 'bare',
      load,
    },
    { path: '/deploy/job/console/:id', menu: 'deploy/job', frame: 'bare', load },
    { path: '/deploy/service/console/:id', menu: 'deploy/service', frame: 'bare', load },
  ],
};
