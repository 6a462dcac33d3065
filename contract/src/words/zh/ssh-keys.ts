// Faults of an SSH key. Each follows its field’s name in a sentence.

import type * as en from '../en/ssh-keys.ts';
import type { Shape } from '../join.ts';

export const rules: Shape<typeof en.rules> = {
  kind: '%{kind} 不是可用于登录的密钥类型',
  base64: '其 base64 内容已损坏',
  cut: '内容被截断或末尾有多余内容',
  inner: '外部标明为 %{kind}，内部却是另一种类型',
  parts: '缺少或多出一个部分',
  length: 'Ed25519 密钥应为 32 字节',
  lines: '内容不止一行',
  bits: 'RSA 密钥至少需要 %{bits} 位',
  numbers: '不是其曲线上的点，或不是该类型的有效数值',
};
