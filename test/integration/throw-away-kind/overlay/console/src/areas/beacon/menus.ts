// Its entry in the sidebar.
import Beacon from '@mui/icons-material/WbSunnyOutlined';
import type { AreaMenus } from '../../area.ts';

export const menus: AreaMenus = {
  'develop/beacon': { icon: Beacon, name: { en: 'Beacons', zh: '信标', ja: 'ビーコン' } },
};
