// 運用コンソールの表にあるメンバー、ログイン履歴、セッション。
import type { words as english } from '../en/admin-people.ts';

export const words: typeof english = {
  resources: {
    members: { one: 'メンバー', many: 'メンバー' },
    'sign-ins': { one: 'ログイン履歴', many: 'ログイン履歴' },
    sessions: { one: 'セッション', many: 'セッション' },
    views: { one: 'テナント表示', many: 'テナント表示' },
  },
  fields: {
    second_factor: '2 段階認証',
    role: '役割',
    way: '方法',
    outcome: '結果',
    times: '回数',
    first_at: '最初',
    last_at: '最後',
    last_used_at: '最終使用',
    expires_at: '有効期限',
    started_at: '開始',
    ended_at: '終了',
  },
  choices: {
    role: {
      owner: 'オーナー',
      admin: '管理者',
      member: 'メンバー',
      billing: '経理',
      viewer: '閲覧者',
    },
    way: {
      password: 'パスワード',
      secondFactor: '2 段階認証',
      provider: '外部ログイン',
    },
    outcome: {
      signedIn: 'ログイン成功',
      wrongPassword: 'パスワード誤り',
      wrongCode: 'コード誤り',
      locked: 'ロック中',
      disabled: 'アカウント無効',
      mustChangePassword: 'パスワードの変更が必要',
    },
  },
};
