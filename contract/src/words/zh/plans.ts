// Plans and what they include.

import type * as en from '../en/plans.ts';
import type { Shape } from '../join.ts';

export const names: Shape<typeof en.names> = {
  free: '免费版',
  standard: '标准版',
  enterprise: '企业版',
};

export const features: Shape<typeof en.features> = {
  community: '社区交流群',
  customService: '定制服务',
  dedicatedSupport: '专属支持',
};
