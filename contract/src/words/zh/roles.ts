// Names of the roles in an organisation.

import type * as en from '../en/roles.ts';
import type { Shape } from '../join.ts';

export const names: Shape<typeof en.names> = {
  owner: '所有者',
  admin: '管理员',
  member: '成员',
  billing: '财务',
  viewer: '观察者',
};
