// Names of the roles in an organisation.

import type * as en from '../en/roles.ts';
import type { Shape } from '../join.ts';

export const names: Shape<typeof en.names> = {
  owner: 'オーナー',
  admin: '管理者',
  member: 'メンバー',
  billing: '経理',
  viewer: '閲覧者',
};
