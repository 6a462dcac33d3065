// 運用コンソールの表にある本人確認の審査と監査ログの検証。
import type { words as english } from '../en/admin-audit.ts';

export const words: typeof english = {
  resources: {
    'audit-checks': { one: 'チェーンの検証', many: 'チェーンの検証' },
  },
  fields: {
    first_approved_by: '1 人目の承認者',
    first_approved_at: '1 人目の承認日時',
    first_reason: '1 人目の承認理由',
    decided_by: '決定者',
    entries: '件数',
    unsealed: '未封印',
    blocks: 'ブロック数',
    head_hash: '最終ブロックのハッシュ',
    fault: '最初の異常',
    started_by: '開始者',
  },
  choices: {
    'audit-checks.state': {
      running: '実行中',
      whole: '改ざんなし',
      broken: '破損',
      failed: '未完了',
    },
  },
};
