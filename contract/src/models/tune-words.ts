// The sentences of an estimate of fine-tuning, in every language.
import * as en from '../words/en/tune-estimate.ts';
import * as ja from '../words/ja/tune-estimate.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/tune-estimate.ts';

/** The lines of the memory that it takes. */
export const TUNE_MEMORY = joined('FineTune.memory', { en: en.memory, zh: zh.memory, ja: ja.memory });
/** What would fit. */
export const TUNE_ADVICE = joined('FineTune.advice', { en: en.advice, zh: zh.advice, ja: ja.advice });
/** Why rows cannot be used, by the reasons of the data server. */
export const UNUSABLE_ROWS = joined('FineTune.unusable', { en: en.unusable, zh: zh.unusable, ja: ja.unusable });
