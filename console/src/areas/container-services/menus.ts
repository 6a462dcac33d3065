// Its entries in the sidebar.
import Job from '@mui/icons-material/AssignmentOutlined';
import Service from '@mui/icons-material/CloudOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'deploy/job': { icon: Job, name: { en: 'Jobs', zh: '任务', ja: 'ジョブ' } },
  'deploy/service': { icon: Service, name: { en: 'Services', zh: '服务', ja: 'サービス' } },
};
