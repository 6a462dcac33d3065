// The operator's own words for `%{detail}` in a reason's sentence, for when the text is not from a cluster, registry or program.
import * as en from '../words/en/details.ts';
import * as ja from '../words/ja/details.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/details.ts';

export const DETAILS = joined('detail', { en: en.details, zh: zh.details, ja: ja.details });
