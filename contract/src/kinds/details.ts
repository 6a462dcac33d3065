// What the operator fills into `%{detail}` of a reason's sentence in words of its own, where no cluster, registry or program said it.
import * as en from '../words/en/details.ts';
import * as ja from '../words/ja/details.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/details.ts';

export const DETAILS = joined('detail', { en: en.details, zh: zh.details, ja: ja.details });
