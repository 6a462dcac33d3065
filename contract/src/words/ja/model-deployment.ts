// Words of ModelDeployment. What it says as a service does, the service says.
import type * as en from '../en/model-deployment.ts';
import type { Shape } from '../join.ts';
import { actions as service, reasons as serviceReasons, rules as serviceRules } from './container-service.ts';

export const name = 'デプロイ';
export const many = 'デプロイ';

export const reasons: Shape<typeof en.reasons> = {
  ...serviceReasons,
  HostNotFound: 'spec.host、spec.hostTag：この組織に、名前またはタグが %{host} のホストはありません。',
  Stopped: 'デプロイは停止しています。レプリカはなく、課金されません。',
  Asleep: 'デプロイはリクエストが来るまでスリープしています。その間は課金されません。',
  ScaledToZero: 'spec.replicas が 0 のため、デプロイにレプリカはありません。',
  Releasing: 'デプロイと、それに属するものをすべて削除しています。',
  UpdateFailed:
    'リビジョン %{revision} は %{minutes} 分たっても応答しません：%{detail}。前のリビジョンのレプリカが処理を続けます。デプロイを修正してください。',
  ProbeFailing: 'エンジンがポート %{port} でリクエストに応答しません。',
  ImageBeingVerified: 'ソースが %{image} のイメージを検証中です。完了後にデプロイが起動します。',
  Refused: 'クラスターがデプロイを拒否しました：%{detail}',
  NameTaken: '名前 %{name} は別のオブジェクトが使っています。それを削除するか、デプロイに別の名前を付けてください。',
  ChoosingSetup: 'モデルを調べ、構成を選んでいます。',
  FetchingModel: 'モデルのファイルをノードにコピーしています：%{sizeGi} GiB。',
  StoreOff: 'この環境ではモデルを保存できません。',
  ModelNotFound: 'spec.model：この組織のスペースにもライブラリにもモデル %{id} はありません。',
  VersionNotFound: 'spec.version：モデル %{id} に、準備できたバージョン %{version} はありません。',
  AdapterNotFound: 'spec.adapters：%{adapter} のモデル %{id} に、準備できたバージョン %{version} はありません。',
  NoEngine:
    'この形式（%{format}）のファイルに対応するエンジンはありません。SafeTensors か GGUF のバージョンを使ってください。',
  FormatUnsupported:
    'spec.engine：%{engine} はこの形式（%{format}）のファイルを読めません。%{engines} を選んでください。',
  TaskUnsupported: 'spec.task：%{engine} は %{task} に対応していません。%{engines} を選んでください。',
  EngineNeedsGpu: 'spec.gpu：%{engine} には GPU が必要です。',
  ArgumentReserved: 'spec.extraArgs：%{argument} はプラットフォームが設定します。',
  EngineWithoutGpu: 'spec.gpu：ここでは %{engine} は GPU を使いません。指定を外してください。',
  TemplateDiffers:
    'spec.adapters: %{adapter} は、%{model} のバージョン %{version} とは異なるチャットテンプレートで学習されています。学習元のバージョンと一緒に提供してください。',
  TemplateGiven:
    'spec.extraArgs: %{argument} を指定すると、%{model} のバージョン %{version} が学習時と異なるチャットテンプレートを使うことになります。取り除いてください。',
  GateNotPassed:
    'spec.gate：モデル %{model} のバージョン %{version} が十分であることは示されていません。%{metric} は %{value}、%{baseline} は %{other} です。差は %{low} から %{high} の間で、許されるのは最悪でも −%{margin} です。',
  GateNotEvaluated:
    'spec.gate：評価タスク %{evaluation} は、モデル %{model} のバージョン %{version} を %{baseline} と %{metric} でまだ比べていません。比較が終わり十分であれば提供されます。',
  AdaptersUnsupported: 'spec.adapters：%{engine} は %{task} でアダプターに対応していません。',
  SplitUneven: 'spec.tensorParallel：%{heads} 個のアテンションヘッドを %{split} 枚の GPU に均等に分割できません。',
  TooManyGpus: 'spec.gpu：%{count} × %{model} を備えたノードはありません。1 台のノードでは最大 %{most} 枚です。',
  SplitTooWide: 'spec.tensorParallel：%{split} はレプリカの GPU 数 %{count} を超えています。',
  TooFewNodes: 'spec.nodesPerReplica：%{count} × %{model} のノードが %{nodes} 台必要ですが、%{most} 台しかありません。',
  EngineOnOneNode:
    'spec.nodesPerReplica：%{engine} は 1 台のノードでのみ動作します。複数台で動かすには %{engines} を選んでください。',
  NeedsGroups:
    'レプリカには %{count} × %{model} のノードが %{nodes} 台必要ですが、このクラスターには LeaderWorkerSet がインストールされていません。',
  SetupIncomplete: 'spec.%{field}：手動の構成には必要です。',
  DoesNotFit:
    'モデルがメモリに収まりません：重み %{weightsGi} GiB + コンテキスト %{cacheGi} GiB + エンジン %{overheadGi} GiB = %{needGi} GiB に対し、使えるのは %{roomGi} GiB です。%{advice}',
};

export const actions: Shape<typeof en.actions> = {
  start: service.start,
  stop: service.stop,
  restart: service.restart,
  rollback: service.rollback,
  edit: service.edit,
  clone: service.clone,
  release: service.release,
};

export const setup: Shape<typeof en.setup> = {
  weights: '重み：%{gi} GiB',
  cache: 'コンテキスト：%{tokens} トークン × %{kib} KiB = %{gi} GiB',
  overhead: 'エンジン：%{gi} GiB',
  onGpus: '%{count} × %{model}、メモリの %{percent}%：%{gi} GiB',
  onNodes: '%{nodes} 台のノードに各 %{count} × %{model}、メモリの %{percent}%：%{gi} GiB',
  onCpu: 'GPU なし、メモリ：%{gi} GiB',
  fitsOn: '%{count} × %{model} なら収まります。',
  fitsOnNodes: '%{count} × %{model} のノード %{nodes} 台なら収まります。',
  fitsContext: 'コンテキストが %{tokens} トークンなら収まります。',
  fitsMemory: 'メモリが %{gi} GiB なら収まります。',
  fitsNowhere: '容量の足りるノードがありません。より小さいか、量子化の進んだバージョンを使ってください。',
};

export const rules: Shape<typeof en.rules> = {
  nameLength: serviceRules.nameLength,
  name: serviceRules.name,
  reservedArgument: 'extraArgs：この引数はプラットフォームが設定します',
  tensorParallel: 'spec.tensorParallel は spec.gpu.count 以下でなければなりません',
  nodesPerReplica: 'spec.nodesPerReplica：レプリカ全体で使えるノードは合計 64 台までです',
  nodeLabels: 'nodeLabels：モデルキャッシュのラベルはプラットフォーム専用です',
  manual: 'spec.setup：Manual には engine、cores、memoryGi が必要です',
};
