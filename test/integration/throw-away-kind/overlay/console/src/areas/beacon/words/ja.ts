import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';
export const words: Shape<typeof english> = {
  title: 'ビーコン',
  port: 'ポート',
  add: 'ビーコンを追加',
  emptyTitle: 'ビーコンはまだありません',
  emptyHint: 'ビーコンは維持される Service です。',
};
