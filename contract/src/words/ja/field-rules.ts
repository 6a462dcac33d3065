// Faults of one input field, by their row in http/field-rules.ts.

import type * as en from '../en/field-rules.ts';
import type { Shape } from '../join.ts';

export const fieldRules: Shape<typeof en.fieldRules> = {
  empty: '入力してください。',
  number: '数値でなければなりません。',
  wholeNumber: '整数でなければなりません。',
  text: '文字列でなければなりません。',
  flag: 'true または false でなければなりません。',
  list: 'リストでなければなりません。',
  object: 'オブジェクトでなければなりません。',
  atLeast: '%{bound} 以上でなければなりません。',
  moreThan: '%{bound} より大きくなければなりません。',
  atMost: '%{bound} 以下でなければなりません。',
  lessThan: '%{bound} より小さくなければなりません。',
  multipleOf: '%{step} の倍数でなければなりません。',
  longer: '%{bound} 文字以上でなければなりません。',
  shorter: '%{bound} 文字以内でなければなりません。',
  length: 'ちょうど %{bound} 文字でなければなりません。',
  moreEntries: '%{bound} 件以上必要です。',
  fewerEntries: '%{bound} 件以内でなければなりません。',
  entries: 'ちょうど %{bound} 件でなければなりません。',
  oneOf: '次のいずれかでなければなりません：%{options}。',
  just: '%{options} でなければなりません。',
  email: '有効なメールアドレスを入力してください。',
  url: '有効な URL を入力してください。',
  moment: '2026-01-31T12:00:00Z のような、2000 年から 2999 年までの日時でなければなりません。',
  day: '2026-01-31 のような日付でなければなりません。',
  startsWith: '%{text} で始まらなければなりません。',
  pattern: 'パターン %{text} に一致しなければなりません。',
  unknown: 'この項目はありません。',
  invalid: '内容が正しくありません。',
};
