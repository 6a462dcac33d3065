// Chat with the organisation's models.
import type { Area } from '../../area.ts';
import { pageOf } from '../../parts/area-pages.ts';

export const chatArea: Area = {
  name: 'chat',
  menus: () => import('./menus.ts'),
  pages: [
    {
      path: '/model/chat',
      menu: 'model/chat',
      first: ['title', 'lead'],
      load: pageOf(() => import('./chat-page.tsx'), 'ChatPage'),
    },
  ],
};
