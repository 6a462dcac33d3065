// What billing says on an object of the credit that is reserved for it, or why none is. Stored in English, as it stands on the
// object; a reader of another language gets it from here.
import * as en from '../words/en/credit.ts';
import * as ja from '../words/ja/credit.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/credit.ts';

export const CREDIT_SENTENCES = joined('credit', { en: en.sentences, zh: zh.sentences, ja: ja.sentences });
