// Faults of an SSH key. Each follows its field’s name in a sentence.

import type * as en from '../en/ssh-keys.ts';
import type { Shape } from '../join.ts';

export const rules: Shape<typeof en.rules> = {
  kind: '%{kind} 型の鍵ではログインできません',
  base64: 'base64 が正しくありません',
  cut: '途中で切れているか、末尾に余分なものがあります',
  inner: '表示は %{kind} ですが、中身は別の種類です',
  parts: '構成要素が足りないか、余分にあります',
  length: 'Ed25519 の鍵は 32 バイトです',
  lines: '2 行以上あります',
  bits: 'RSA の鍵は %{bits} ビット以上必要です',
  numbers: '数値がその種類の有効な鍵になっていません',
};
