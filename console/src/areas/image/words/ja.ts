import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: 'イメージ',
  lead: 'インスタンスはイメージから起動します。コンテナを一度起動できたイメージが準備完了になります。',
  add: 'イメージを追加',
  all: 'すべて',
  origin: '提供元',
  official: '公式',
  own: '自組織',
  onlyLlm: '言語モデル用のみ',
  search: '名前または ID で検索',
  about: '基本情報',
  digest: 'ダイジェスト',
  source: 'ソース',
  from: 'エクスポート元',
  llm: '言語モデル',
  use: '使う',
  emptyTitle: 'イメージはまだありません',
  emptyHint:
    '任意のレジストリから追加するか、インスタンスをイメージとしてエクスポートできます。追加しなくても、インスタンスには任意のソースを指定できます。',
  toInstances: 'インスタンスへ',
  form: {
    addTitle: 'イメージを追加',
    addLead:
      'イメージを取得して一度起動し、成功すると準備完了になります。インスタンスは、検証した版そのものから起動します。',
    editTitle: '%{name} を編集',
    nameHint: '1 行の任意の文字列です。例：pytorch-2.4',
    sourceHint: 'repo/name:tag（例：pytorch/pytorch:2.4.0）',
    llm: '言語モデルの提供用',
    pullSecret: '非公開レジストリ',
    pullSecretHint:
      '追加した非公開レジストリの名前、または kubectl で作成した kubernetes.io/dockerconfigjson 型 Secret の名前。',
  },
  registries: {
    title: '非公開レジストリ',
    lead: '非公開レジストリのイメージを取得するにはログインが必要です。ここで一度追加すれば、イメージの追加時に選べます。',
    nameHint: '小文字の英字、数字、ハイフン（例：ghcr）。',
    server: 'レジストリ',
    serverHint: 'ホスト名（例：ghcr.io、docker.io、registry.example.com:5000）。',
    user: 'ユーザー',
    token: 'アクセストークンまたはパスワード',
    tokenHint: '組織の名前空間に保存され、再び表示されることはありません。取得だけができるトークンで十分です。',
    delete: 'レジストリ「%{name}」を削除しますか？',
    lost: 'ログイン情報。これを必要とするイメージは取得できなくなります。',
  },
  release: {
    lost: 'イメージ「%{name}」。このイメージから新しいインスタンスを作成できなくなります',
    users: 'このイメージから起動するインスタンス：%{names}',
    kept: '実行中のインスタンスと、その保存内容',
  },
};
