// `gantry doctor` の文言：点検の項目、結果、対処。
import type { words as english } from '../en/doctor.ts';
import type { DeepShape } from '../join.ts';

export const words: DeepShape<typeof english> = {
  check: {
    kubernetesVersion: { title: 'Kubernetes のバージョン', looksAt: 'API サーバーが /version で報告するバージョン。' },
    kinds: { title: 'リソースの種類', looksAt: 'API サーバーが gantry.dev のすべての種類を提供しているか。' },
    admissionPolicies: {
      title: 'アドミッションポリシー',
      looksAt:
        'すべてのポリシーとバインディングをこのバージョンの内容と比較し、禁止されたオブジェクトをドライランで送る。',
    },
    networkPolicies: {
      title: 'ネットワークポリシー',
      looksAt: '一時的な 2 つの Pod を接続する。ポリシーなし、接続先へのポリシー、接続元へのポリシーの順。',
    },
    storageSizes: {
      title: 'ストレージの容量制限',
      looksAt: '各ストレージクラスの 1 GiB の一時ボリュームに、Pod が実際に書き込める量。',
    },
    containerRuntime: { title: 'コンテナランタイム', looksAt: '各ノードが報告するコンテナランタイム。' },
    snapshotter: {
      title: 'スナップショッター',
      looksAt: '各ノードの一時的な Pod のルートファイルシステムのマウント方法。',
    },
    gpus: { title: 'GPU', looksAt: '各ノードの nvidia.com/gpu の容量と、GPU Feature Discovery のラベル。' },
    gpuAccess: {
      title: 'GPU へのアクセス',
      looksAt:
        'GPU を要求していない一時的な Pod が NVIDIA_VISIBLE_DEVICES=all で GPU を得るか。また、それが可能な組織の Pod。',
    },
    gpuExporter: {
      title: 'GPU のメトリクス',
      looksAt: 'GPU のある各ノードの DCGM エクスポーターと、Prometheus の設定があればその時系列。',
    },
    jobQueue: { title: 'ジョブキュー', looksAt: 'Kueue が提供され、その Webhook がドライランに応答するか。' },
    pidsLimit: { title: 'プロセス数の制限', looksAt: '各 kubelet の実行中の設定にある podPidsLimit。' },
    clocks: {
      title: '時計',
      looksAt: '各 kubelet が Lease を更新した時刻と、API サーバーの時刻の差。',
    },
    registry: { title: 'レジストリ', looksAt: '各ノードが一時的な Pod のために確認用イメージを取得できるか。' },
    databaseDurable: { title: 'データベース：永続性', looksAt: 'fsync、full_page_writes、synchronous_commit。' },
    databaseSpeed: { title: 'データベース：コミット', looksAt: '続けて 20 回コミットするのにかかる時間。' },
    vectors: {
      title: 'ベクトル用データベース',
      looksAt: '応答し、100 万チャンク以上のナレッジベースに必要な pgvector があるか。',
    },
    mail: { title: 'メール', looksAt: 'メールサーバーが応答し、ログインを受け付けるか。メールは送らない。' },
    tidiness: { title: '後片付け', looksAt: '点検で作成したものがすべて削除されたか。' },
  },
  finding: {
    ok: '正常',
    warning: '警告',
    problem: '問題',
    unknown: '判断できず',
    notApplicable: '対象外',
  },
  found: {
    failed: '点検に失敗しました：%{why}',
    forbidden: 'API サーバーが閲覧を許可していません：%{why}',
    tookTooLong: '%{seconds} 秒以内に結果が得られませんでした。',
    calledOff: '点検は中止されました。',
    noNodes: '準備のできた実ノードがありません。',
    needsPlatform: 'Gantry のインストール後に点検できます。',
    notGiven: '点検する対象がありません：%{option} が設定されていません。',
    versionFits: 'API サーバーは %{version} です。',
    versionOld: 'API サーバーは %{version} ですが、Gantry には Kubernetes %{least} 以降が必要です。',
    kindsServed: '%{count} 種類すべてが提供されています。',
    kindsMissing: '次の種類が提供されていません：%{names}',
    policiesHold:
      '%{count} 件のポリシーとバインディングはすべてこのバージョンと同じで、禁止されたオブジェクトは拒否されました。',
    policiesServed: 'API サーバーは ValidatingAdmissionPolicy を提供しています。',
    policiesUnserved: 'API サーバーは ValidatingAdmissionPolicy（admissionregistration.k8s.io/v1）を提供していません。',
    policiesMissing: '次のポリシーがありません：%{names}',
    bindingsMissing: '次のポリシーにはバインディングがなく、効力がありません：%{names}',
    policiesDiffer: '次のポリシーまたはバインディングが、このバージョンの内容と異なります：%{names}',
    forbiddenAccepted: 'API サーバーは、ポリシー %{name} が禁止するオブジェクトを受け入れる状態でした。',
    networkEnforced: '%{from} から %{to} への接続で、受信と送信のポリシーが有効です。',
    ingressOpen: '%{from} の Pod が、ポリシーで閉じた %{to} のポートに接続できました。',
    egressOpen: '%{from} の Pod が、すべての接続を禁じるポリシーの下で %{to} の Pod に接続できました。',
    podsApart: 'ポリシーがない状態で、%{from} の Pod が %{to} の Pod に接続できませんでした。',
    classSized: '%{name}：%{asked} MiB のボリュームに %{holds} MiB 入ります。',
    classUnsized:
      '%{name}：%{asked} MiB のボリュームに %{holds} MiB 入るため、1 つのテナントが全員のディスクを使い切れます。',
    classFixed: '%{name}：ボリュームを拡張できません。',
    classStuck: '%{name}：1 GiB のボリュームが用意されませんでした：%{why}',
    classesUntried: '次のクラスは試していません：%{names}',
    noDefaultClass: '既定のストレージクラスがありません。',
    noClass: 'ストレージクラスがありません。',
    runtimeFits: 'ノードでは %{versions} が動いています。',
    runtimeOld: '%{names}：%{versions} は containerd %{least} より古いバージョンです。',
    runtimeOther: '%{names}：%{versions} は containerd ではありません。',
    snapshotterFits: 'ノードは %{names} でコンテナをマウントしています。',
    snapshotterOther: '%{name}：コンテナのルートが overlayfs ではなく %{type} でマウントされています。',
    rootUnread: '%{name}：一時的な Pod がルートのマウント方法を報告しませんでした。',
    gpusFound: '%{nodes} 台のノードに合計 %{count} 枚の GPU があります：%{models}',
    gpusAbsent: 'nvidia.com/gpu を提供するノードがありません。',
    gpuLabelsMissing: '次のノードは GPU を提供していますが、ラベル %{label} がありません：%{names}',
    gpuPluginMissing: '次のノードは GPU があるとラベルされていますが、提供していません：%{names}',
    gpusUnhealthy: '次のノードに割り当てられない GPU があります：%{names}',
    noCards: 'GPU を提供するノードがありません。',
    cardsShut: 'GPU のある %{count} 個のノードでは、環境変数で求めるだけのコンテナは GPU を得ません。',
    cardsOpen: '次のノードでは、どのコンテナも環境変数ですべての GPU を得ます：%{names}',
    podsUnclosed: '次の Pod は、求めていない GPU が見える可能性があります：%{names}',
    exporterRuns: 'GPU のある %{nodes} ノードすべてで DCGM エクスポーターの準備ができています。',
    exporterMissing: 'DCGM エクスポーターが見つかりません。',
    exporterAway: '次のノードで DCGM エクスポーターの準備ができていません：%{names}',
    exporterUnread: 'Prometheus に DCGM_FI_DEV_GPU_UTIL がありません：%{why}',
    noGpuNodes: 'GPU を提供するノードがありません。',
    queueRuns: 'Kueue が提供され、Webhook が応答しています。',
    queueAbsent: 'Kueue がインストールされていません。',
    queueIncomplete: 'この Kueue には必要な種類がありません：%{names}',
    queueSilent: 'Kueue の Webhook が応答しません：%{why}',
    pidsLimited: 'どのノードも 1 つの Pod のプロセス数を %{most} 以下に制限しています。',
    pidsHigh: '次のノードは 1 つの Pod に %{most} を超えるプロセスを許しています：%{names}',
    pidsUnlimited: '次のノードは Pod のプロセス数を制限していません：%{names}',
    clocksAgree: '%{count} ノードの時計は、API サーバーとの差が %{seconds} 秒以内です。',
    clocksOff: '%{name}：時計が %{seconds} 秒ずれています。',
    clocksFarOff: '%{name}：時計が %{seconds} 秒ずれています。',
    clocksSilent: '次のノードの Lease に更新時刻がありません：%{names}',
    registryReached: '%{count} ノードが %{image} を取得しました。',
    registryUnreached: '%{name} は %{image} を取得できません：%{why}',
    nodesUntried: '次のノードでは一時的な Pod が動きませんでした：%{names}',
    databaseSafe: '%{version}：fsync と full_page_writes は有効で、コミットはディスクへの書き込みを待ちます。',
    databaseEmbedded: '組み込みデータベース（%{version}）は、マシンの障害時に最後の数秒を失うことがあります。',
    commitsUnawaited: '%{version}：synchronous_commit が %{value} のため、クラッシュで確認済みのコミットが失われます。',
    databaseUnsynced: '%{version}：%{names} が無効で、マシンのクラッシュでデータベースが壊れるおそれがあります。',
    commitsFast: 'コミットは %{median} ミリ秒、最長 %{longest} ミリ秒です。',
    commitsSlow: 'コミットは %{median} ミリ秒、最長 %{longest} ミリ秒です。',
    commitsTooSlow: 'コミットは %{median} ミリ秒、最長 %{longest} ミリ秒です。',
    vectorsReached: '応答しました。pgvector のバージョンは %{version} です。',
    vectorsUnreached: '使えません：%{why}',
    mailReached: '%{server} は応答し、ログインを受け付けました。',
    mailOff: 'メールサーバーが設定されていません。',
    mailUnreached: '%{server} を使えません：%{why}',
    tidied: '点検で作成したものは残っていません。',
    leftBehind: '名前空間 %{namespace} に次のものが残っています：%{names}',
  },
  todo: {
    failed: 'もう一度点検してください。再び失敗する場合は、示された理由に従って対処してください。',
    forbidden: '最新のロール（crds/platform）を適用するか、管理者の kubeconfig でコマンドを実行してください。',
    tookTooLong: '応答がない原因を調べてから、もう一度点検してください。',
    calledOff: 'もう一度点検してください。',
    noNodes: '`kubectl get nodes` を確認してください。Ready のノードが少なくとも 1 つ必要です。',
    versionOld: 'Gantry をインストールする前に、マイナーバージョンを 1 つずつ上げてクラスターを更新してください。',
    kindsMissing: 'CRD を適用するか（`kubectl apply --server-side -f crds`）、チャートを更新してください。',
    policiesUnserved: 'クラスターを更新し、ValidatingAdmissionPolicy の機能を無効にしないでください。',
    policiesMissing:
      '適用するか（`kubectl apply --server-side -f crds/platform`）、チャートを更新してください。それまでは、禁止されている操作をテナントが行えます。',
    bindingsMissing:
      '適用するか（`kubectl apply --server-side -f crds/platform`）、チャートを更新してください。それまでは、禁止されている操作をテナントが行えます。',
    policiesDiffer:
      '変更されたか、別のバージョンがインストールしたものです。挙げられたものを削除し、このバージョンの内容を適用してください：`kubectl apply --server-side -f crds/platform`。',
    forbiddenAccepted:
      'そのポリシーのバインディングと validationActions、次に API サーバーのログを確認してください。修正するまでテナントを受け入れないでください。',
    ingressOpen:
      'NetworkPolicy を適用するネットワークプラグイン（Calico や Cilium など）を使ってください。それまでは、テナント同士が接続できます。',
    egressOpen: '送信にも NetworkPolicy を適用するネットワークプラグイン（Calico や Cilium など）を使ってください。',
    podsApart:
      'Pod ネットワークを修復してください。ノード間の経路とファイアウォール、ネットワークプラグインの Pod、kube-proxy を確認します。',
    classUnsized:
      '容量が固定されたボリュームのクラス（ブロックストレージ、LVM、クォータ）を使い、このクラスは削除してください。テナントはどのクラスも指定できます。',
    classFixed:
      'ドライバーが拡張に対応していれば、クラスに allowVolumeExpansion を設定してください。そうでなければディスクの容量は変えられません。',
    classStuck:
      'ドライバーの Pod と要求のイベントを確認するか、クラスを削除してください。テナントはどのクラスも指定できます。',
    classesUntried: 'クラスを減らしてもう一度点検するか、手作業で試してください。',
    noDefaultClass:
      'いずれかのクラスに注釈 storageclass.kubernetes.io/is-default-class=true を付けてください。クラスを指定しないディスクに必要です。',
    noClass:
      'ストレージドライバーと既定のストレージクラスをインストールしてください。なければインスタンスにホームディスクを用意できません。',
    runtimeOld: 'これらのノードの containerd を更新してください。',
    runtimeOther:
      'containerd のノードを使ってください。ディスク以外でのインスタンスの変更は containerd を通じて保存されます。',
    snapshotterOther:
      'containerd のスナップショッターを overlayfs に設定してください。ほかのものでは、このノードで何も保存されません。',
    rootUnread: 'Pod がすぐに終わる理由を、`kubectl describe node` と containerd のログで確認してください。',
    gpusAbsent:
      'NVIDIA GPU Operator（またはドライバー、ツールキット、デバイスプラグイン）をインストールしてください。GPU がなければ CPU のインスタンスしか起動できません。',
    gpuLabelsMissing:
      'GPU Operator に含まれる GPU Feature Discovery をインストールしてください。料金と配置はこのラベルで決まります。',
    gpuPluginMissing: 'これらのノードのデバイスプラグインの Pod とドライバー（`nvidia-smi`）を確認してください。',
    gpusUnhealthy:
      '`kubectl describe node` とカーネルログの XID エラーを確認してください。このような GPU はたいてい故障しています。',
    cardsOpen:
      'Gantry のコンテナは拒みますが、ほかの Pod はそうとは限りません。デバイスプラグインの deviceListStrategy を volume-mounts にし、ツールキットの config.toml で accept-nvidia-visible-devices-envvar-when-unprivileged=false にしてください。',
    podsUnclosed: 'アップグレード前に起動したものです。再起動し、上記の対処も行ってください。',
    exporterMissing:
      'GPU Operator に含まれる DCGM エクスポーターをインストールしてください。なければ GPU のグラフは表示されません。',
    exporterAway: 'エクスポーターの DaemonSet と、これらのノードの Pod を確認してください。',
    exporterUnread:
      'Prometheus がエクスポーターを収集するようにし（ServiceMonitor）、--prometheus-url を確認してください。',
    queueAbsent:
      'ジョブを提供する場合は Kueue をインストールしてください。なければジョブは順序も公平な配分もなく始まります。',
    queueIncomplete: 'Kueue を更新し、オペレーターを再起動してください。',
    queueSilent:
      'Pod kueue-controller-manager を確認してください。動いていない間、キューのジョブは開始も停止もできません。',
    pidsHigh: 'kubelet の設定で podPidsLimit を %{most} にしてください。',
    pidsUnlimited:
      'kubelet の設定で podPidsLimit を %{most} にしてください。なければ 1 つのテナントがノードのプロセスを使い切れます。',
    clocksOff: '時計を同期してください（chrony、systemd-timesyncd）。利用料はこの時刻で計算されます。',
    clocksFarOff:
      '時計を同期してください（chrony、systemd-timesyncd）。利用料はこの時刻で計算され、トークンの期限もこれで決まります。',
    clocksSilent: 'これらのノードの kubelet が動いているか確認してください。',
    registryUnreached:
      'ノードがレジストリの名前を解決して接続でき、証明書を信頼し、イメージがそこにあることを確認してください（--probe-image）。',
    nodesUntried: 'そこで Pod が起動できない理由（空き、テイント、リソース圧迫）を確認してください。',
    databaseEmbedded: '実際のテナントには PostgreSQL（--database-url）を使ってください。',
    commitsUnawaited: 'synchronous_commit を on にしてください。支払いはこのコミットで確定します。',
    databaseUnsynced: 'PostgreSQL の設定で有効にし、それまでのデータを確認してください。',
    commitsSlow:
      'データベースをより速いディスクか、ゲートウェイの近くに移してください。%{fine} ミリ秒未満を目指します。',
    commitsTooSlow:
      'データベースをより速いディスクか、ゲートウェイの近くに移してください。すべての変更がコミットを待ちます。%{fine} ミリ秒未満を目指します。',
    vectorsUnreached:
      '--vectors-url を確認し、データベースに pgvector 0.7 以降があり、ロールが拡張機能を作成できることを確かめてください。このままでは大規模なナレッジベースを検索できません。',
    mailOff: '--smtp-url を設定してください。なければ誰も確認コードを受け取れず、登録できません。',
    mailUnreached: '--smtp-url、サーバーの証明書とログイン、外向きのファイアウォールを確認してください。',
    leftBehind: '削除するか、もう一度点検してください。そのとき削除されます。',
  },
};
