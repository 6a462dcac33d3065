// Chat with the organisation's models.
import type { Area } from '../../area.ts';

export const chatArea: Area = {
  name: 'chat',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/model/chat',
      menu: 'model/chat',
      first: ['title', 'lead'],
      load: () => import('./chat-page.tsx').then(({ ChatPage }) => ({ Page: ChatPage })),
    },
  ],
};
