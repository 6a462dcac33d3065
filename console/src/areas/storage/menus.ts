// Its entries in the sidebar.

import File from '@mui/icons-material/FolderOutlined';
import Storage from '@mui/icons-material/StorageOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'gpu/storage': { icon: Storage, name: { en: 'Storage', zh: '存储', ja: 'ストレージ' } },
  'develop/file': { icon: File, name: { en: 'File system', zh: '文件系统', ja: 'ファイルシステム' } },
};
