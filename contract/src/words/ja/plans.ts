// Plans and what they include.

import type * as en from '../en/plans.ts';
import type { Shape } from '../join.ts';

export const names: Shape<typeof en.names> = {
  free: 'フリー',
  standard: 'スタンダード',
  enterprise: 'エンタープライズ',
};

export const features: Shape<typeof en.features> = {
  community: 'コミュニティチャット',
  customService: 'カスタムサービス',
  dedicatedSupport: '専任サポート',
};
