// Chat with the organisation's models.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Area } from '../../area.ts';

export const chatArea: Area = {
  name: 'chat',
  pages: [
    {
      path: '/model/chat',
      menu: 'model/chat',
      first: ['title', 'lead'],
      load: () => import('./chat-page.tsx').then(({ ChatPage }) => ({ Page: ChatPage })),
      ahead: [CALLS.listChats],
    },
  ],
};
