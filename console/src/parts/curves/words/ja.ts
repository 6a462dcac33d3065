import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  curves: {
    title: '学習曲線',
    none: '最初のステップの後に表示されます。',
    loss: '損失',
    eval_loss: '評価損失',
    learning_rate: '学習率',
    tokens_per_second: '毎秒のトークン数',
    learningRate: '学習率',
    speed: '毎秒のトークン数',
    step: 'ステップ',
    resumed: '実行 %{run} はステップ %{step} の後から続きました。',
    broken: 'ステップ %{step} 以降、%{smart_count} ステップで損失が数値ではありませんでした。',
  },
  logged: {
    title: 'プログラムの記録',
    lead: 'MLflow で記録された、名前ごとの最新の値です。アーティファクトは名前とサイズのみ保存されます。',
    none: 'この実行のプログラムはまだ何も記録していません。',
    sort: '種類',
    value: '値',
    atStep: '%{value}（ステップ %{step}）',
    param: 'パラメーター',
    tag: 'タグ',
    metric: 'メトリクス',
    artifact: 'アーティファクト',
  },
};
