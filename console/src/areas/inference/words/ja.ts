import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  usage: {
    title: 'モデルの使用量',
    lead: 'モデルへのリクエストで使われたトークンです。表示されるのはご自身の分だけですが、オーナーと管理者は全員の分を見られます。',
    days: '期間',
    lastDays: '過去 %{count} 日間',
    requests: 'リクエスト数',
    prompt: '入力トークン',
    cached: 'キャッシュされた入力トークン',
    completion: '出力トークン',
    estimated: '推定したリクエスト',
    estimatedHelp:
      'エンジンがトークン数を報告しない場合や、明らかに誤った数を報告した場合は、送受信した内容から推定します。',
    cost: '料金',
    groupBy: 'グループ化',
    groups: { model: 'モデル', token: 'API トークン', person: 'メンバー', day: '日' },
    console: 'トークンなし（コンソール）',
    deleted: '削除されたトークン %{id}',
    emptyTitle: 'この期間の使用量はありません',
    emptyHint: '「チャット」でモデルに質問するか、API トークンで /v1 を呼び出してください。',
  },
  aliases: {
    title: 'モデルのエイリアス',
    lead: '1 つの名前で複数のデプロイを呼び出せます。リクエストは重みに応じて振り分けられ、応答がなければ次のデプロイに送られます。',
    create: 'エイリアスを作成',
    edit: '編集',
    editTitle: '%{name} を編集',
    emptyTitle: 'エイリアスはまだありません',
    emptyHint: 'エイリアスを使うと、新しいデプロイを一部のリクエストで試したり、予備のデプロイを用意したりできます。',
    name: '名前',
    nameHelp: 'プログラムは %{address} で呼び出します。英小文字、数字、ハイフンを使えます。',
    targets: 'デプロイ',
    target: 'デプロイ',
    weight: '重み',
    weightHelp:
      '重みに応じて振り分けます。9 と 1 なら 90% と 10% です。重みが 0 のデプロイは、ほかがどれも応答しないときだけ使われます。',
    add: 'デプロイを追加',
    share: '%{name}：%{percent}%',
    fallback: '%{name}：ほかが応答しないときだけ',
    gone: '%{name} は存在しません',
    changed: '変更しました',
    delete: '削除',
    deleteTitle: 'エイリアス「%{name}」を削除しますか？',
    lost: 'モデルがなくなるため、%{address} へのリクエストは失敗します。デプロイは残ります。',
  },
};
