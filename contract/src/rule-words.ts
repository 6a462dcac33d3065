// Refusals of the API server: by rules that several kinds share, and by policies that a tenant can meet. It answers in English;
// readers of other languages get them from here. The API server fills the gaps in a policy's sentence.
import * as en from './words/en/rules.ts';
import * as ja from './words/ja/rules.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/rules.ts';

export const RULE_WORDS = joined('rule', { en: en.rules, zh: zh.rules, ja: ja.rules });

export const POLICY_WORDS = joined('policy', { en: en.policies, zh: zh.policies, ja: ja.policies });
