// Billing's sentences on an object about its reserved credit, or the reason why there is none. Objects hold them in English;
// readers of other languages get them from here.
import * as en from '../words/en/credit.ts';
import * as ja from '../words/ja/credit.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/credit.ts';

export const CREDIT_SENTENCES = joined('credit', { en: en.sentences, zh: zh.sentences, ja: ja.sentences });
