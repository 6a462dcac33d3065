// Faults of an SSH key. Each follows its field’s name in a sentence.

import type * as en from '../en/ssh-keys.ts';
import type { Shape } from '../join.ts';

export const rules: Shape<typeof en.rules> = {
  kind: '%{kind} 类型的密钥不能用于登录',
  base64: '其 base64 内容无效',
  cut: '内容被截断或末尾有多余内容',
  inner: '标明的类型是 %{kind}，实际包含的却是另一种',
  parts: '缺少或多出一个部分',
  length: 'Ed25519 密钥应为 32 字节',
  lines: '内容不止一行',
  bits: 'RSA 密钥至少需要 %{bits} 位',
  numbers: '其数值不构成该类型的有效密钥',
};
