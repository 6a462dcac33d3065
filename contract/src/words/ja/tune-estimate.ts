// How much memory fine-tuning takes, and what would need less.
import type * as en from '../en/tune-estimate.ts';
import type { Shape } from '../join.ts';

export const memory: Shape<typeof en.memory> = {
  weights: '重み：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  embeddings: '量子化されない埋め込み：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  copies: '重みの 16 ビットのコピー：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  reference: '比較用のベースモデル：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  gradients: '勾配：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  buckets: '同期する勾配：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  optimizer: 'オプティマイザ（Adam）：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  adapter: 'アダプタ：パラメータ %{count} 個 × %{each} バイト = %{gi} GiB',
  activations: '活性値：トークン %{count} 個 × %{each} バイト = %{gi} GiB',
  logits: 'トークンごとの出力：トークン %{count} 個 × %{each} バイト = %{gi} GiB',
  program: 'プログラム自体：%{gi} GiB',
};

export const advice: Shape<typeof en.advice> = {
  batch: 'バッチサイズを %{batch} にし、%{accumulate} 回累積すると収まります。',
  maxLength: '1 行を最大 %{maxLength} トークンにすると収まります。',
  both: 'バッチサイズを %{batch} にして %{accumulate} 回累積し、1 行を最大 %{maxLength} トークンにすると収まります。',
  LoRA: 'LoRA なら収まります。',
  QLoRA: 'QLoRA なら収まります。',
  memory: 'メモリが %{gi} GiB あれば足ります。',
  card: 'モデル %{model} の GPU なら足ります。',
  nothing: '足りるメモリを持つものがここにはありません。より小さいベースモデルを選んでください。',
};

export const unusable: Shape<typeof en.unusable> = {
  NoPrompt: '質問がありません。',
  NoAnswer: '回答がありません。',
  NotMessages: '役割とテキストを持つメッセージのリストではありません。',
  NoAssistant: '会話にアシスタントの回答がありません。',
  SameAnswers: '2 つの回答が同じです。',
  NothingTrained: 'maxLength の範囲に回答が残りません。',
};
