// Its entries in the sidebar.
import Chat from '@mui/icons-material/ChatOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'model/chat': { icon: Chat, name: { en: 'Chat', zh: '模型对话', ja: 'チャット' } },
};
