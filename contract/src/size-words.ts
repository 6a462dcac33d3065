// Sentences about a size before anything is made: whether there is room for it, and why it is recommended for an image.
import * as en from './words/en/size.ts';
import * as ja from './words/ja/size.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/size.ts';

export const FIT_WORDS = joined('fit', { en: en.fit, zh: zh.fit, ja: ja.fit });
export const RECOMMENDATION_WORDS = joined('recommendation', {
  en: en.recommendations,
  zh: zh.recommendations,
  ja: ja.recommendations,
});
