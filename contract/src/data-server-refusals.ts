// Why a data server refuses, in every language.
import * as en from './words/en/data-server.ts';
import * as ja from './words/ja/data-server.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/data-server.ts';

/** By the codes of its protocol (data-worker/README.md). */
export const DATA_REFUSALS = joined('data', { en: en.refusals, zh: zh.refusals, ja: ja.refusals });
