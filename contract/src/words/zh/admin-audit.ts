// 运营控制台表格中的实名审核与审计日志校验。
import type { words as english } from '../en/admin-audit.ts';

export const words: typeof english = {
  resources: {
    'audit-checks': { one: '链校验', many: '链校验' },
  },
  fields: {
    first_approved_by: '初审批准人',
    first_approved_at: '初审时间',
    first_reason: '初审原因',
    decided_by: '决定人',
    entries: '条目数',
    unsealed: '尚未封存',
    blocks: '区块数',
    head_hash: '末区块哈希',
    fault: '首个异常',
    started_by: '发起人',
  },
  choices: {
    'audit-checks.state': {
      running: '进行中',
      whole: '完整',
      broken: '已损坏',
      failed: '未完成',
    },
  },
};
