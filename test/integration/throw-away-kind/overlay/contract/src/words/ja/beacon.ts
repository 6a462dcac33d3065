// Words of Beacon.
import type * as en from '../en/beacon.ts';
import type { Shape } from '../join.ts';

export const name = 'ビーコン';
export const many = 'ビーコン';

export const phases: Shape<typeof en.phases> = {
  dark: '消灯',
  lit: '点灯',
};

export const reasons: Shape<typeof en.reasons> = {
  Lighting: '点灯しています。',
  Shining: '点灯中です（%{affinity}）。',
};

export const actions: Shape<typeof en.actions> = {
  hold: '保持',
  edit: '編集',
  release: '削除',
};

export const rules: Shape<typeof en.rules> = {
  portTaken: 'port 22 はビーコンに使えません',
  portFixed: 'port は変更できません',
};
