// Every error of the API, by its row in http/problem.ts.

import type * as en from '../en/problems.ts';
import type { Shape } from '../join.ts';

export const problems: Shape<typeof en.problems> = {
  // The frame.
  invalid_field: '%{field}：%{rule}',
  malformed_json: '本文が JSON ではありません：%{detail}',
  nested_too_deep: '本文の入れ子が %{most} 階層を超えています。',
  two_tokens: 'X-Token と Authorization に異なるトークンが含まれています。',
  bad_text: '%{field}：使用できない文字が含まれています。',
  idempotency_key_rule: 'Idempotency-Key は 1 ～ 255 文字の英字、数字、. _ : - です。',
  not_repeatable: 'この呼び出しは Idempotency-Key に対応していません。結果は保存されません。',
  malformed_request: 'リクエストが有効な HTTP ではありません。',
  headers_too_large: 'リクエストヘッダーが大きすぎます。',
  unauthenticated: '有効なユーザートークンがありません',
  permission_missing: '権限が不足しています。この機能は利用できません。提供元にお問い合わせください。',
  second_factor_needed: 'ここではスタッフに二要素認証が必要です。先に設定してください。',
  not_found: '%{what} は存在しません。',
  no_such_route: 'このパスには何もありません。',
  cluster_unknown: 'クラスター ID が存在しません。',
  namespace_unknown: '名前空間が存在しません。',
  method_not_allowed: 'この操作はサポートされていません。使用できるもの：%{allowed}。',
  request_too_slow: '本文の受信に %{seconds} 秒以上かかりました。',
  org_mismatch: '%{field} がトークンの組織またはユーザーと一致しません。',
  conflict: 'その間に他の人が変更しました。再度読み込んでください。',
  action_not_allowed: '状態が %{phase} のとき %{action} はできません。可能な状態：%{from}。',
  too_large: '本文が %{most} バイトを超えています。',
  too_many_values: '本文のリストとオブジェクトに含まれる値が %{most} 個を超えています。',
  wrong_media_type: '本文は %{wanted} でなければなりません。',
  idempotency_mismatch: 'Idempotency-Key は別のリクエストで使用済みです。',
  too_many_requests: 'リクエストが多すぎます。%{seconds} 秒後に再試行してください。',
  internal: 'バックエンドのデータエラーです。',
  unavailable: '現在利用できません。%{seconds} 秒後に再試行してください。',
  timed_out: 'リクエストが %{seconds} 秒を超えました。処理は実行される可能性があります。',

  // Accounts.
  username_required: 'ユーザー名を入力してください',
  username_rule: 'ユーザー名は 5 ～ 20 文字の英字、数字、. - _ @ です。',
  username_email: 'メールアドレスをユーザー名にする場合は、ご本人の確認済みアドレスに限ります。',
  password_rule: 'パスワードは英字と数字を含む 8 ～ 16 文字で、空白は使えません。',
  email_rule: '有効なメールアドレスを入力してください。',
  phone_rule: '有効な電話番号を入力してください。',
  code_wrong: '確認コードが正しくありません。',
  captcha_missing: 'キャプチャを完了してください。',
  registration_failed: '登録に失敗しました。',
  modification_failed: '変更に失敗しました。',
  terms_not_accepted: 'バージョン %{version} の利用規約に同意してください。',
  old_password_wrong: '現在のパスワードが正しくありません。',
  login_failed: 'アカウントまたはパスワードが正しくありません。',
  login_over: 'ログインの時間が切れました。最初からやり直してください。',
  login_by_what: 'アカウントとパスワード、チケットとコード、または provider を指定してください。',
  account_closed: 'このアカウントは停止されています。提供元にお問い合わせください。',
  provider_unknown: 'ログインプロバイダー %{provider} はありません。',
  provider_refused: '%{provider} でのログインに失敗しました。最初からやり直してください。',
  register_type_closed: 'ここでの登録は %{type} のみです。',
  password_same: '新しいパスワードは現在のものと異なる必要があります。',
  password_guessable:
    'このパスワードは推測されやすいため使えません。よく使われるものか、ユーザー名、メールアドレス、「gantry」のいずれかを含んでいます。',
  username_taken: 'ユーザー名 %{name} はすでに使われています。',
  address_taken: 'この連絡先は別のアカウントで使われています。',
  cannot_send: 'ここでは %{type} でメッセージを送信できません。',
  totp_on: '二要素認証はすでに有効です。',
  totp_off: '二要素認証は無効です。',
  too_many_attempts: '失敗が多すぎます。%{seconds} 秒後に再試行してください。',
  code_too_soon: 'コードを送信したばかりです。%{seconds} 秒後に再度お試しください。',

  // Organisations, keys, real names.
  plain_text: '見えない文字、紛らわしい文字、または前後の空白が含まれています。',
  account_unknown: '名前が %{account} のアカウントはありません。メールアドレスで招待してください。',
  confirmation_missing: '中の内容はすべて失われます。確認のため ID をもう一度指定してください：?confirm=%{id}',
  ssh_key_broken: '公開鍵を使用できません：%{detail}。',
  expiry_passed: '有効期限は未来の日時でなければなりません。',
  expiry_too_far: '有効期限は最長 %{days} 日後です。',
  scope_beyond_role: 'ご自身の役割には %{right} の権限がありません。',
  id_card_format: '身分証番号の形式が正しくありません。',
  credit_code_rule: '統一社会信用コードは 18 桁または 15 桁の数字と大文字です。',
  commitment_missing: 'マイニングを行わない誓約に同意してください。',
  picture_kind: '画像は JPG、JPEG または PNG でなければなりません。',
  picture_missing: '画像を 1 枚だけ送信してください。',
  picture_unknown: 'ご自身の画像が見つかりません。先にアップロードしてください。',
  contact_phone_rule: '電話番号は 6 桁から 15 桁の数字です。国外の番号は + と国番号で始めてください：+1 415 555 0132。',
  country_rule: '証明書を発行した国または地域を選択してください。',
  document_number_rule: '証明書番号は英数字で 4 文字から 24 文字です。',
  document_not_accepted: 'この証明書は受け付けていません。身分証を使ってください。',
  registration_number_rule: '登録番号は英数字、空白、ピリオド、スラッシュ、ハイフンで 2 文字から 32 文字です。',
  session_needed: 'API トークンではこの操作を行えません。ログインしてください。',
  view_only:
    'テナントとして表示中です。閲覧のみ可能で、変更や、ターミナル・ファイル・ログ・秘密情報の表示はできません。',
  view_ticket: 'このリンクは使用済みか、30 秒を過ぎています。運用コンソールからもう一度開いてください。',
  last_owner: 'オーナーはこの 1 人だけです。先に別のメンバーをオーナーにしてください。',
  personal_organization: '個人の組織は常にその所有者のものです。',
  already_member: '%{account} はすでにメンバーです。',
  too_many_members: '1 つの組織のメンバーと招待は最大 %{most} 人です。',
  too_many_invitations: '1 人が 1 時間に送信できる招待は最大 %{most} 件です。しばらくしてから再試行してください。',
  not_a_member: '%{account} はこの組織のメンバーではありません。利用上限を設定できるのはメンバーだけです。',
  too_many_pending: '1 つの組織の回答待ちの招待は最大 %{most} 件です。取り消すか、回答をお待ちください。',
  invitation_closed: 'この招待は無効になりました。新しい招待を依頼してください。',
  invitation_void:
    '%{actor} には、この役割で %{organization} に招待する権限がもうありません。新しい招待を依頼してください。',
  too_many_organizations: '1 人が所有できる組織は最大 %{most} 個です。',
  too_many_pub_keys: 'SSH 鍵は 1 ユーザーにつき最大 %{most} 個です。',
  pub_key_exists: 'この鍵は %{remark} としてすでに登録されています。',
  too_many_api_tokens: 'API トークンは 1 人 1 組織につき最大 %{most} 個です。',
  too_many_kubeconfigs: 'kubeconfig は 1 人 1 組織につき最大 %{most} 個です。',
  organization_not_ready: '組織を準備しています。しばらくしてから再試行してください。',
  real_auth_state: '現在の状態（%{state}）ではこの操作を行えません。',
  personal_first: '企業認証の前に個人認証を完了してください。',
  own_real_auth: '自分の申請を審査することはできません。',
  real_auth_decided: 'この申請は %{who} がすでに審査しました。',
  real_auth_own_organization: '自分の組織のメンバーを審査することはできません。',
  second_reviewer: 'この申請はすでにご自身が承認しています。別の人の審査が必要です。',

  // Kinds.
  name_rule: '名前に使えるのは英数字、漢字、アンダースコアのみです（ひらがな、カタカナは使えません）。',
  host_name_rule: 'ホスト名に使えるのは英字、数字、アンダースコアのみです。',
  image_malformed:
    '形式が正しくありません。イメージは repo/name:tag または repo/name@sha256:… の形で、例えば pytorch/pytorch:2.4.0 と書きます',
  ssh_key_malformed: '鍵 %{remark} は OpenSSH 公開鍵ではありません：%{rule}。',
  no_such_reference: 'この組織に%{what} %{name} はありません。',
  confirmation_needed:
    'ディスクのすべてのデータが失われます。確認のため ID をもう一度指定してください：confirm=%{id}。',
  nothing_selected: '少なくとも 1 件を選択してください。',
  instance_not_shut_down:
    'インスタンスがシャットダウンされていないため解放できません。シャットダウンしてから解放してください。',
  disk_in_use:
    'ディスク %{disk} は %{by} がマウントしています。先にアンマウントするか、使用中のインスタンスをシャットダウンしてください。',
  not_enough_gpus:
    'ホスト %{host} の GPU は %{all} 枚中 %{free} 枚が空いており、1 ノードでは最大 %{largest} 枚です。要求は %{wanted} 枚です。枚数を減らすか、そのホストのインスタンスを停止してください。',
  wrong_gpu:
    'ホスト %{host} のノードは %{count} × %{model} で、%{wanted} × %{asked} は収まりません。%{count} × %{model} 以下にするか、別の場所で実行してください。',
  quota_exceeded:
    '組織のクォータを超えます：%{resource} は上限 %{limit} のうち %{used} を使用中で、さらに %{requested} を要求しています。要求を減らすか、不要なものを解放するか、提供元にクォータの引き上げを依頼してください。',
  policy_refused: '%{detail}',
  official_image: 'イメージ %{image} はプラットフォームが提供しており、変更できるのはスタッフだけです。',
  gpu_unknown: 'GPU モデル %{model} を持つノードはありません。クラスターにあるのは %{models} です。',
  gpu_too_many:
    '%{wanted} × %{model} を持つノードはありません。1 ノードでは最大 %{most} 枚です。%{most} 枚以下にするか、別のモデルを選んでください。',
  disk_for_one:
    'ディスク %{disk} に書き込めるのは 1 つだけですが、ワーカーは %{workers} 個です。複数から書き込めるディスクを使ってください。',
  revision_unknown: 'ロールバックできるリビジョン %{revision} はありません。利用できるのは %{revisions} です。',
  model_in_use: '%{users} が使用中です。先に削除するか、変更してください。',
  deployment_unservable: 'この構成ではデプロイできません。%{why}',
  region_closed: 'ここから %{region} に作成することはできません。',
  region_name_taken:
    '%{region} では別の組織が同じ名前を使っているため、この組織のものは作成できません。提供元にお問い合わせください。',
  placed_elsewhere:
    '%{what} は %{region} にあります。そのリージョンのリソースの Web ページ、保存されたログ、メトリクス、ディスク、イメージは、まだここからは利用できません。',
  schedule_unreadable:
    '%{field}：%{value} は無効です。スケジュールは 30 2 * * 1-5、タイムゾーンは Europe/Berlin のように書きます。',
  secrets_size: 'シークレット変数は合計で最大 %{most} KiB です。',

  // Messages and streams.
  cursor_rule: 'cursor は同じ一覧の以前の応答に含まれる値でなければなりません。',
  watch_rule: 'watch は * またはカンマ区切りの種別の複数形でなければなりません。',
  too_many_streams: 'ストリームが多すぎます。いずれかを閉じるか、%{seconds} 秒後に再試行してください。',

  // Terminal, tenant web, files.
  container_not_running: 'コンテナが実行されていません。',
  too_many_terminals: '同時に開けるターミナルは 1 人につき最大 %{most} 個です。',
  too_many_terminal_sessions:
    '1 つのインスタンスのターミナルセッションは 1 人につき最大 %{most} 個です。どれかを閉じるか、そのセッションに戻ってください。',
  port_not_published: 'ポート %{port} は公開されていません。',
  tenant_web_off: 'この環境ではインスタンスの Web コンテンツを提供していません。',
  not_published: 'サービスは公開されていません。spec.publish を設定してください。',
  no_notebook_token: 'このインスタンスには現在ノートブックトークンがありません。',
  registry_name_rule: '名前は小文字の英字、数字、ハイフンで最大 50 文字です。先頭と末尾にハイフンは使えません。',
  registry_server_rule:
    'レジストリはホスト名です。必要ならポートを付けます（例：ghcr.io、registry.example.com:5000）。',
  registry_user_rule: 'レジストリのユーザーにコロンは使えません。',
  registry_exists: '同じ名前のレジストリまたは Secret がすでにあります。',
  too_many_registries: '非公開レジストリは 1 組織につき最大 %{most} 個です。',
  files_in_use: 'ディスクに書き込めるのは 1 つだけで、現在は %{by} です。そちらで sftp を使ってください。',
  files_preparing: 'ファイルを準備しています。%{seconds} 秒後に再試行してください。',
  files_unavailable: 'ファイルを提供できません：%{detail}',
  log_not_kept: 'この実行のログは保存されていません。',
  too_many_logs: '同時に読めるログは 1 人につき最大 %{most} 件、1 つの組織につき最大 %{all} 件です。',
  file_path_rule: 'パスは最大 4096 バイト、各名前は最大 255 バイトで、. や .. 、アップロード用の名前は使用できません。',
  file_leads_outside: 'パスがリンクを通じてディスクの外を指しています。そのようなリンクはたどりません。',
  upload_not_understood: 'アップロードが無効です：%{detail}',
  file_exists: 'すでに存在します。',
  file_wrong_kind: 'ここではその操作を行えません：%{detail}',
  file_refused: 'ディスクが許可していないか、現在読み取り専用です。',
  upload_offset: 'アップロードは %{offset} バイト目から再開してください。',
  file_busy: '別の処理が使用中です。再試行してください。',
  upload_gone: '未完了のアップロードがなくなりました。最初からやり直してください。',
  disk_full: 'ディスクの空きがありません。',
  file_too_large: 'このディスクで扱えるファイルのサイズを超えています。',
  folder_too_large: 'フォルダー内のファイルまたは階層が多すぎるため、この操作はできません。',
  range_outside: 'ファイルにその範囲はありません。',

  // Prices and plans.
  price_in_past: '料金と割引の開始は最も早くて %{soonest} です。それ以前の利用の料金は変わりません。',
  sku_unknown: '料金を設定できる %{sku} という項目はありません。',
  price_rule: '料金は小数点以下 6 桁までの 0 以上の数です。',
  plan_not_covered:
    'プラン %{plan} は 1 か月 %{wanted} %{currency} です。利用できる残高は %{available} %{currency} です。',
  plan_by_staff: 'プラン %{plan} を割り当てたり終了したりできるのは提供元だけです。お問い合わせください。',
  plan_hosts:
    'プラン %{plan} のホストは最大 %{cap} 台ですが、現在 %{held} 台あります。先に %{over} 台を解放してください。',
  plan_unpriced: 'プラン %{plan} には現在、料金が設定されていません。提供元にお問い合わせください。',
  discount_target: '割引の対象は組織、プラン、SKU、コードのいずれか一つです。種類に合う項目だけを指定してください。',
  discount_code_rule: 'コードは英数字（0–9、A–Z、a–z）4～32 文字です。',
  discount_times: '割引の終了は開始より後でなければなりません。',
  discount_code_invalid: 'このコードは存在しないか、期限切れか、使用上限に達しています。',
  discount_code_redeemed: 'この組織ではすでにこのコードを適用しています。',
  discount_code_own: 'このコードはここでは使えません。作成者または承認者がこの組織に所属しています。',
  simulation_too_long:
    '先月の利用量が多く、%{seconds} 秒以内に計算できません。SKU を減らすか、後でもう一度お試しください。',

  // Documents.
  zone_rule: 'タイムゾーンは Asia/Tokyo のような IANA の名称で指定してください。',
  tax_id_rule: '税務番号は 3 ～ 40 文字の英数字で、間に空白、ピリオド、スラッシュ、ハイフンを使えます。',
  amount_rule:
    '金額は「2000」や「2000.50」のように、小数点以下 2 桁までで入力してください。支払額は 0 より大きくなければなりません。',
  range_order: '期間は終了が開始より後でなければなりません。',
  range_rule: '期間は終了が開始より後で、最長 %{most} 日です。',
  transfer_rule: '付与は 0 より大きいクレジット、調整は現金の増減またはクレジットの減額のみです。小数は 2 桁までです。',
  approval_own: '自分の申請は審査できません。別の人の審査が必要です。',
  approval_decided: 'この申請はすでに処理されています：%{state}。',
  approval_own_organization: '自分が所属する組織の申請は審査できません。別の人の審査が必要です。',
  proof_running: '帳簿はすでに検証中です。',

  // Operators.
  admin_query_rule:
    'sort は ["項目","ASC"]、range は最大 1000 行の [最初,最後]、filter は既知の項目のオブジェクトです。',
  reason_needed: 'スタッフの操作にはすべて理由が必要です。',
  announcement_times: 'お知らせの終了は開始より後でなければなりません。',
  own_access: '自分自身のアクセス権は変更できません。',
  node_command: 'ノード %{node} の現在の状態では「%{command}」を実行できません。',
  node_taken: 'ノード %{node} はホストに属しているか、インスタンスが動いています。先に退避してください。',
  node_kept:
    'ノード %{node} の次の Pod は PodDisruptionBudget により今は退避できません：%{pods}。他の Pod は退避しました。後でもう一度退避してください。',
  import_malformed: 'ファイルの %{line} 行目は正しい CSV ではありません：%{detail}',
  import_columns: '1 行目は列名です：%{known}。各列は 1 回まで、name は必須です。認識できないもの：%{column}',
  import_address_missing: 'メールアドレスまたは電話番号が必要です。本人がパスワードの設定に使います。',
  import_repeated: '%{line} 行目の %{what} と同じです。',
  import_role_alone: '役割を指定するには組織が必要です。',
  import_role_high: 'インポートで組織のオーナーや管理者は設定できません。組織のオーナーが任命します。',
  import_too_long: 'ファイルが %{most} 行を超えています。分割してください。',
  edited_meanwhile: '編集中に別の人がこの内容を変更しました。',
  audit_check_running: 'このチェーンはすでに検証中です。',
  cluster_check_running: 'クラスターはすでに点検中です。',
  mail_done: 'このメールはもう送信待ちではないため、送信も中止もできません。',
  mail_useless: 'このメールの内容は無効になり消去されました。本人が改めて取得する必要があります。',
  backup_off: 'バックアップ用のバケットが設定されていません。--backup-bucket と --backup-key-file を設定してください。',
  backup_running: 'バックアップはすでに実行中です。',
  slug_rule: 'アドレスには小文字の英字、数字、単独のハイフンを 63 文字まで使えます。',
  setting_link: '空欄、https:// または http:// で始まる URL、メールアドレスのいずれかを入力してください。',
  setting_amount: '100 や 12.50 のような金額を入力してください。',
  setting_limits: '通貨ごとの範囲をカンマ区切りで入力してください。例：USD:1-10000,EUR:1-10000',
  setting_hours: '1 以上の整数の時間を入力してください。',
  setting_hour_list: '0 より大きい時間をカンマ区切りで入力してください。例：24,3',
  setting_days: '整数の日数を入力してください。0 は無期限に保持します。',
  setting_addresses: 'メールアドレスをカンマ区切りで最大 20 件入力するか、空欄にしてください。',
  setting_stock: 'exact か steps を入力してください。',
  setting_name: '名前は 1～40 文字の表示できる文字で入力してください。',
  setting_logo: '32 KiB、1024 × 1024 ピクセル以下の PNG を選択するか、空欄にしてください。',
  setting_color: '# と 6 桁の 16 進数（例：#1a56db）を入力するか、空欄にしてください。',
  setting_footer: '1 行、300 文字以内の表示できる文字を入力するか、空欄にしてください。',
  setting_legal_number: '1 行、100 文字以内の表示できる文字を入力するか、空欄にしてください。',
  setting_switch: 'on か off を入力してください。',
  slug_taken: 'アドレス %{slug} は別の記事で使われています。',
  about_exists: 'この種類のページはすでにあります。そちらを編集してください。',
  incident_start: 'インシデントの開始時刻を未来にすることはできません。',
  incident_full: '1 件のインシデントの更新は %{most} 件までです。新しいインシデントを作成してください。',
  article_empty: 'バージョン %{number} には、本文のない言語があります。',

  // Features that are closed for a while.
  registration_closed: '現在、新規登録を停止しています。%{note}',
  provider_login_closed: '現在、外部サービスでのログインは利用できません。パスワードでログインしてください。%{note}',
  terminal_closed: '現在、ターミナルは利用できません。SSH は利用できます。%{note}',
  files_closed: '現在、ファイルブラウザーは利用できません。%{note}',
  top_ups_closed: '現在、チャージはできません。%{note}',
  new_instances_closed: '現在、新しいインスタンスは作成できません。既存のインスタンスに影響はありません。%{note}',

  // The wallet.
  wallet_short: 'ウォレットの利用可能額は %{available} %{currency} ですが、%{wanted} %{currency} が要求されました。',
  bill_not_movable: '請求 %{bill} は %{from} のため、%{to} にはできません。',

  // The credit gate.
  not_enough_credit: '%{wanted} %{currency} が必要ですが、利用できるのは %{available} %{currency} です。',
  spend_cap_reached:
    '%{wanted} %{currency} が必要です。組織の今月の上限 %{cap} %{currency} のうち %{spent} %{currency} が利用または確保済みで、残りは %{left} %{currency} です。',
  member_cap_reached:
    '%{wanted} %{currency} が必要です。ご自身の今月の上限 %{cap} %{currency} のうち %{spent} %{currency} が利用または確保済みで、残りは %{left} %{currency} です。',
  no_price: '%{what} の料金が設定されていないため、作成できません。',
  plan_limit: 'プラン %{plan} のホストは最大 %{cap} 台で、現在 %{held} 台あります。',

  // Payments.
  amount_outside: '%{field}：金額は %{least} %{currency} ～ %{most} %{currency} です。',
  currency_not_payable: 'ここでは %{currency} で支払えません。',
  webhook_malformed: '本文の署名は正しいものの、このプロバイダーのイベントではありません。',
  webhook_signature: '署名が正しくないか、期限切れです。',
  amount_unit: '%{field}：%{currency} の小数点以下の桁数が多すぎます。',
  auto_recharge_card: '自動チャージには既定のカードが必要です。',
  auto_recharge_limit: '1 日の上限は 1 回のチャージ額以上でなければなりません。',
  payment_method_failed: '支払い方法の追加または更新に失敗しました。%{why}',
  payment_channel_missing: 'ここでは %{channel} による操作はできません。',
  payment_not_open: '支払い %{payment} は終了しています：%{state}。',
  refund_too_large: 'この支払いで返金できるのは最大 %{most} %{currency} です。',
  refund_under_way: 'この支払いは返金処理中です。',
  payment_disputed: 'この支払いは銀行で異議申し立て中のため、銀行が判断します。',
  provider_away: '決済事業者が応答しません。失われるものはありません。後で再試行してください。',

  // Models.
  model_version_rule:
    'バージョン名は英数字、ドット、ハイフン、アンダースコアで 63 文字以内とし、英数字で始めてください。',
  model_path_rule: 'ファイルのパスは folder/model.safetensors のように名前をスラッシュで区切り、. と .. は使えません。',
  model_path_twice: '同じファイルは一度しか指定できません。',
  model_digest_rule: 'SHA-256 は数字と a から f の文字 64 桁です。',
  model_repository_rule: 'ハブのリポジトリは Qwen/Qwen3-8B のように owner/name と書きます。',
  model_revision_rule: 'リビジョンはリポジトリのブランチ、タグ、またはコミットです。',
  model_token_rule: 'トークンは空白を含まない ASCII 文字です。',
  model_piece_size: '%{path} の %{offset} バイト目からの部分は、ちょうど %{wanted} バイトでなければなりません。',
  model_pickle:
    '%{path} は pickle ファイルで、読み込むと任意のプログラムが実行されるため受け付けません。モデルを SafeTensors または GGUF に変換してください。',
  model_header: '%{path} は正しいモデルファイルではありません：%{detail}。',
  model_hash:
    '%{path} の内容が送信元の情報と一致しません：SHA-256 は %{wanted} のはずが %{actual} です。送り直してください。',
  model_shard_missing: 'このモデルは複数のファイルに分割されていますが、%{path} がありません。',
  model_hub_unknown: 'ハブに %{repository} の %{revision} がないか、この組織には公開されていません。',
  model_hub_gated:
    '%{repository} の取得には、ハブで利用条件への同意が必要です。ハブで同意し、組織のトークンを設定してください。',
  model_hub_empty:
    '%{repository} には取得できるファイルがありません。pickle は除外され、ほかにパターンに一致するファイルはありません。',
  model_hub_too_large:
    '%{repository} のファイルが %{most} 個を超えるか、大きすぎるファイルがあります。パターンで絞り込んでください。',
  model_hub_answer: '%{path} に関するハブの応答が正しくありません：%{detail}。',
  model_disk_unknown: 'ディスク %{disk} に %{path} がありません。',
  model_disk_empty:
    '%{folder} に SafeTensors または GGUF のファイルがありません。pickle は除外され、ほかにパターンに一致するファイルはありません。',
  model_disk_changed: 'コピー中に %{path} が変わりました。書き込みが終わってから、もう一度取り込んでください。',
  model_disk_too_large:
    '%{folder} のファイルが %{most} 個を超えるか、大きすぎるファイルがあります。パターンで絞り込んでください。',
  model_id_rule: 'モデルの ID は mdl- に続く英小文字、数字、単独のハイフンです（例：mdl-example）。',
  model_id_of_staff: 'モデルの ID を指定できるのはカタログ担当者だけです。',
  model_id_exists: 'この ID のモデルはすでにあります。',
  model_exists: 'スペースに同じ名前のモデルがすでにあります。',
  model_version_exists:
    'このモデルには同じ名前のバージョンがすでにあります。バージョンは変更できません。別の名前にしてください。',
  model_shelved: 'このモデルはライブラリで公開中です。先にプラットフォームのスタッフが取り下げる必要があります。',
  model_not_uploading: 'このバージョンはアップロード中ではありません。',
  model_quota:
    'ファイルには %{wanted} GiB 必要ですが、組織の保存データ用 %{limit} GiB のうち %{used} GiB が使用中です。バージョンを削除するか、提供元に増量を依頼してください。',
  too_many_models: 'モデルは 1 組織につき最大 %{most} 個、バージョンは 1 モデルにつき最大 %{versions} 個です。',
  model_abnormal: '完全なバージョンがないため、このモデルの公開や取り下げはできません。',
  model_of_tenant:
    '公開できるのはプラットフォームのスタッフが所有する組織のモデルだけです。これはテナントのモデルです。',
  model_store_off: 'この環境にはファイル用のオブジェクトストアがありません。',
  model_hub_off: 'この環境には取り込み元のハブがありません。',
  too_many_model_aliases: 'モデルのエイリアスは 1 組織につき最大 %{most} 個です。',
  model_alias_exists: 'モデルのエイリアス %{name} はすでにあります。',
  too_many_chats: '保存できる会話は最大 %{most} 件です。先にいくつか削除してください。',
  model_store_away: '現在、オブジェクトストアに接続できません。もう一度お試しください。',

  // Datasets.
  dataset_exists: 'データスペースに同じ名前のデータセットがすでにあります。',
  dataset_shelved:
    'このデータセットはすべての人に公開中です。先にプラットフォームのスタッフが取り下げる必要があります。',
  dataset_abnormal: '完全なバージョンがないため、このデータセットの公開や取り下げはできません。',
  dataset_of_tenant:
    '公開できるのはプラットフォームのスタッフが所有する組織のデータセットだけです。これはテナントのデータセットです。',
  dataset_of_collected: '収集したリクエストを含むため、このデータセットはすべての人には公開できません。',
  dataset_files_missing:
    'このバージョンにはファイルがないか、まだ届いていないファイルがあります：%{path} がありません。不足分を送ってから完了してください。',
  dataset_file_differs:
    '%{path} は別のサイズまたは SHA-256 ですでに登録されています。新しいバージョンを作成してください。',
  dataset_not_ready: '比較できるのは利用可能なバージョンだけです。バージョン %{version} はまだ利用できません。',
  dataset_source_gone: '%{what} はコピーされる前に削除されました。',
  task_files_gone: 'タスクの Pod は、ファイルのコピーが終わる前に終了しました。',
  too_many_datasets:
    'データセットは 1 組織につき最大 %{most} 個、バージョンは 1 データセットにつき最大 %{versions} 個です。',
  too_many_files:
    'モデルとデータセットのファイルは 1 組織につき合計 %{most} 個までです。不要なバージョンを削除してください。',
  too_many_downloads: '同時にダウンロードできるのは最大 %{most} 件です。いずれかが終わってから再試行してください。',
  transfer_too_slow:
    '1 分間に転送されたデータが %{least} KiB 未満のため、転送を終了しました。より速い回線で再試行してください。',
  transfer_gave_way:
    '同時転送の枠がすべて使われており、所属する組織の転送が最も多いため、他の組織のためにこの転送を終了しました。しばらくしてから再試行してください。',
  too_many_dataset_files: '1 バージョンのファイルは最大 %{most} 個です。小さいファイルはまとめてください。',
  dataset_source_empty: '%{what} には取り込めるファイルがありません。パターンに一致する、空でないファイルが必要です。',
  dataset_source_path:
    '取り込み元に、使用できない名前のファイルがあります：%{path}。名前を変えるか、パターンでほかのファイルを選んでください。',
  dataset_source_twice:
    '取り込み元に、アクセント記号の文字コードだけが異なる名前のファイルが 2 つあります：%{path}。どちらかの名前を変えてください。',
  dataset_s3_rule:
    'アドレスは s3:// とバケット名です。後ろにフォルダーまたはファイルを続けられます。例：s3://data/train',
  dataset_endpoint_rule: 'エンドポイントは https:// または http:// とホスト名です。パスは付けません。',
  dataset_s3_inner: '取り込めるのは公開アドレスからだけです。%{host} は公開アドレスではありません。',
  dataset_s3_refused:
    'ストレージから %{what} を取得できません：%{detail}。アドレス、エンドポイント、リージョン、認証情報を確認してください。',
  dataset_s3_answer: '%{what} に関するストレージの応答が正しくありません：%{detail}。',
  dataset_credentials_unknown: 'この組織に %{name} という認証情報はありません。',
  too_many_credentials: '認証情報は 1 組織につき最大 %{most} 件です。先に不要なものを削除してください。',
  dataset_no_table: 'このバージョンには表がありません。理由は概要をご覧ください。',
  dataset_query_refused: 'データサーバーがこのリクエストを拒否しました：%{why}',
  dataset_query_too_much: '1 回のリクエストで使える時間、メモリ、ディスク容量を超えます。範囲を絞ってください。',
  base_untrainable: 'このバージョンは学習できません：%{why}',
  nothing_failed: '最新の実行に失敗した処理単位がないため、再試行するものはありません。',
  dataset_query_too_large:
    'このリクエストには %{size} GiB の表が必要ですが、データサーバーに置けるのは %{most} GiB までです。行のページ表示とダウンロードは引き続き利用できます。',
  dataset_profile_failed: 'データを表として読み取れませんでした：%{why}',
  dataset_preparing: '表を準備しています（%{percent}%）。数秒後にもう一度お試しください。',
  dataset_server_failed: 'データサーバーを実行できません：%{detail}',
  table_unreadable: 'この表を読み取れません：%{detail}。',
  table_column_unknown: 'この表に列 %{column} はありません。',

  // Metrics.
  monitor_off: 'このプラットフォームには Prometheus が設定されていないため、メトリクスはありません。',
  monitor_away: '現在メトリクスを読み取れません。%{seconds} 秒後にもう一度お試しください。',
  monitor_window: '終了は開始より後で、その間は最大 %{points} 点、%{days} 日までです。',
  monitor_query_syntax: 'クエリの %{at} 文字目に構文エラーがあります。',
  monitor_query_letters: 'クエリの %{at} 文字目：ASCII 文字のみ使用できます。',
  monitor_query_length: 'クエリは最大 %{at} 文字です。',
  monitor_query_info: 'クエリの %{at} 文字目：info() は使用できません。セレクターが指定しない系列を読み取るためです。',
  monitor_query_comment: 'クエリの %{at} 文字目：コメントは使用できません。',
  monitor_query_hidden:
    'クエリの %{at} 文字目：ラベル instance、job、endpoint、id、metrics_path、prometheus は使用できません。',
  monitor_query_selectors: 'クエリの %{at} 文字目：セレクターが多すぎます。最大 20 個です。',
  monitor_query_duration: 'クエリの %{at} 文字目：5m や 2h30m のような 1 年以内の時間が必要です。',
  monitor_query_steps: 'クエリの %{at} 文字目：サブクエリのステップが多すぎます。全体で最大 11,000 です。',
  monitor_query_labels: 'クエリの %{at} 文字目：コピーを重ねたラベルが長くなりすぎます。最大 16,384 文字です。',
  monitor_refused: 'Prometheus がクエリを拒否しました：%{why}',
  monitor_too_much: '結果が大きすぎます。時系列を減らすか、期間を短くしてください。',
  too_many_dashboards: 'ダッシュボードは組織ごとに %{most} 件までです。先に 1 件削除してください。',
  dashboard_file: 'このファイルは Grafana のダッシュボードではありません。パネルがありません。',

  // Alerts.
  policy_not_testable: 'この指標には現在の値しかなく、テストや表示に使える履歴がありません。',
  inner_address: 'url：%{host} は公開アドレスではありません',
  link_invalid: 'このリンクは無効になりました。',
  too_many_contacts: '連絡先は組織ごとに %{most} 件までです。',
  mailbox_confirmed: '%{address} は確認済みです。',
  alarm_over: 'アラームは終了しているため、クローズもミュートもできません。',
  card_held:
    '空いている最後の %{model} は、ほかの利用者が起動しようとしています。起動されなければ %{seconds} 秒以内に再び空きます。',
  cards_taken: '現在、%{gpus} × %{model} が空いているノードはありません。',
  hold_gone: 'GPU の確保は終了しました。何も作成されていません。確保なしで続行できます。',
  hold_differs:
    '確保されているのは %{region} の共有プールの %{gpus} × %{model} です。その構成を選択するか、確保なしで続行してください。',
  price_changed:
    '%{model} を確保したときの料金は 1 時間あたり %{held} でしたが、現在は %{now} です。何も作成されていません。新しい料金でよければ、確保なしで続行してください。',
  too_many_holds: '現在確保されている GPU が多すぎます。%{seconds} 秒後に再試行してください。',
};
