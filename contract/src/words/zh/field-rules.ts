// Faults of one input field, by their row in http/field-rules.ts.

import type * as en from '../en/field-rules.ts';
import type { Shape } from '../join.ts';

export const fieldRules: Shape<typeof en.fieldRules> = {
  empty: '请填写此项。',
  number: '必须是数字。',
  wholeNumber: '必须是整数。',
  text: '必须是文本。',
  flag: '必须是 true 或 false。',
  list: '必须是列表。',
  object: '必须是对象。',
  atLeast: '不能小于 %{bound}。',
  moreThan: '必须大于 %{bound}。',
  atMost: '不能大于 %{bound}。',
  lessThan: '必须小于 %{bound}。',
  multipleOf: '必须是 %{step} 的倍数。',
  longer: '至少需要 %{bound} 个字符。',
  shorter: '最多 %{bound} 个字符。',
  length: '必须正好是 %{bound} 个字符。',
  moreEntries: '至少需要 %{bound} 项。',
  fewerEntries: '最多 %{bound} 项。',
  entries: '必须正好是 %{bound} 项。',
  oneOf: '必须是以下之一：%{options}。',
  just: '必须是 %{options}。',
  email: '请输入有效的邮箱地址。',
  url: '请输入有效的网址。',
  moment: '必须是 2000 年至 2999 年的日期和时间，例如 2026-01-31T12:00:00Z。',
  day: '必须是日期，例如 2026-01-31。',
  startsWith: '必须以 %{text} 开头。',
  pattern: '必须符合格式 %{text}。',
  unknown: '此处没有该字段。',
  invalid: '内容无效。',
};
