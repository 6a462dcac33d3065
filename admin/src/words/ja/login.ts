import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from '../en/login.ts';

export const words: Shape<typeof english> = {
  product: 'Gantry 管理コンソール',
  title: 'ログイン',
  lead: 'プラットフォームのスタッフ専用です。',
  account: 'アカウント名、メールアドレスまたは電話番号',
  accountMissing: 'ユーザー名を入力してください',
  password: 'パスワード',
  passwordMissing: 'パスワードを入力してください',
  submit: 'ログイン',
  second: '2 段階認証',
  secondLead: '認証アプリに表示された 6 桁の数字、またはリカバリーコードを入力してください。',
  code: 'コード',
  codeMissing: 'コードを入力してください',
  change: '新しいパスワードの設定',
  changeLead: '続けるにはパスワードの変更が必要です。英字と数字を含む 8～16 文字で入力してください。',
  changeSubmit: '保存してログイン',
  newPassword: '新しいパスワード',
  repeat: '新しいパスワード（確認）',
  mismatch: 'パスワードが一致しません。',
};
