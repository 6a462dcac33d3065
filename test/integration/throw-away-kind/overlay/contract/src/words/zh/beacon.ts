// Words of Beacon.
import type * as en from '../en/beacon.ts';
import type { Shape } from '../join.ts';

export const name = '信标';
export const many = '信标';

export const phases: Shape<typeof en.phases> = {
  dark: '未亮',
  lit: '已亮',
};

export const reasons: Shape<typeof en.reasons> = {
  Lighting: '正在点亮。',
  Shining: '正在发光，%{affinity}。',
};

export const actions: Shape<typeof en.actions> = {
  hold: '保持',
  edit: '编辑',
  release: '删除',
};

export const rules: Shape<typeof en.rules> = {
  portTaken: 'port 22 不供信标使用',
  portFixed: 'port 不可更改',
};
