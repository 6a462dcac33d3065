import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';
export const words: Shape<typeof english> = {
  title: '信标',
  port: '端口',
  add: '添加信标',
  emptyTitle: '还没有信标',
  emptyHint: '信标是一个持续运行的服务。',
};
