// What the API server refuses by rules that several kinds share, and by policies that a tenant can meet. It tells them in English;
// a reader of another language gets them from here. Gaps of a policy's are filled in by the API server.
import * as en from './words/en/rules.ts';
import * as ja from './words/ja/rules.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/rules.ts';

export const RULE_WORDS = joined('rule', { en: en.rules, zh: zh.rules, ja: ja.rules });

export const POLICY_WORDS = joined('policy', { en: en.policies, zh: zh.policies, ja: ja.policies });
