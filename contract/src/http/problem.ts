// Every error of the API: one row each. The code's first three digits are the HTTP status. `{name}` is filled from the
// problem's arguments. Whatever a person may meet has its sentence here, in every language.
import { sentence, type Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';

export interface ProblemFacts extends Words {
  /** Unique; its first three digits are the HTTP status. */
  code: number;
}

export const PROBLEMS = {
  // The frame.
  invalid_field: { code: 40001, en: '{field}: {rule}', zh: '{field}：{rule}', ja: '{field}：{rule}' },
  malformed_json: {
    code: 40002,
    en: 'The body is not JSON: {detail}',
    zh: '请求体不是有效的 JSON：{detail}',
    ja: '本文が JSON ではありません：{detail}',
  },
  nested_too_deep: {
    code: 40003,
    en: 'The body is nested deeper than {most} levels.',
    zh: '请求体嵌套超过 {most} 层。',
    ja: '本文の入れ子が {most} 階層を超えています。',
  },
  two_tokens: {
    code: 40004,
    en: 'X-Token and Authorization carry two different tokens.',
    zh: 'X-Token 与 Authorization 携带了两个不同的令牌。',
    ja: 'X-Token と Authorization に異なるトークンが含まれています。',
  },
  bad_text: {
    code: 40005,
    en: '{field}: the text holds characters that no text may have.',
    zh: '{field}：文本含有不允许的字符。',
    ja: '{field}：使用できない文字が含まれています。',
  },
  idempotency_key_rule: {
    code: 40006,
    en: 'Idempotency-Key has 1 to 255 letters, digits and . _ : -',
    zh: 'Idempotency-Key 为 1 至 255 个字母、数字或 . _ : -',
    ja: 'Idempotency-Key は 1 〜 255 文字の英字、数字、. _ : - です。',
  },
  not_repeatable: {
    code: 40007,
    en: 'This call can not be repeated under an Idempotency-Key: its answer is not kept.',
    zh: '此调用不支持 Idempotency-Key：其结果不会被保存。',
    ja: 'この呼び出しは Idempotency-Key で再送できません。結果は保存されません。',
  },
  malformed_request: {
    code: 40008,
    en: 'The request is not valid HTTP.',
    zh: '该请求不是有效的 HTTP 请求。',
    ja: 'リクエストが有効な HTTP ではありません。',
  },
  headers_too_large: {
    code: 43101,
    en: 'The headers of the request are too large.',
    zh: '请求头过大。',
    ja: 'リクエストヘッダーが大きすぎます。',
  },
  unauthenticated: {
    code: 40101,
    en: 'no valid user token provided',
    zh: '未提供有效的用户令牌',
    ja: '有効なユーザートークンがありません',
  },
  permission_missing: {
    code: 40301,
    en: 'Insufficient permission: the feature is unavailable, contact the provider.',
    zh: '权限不足：该功能不可用，请联系服务提供方。',
    ja: '権限が不足しています。この機能は利用できません。提供元にお問い合わせください。',
  },
  not_found: { code: 40401, en: '{what} does not exist.', zh: '{what} 不存在。', ja: '{what} は存在しません。' },
  no_such_route: {
    code: 40402,
    en: 'There is nothing at this path.',
    zh: '该路径不存在。',
    ja: 'このパスには何もありません。',
  },
  method_not_allowed: {
    code: 40501,
    en: 'Operation not supported. Allowed here: {allowed}.',
    zh: '不支持该操作。此处允许：{allowed}。',
    ja: 'この操作はサポートされていません。使用できるもの：{allowed}。',
  },
  request_too_slow: {
    code: 40801,
    en: 'The body took longer than {seconds|second|seconds} to arrive.',
    zh: '请求体在 {seconds} 秒内未传输完成。',
    ja: '本文の受信に {seconds} 秒以上かかりました。',
  },
  org_mismatch: {
    code: 40901,
    en: '{field} names another organisation or person than the token does.',
    zh: '{field} 与令牌所属的组织或用户不一致。',
    ja: '{field} がトークンの組織またはユーザーと一致しません。',
  },
  conflict: {
    code: 40902,
    en: 'It was changed by somebody else in the meantime; read it again.',
    zh: '其间已被他人修改，请重新读取。',
    ja: 'その間に他の人が変更しました。再度読み込んでください。',
  },
  action_not_allowed: {
    code: 40903,
    en: '{action} is not possible in the state {phase}; it is from: {from}.',
    zh: '状态为 {phase} 时不能{action}；允许的状态：{from}。',
    ja: '状態が {phase} のとき {action} はできません。可能な状態：{from}。',
  },
  too_large: {
    code: 41301,
    en: 'The body is larger than {most} bytes.',
    zh: '请求体超过 {most} 字节。',
    ja: '本文が {most} バイトを超えています。',
  },
  wrong_media_type: {
    code: 41501,
    en: 'The body must be {wanted}.',
    zh: '请求体必须为 {wanted}。',
    ja: '本文は {wanted} でなければなりません。',
  },
  idempotency_mismatch: {
    code: 42201,
    en: 'Idempotency-Key was used for another request already.',
    zh: 'Idempotency-Key 已用于另一个请求。',
    ja: 'Idempotency-Key は別のリクエストで使用済みです。',
  },
  too_many_requests: {
    code: 42901,
    en: 'Too many requests; try again in {seconds|second|seconds}.',
    zh: '请求过于频繁，请在 {seconds} 秒后重试。',
    ja: 'リクエストが多すぎます。{seconds} 秒後に再試行してください。',
  },
  internal: { code: 50001, en: 'Back-end data error.', zh: '后端数据错误。', ja: 'バックエンドのデータエラーです。' },
  unavailable: {
    code: 50301,
    en: 'Not available at the moment; try again in {seconds|second|seconds}.',
    zh: '暂时不可用，请在 {seconds} 秒后重试。',
    ja: '現在利用できません。{seconds} 秒後に再試行してください。',
  },
  timed_out: {
    code: 50302,
    en: 'It took longer than {seconds|second|seconds}; what was asked for may still happen.',
    zh: '耗时超过 {seconds} 秒；请求的操作可能仍会执行。',
    ja: '{seconds} 秒を超えました。要求した処理は実行される可能性があります。',
  },

  // Accounts.
  username_required: {
    code: 40010,
    en: 'Please enter a username',
    zh: '请输入用户名',
    ja: 'ユーザー名を入力してください',
  },
  username_rule: {
    code: 40011,
    en: 'A username has 5 to 20 letters, digits and . - _ @.',
    zh: '用户名为 5 至 20 个字母、数字或 . - _ @。',
    ja: 'ユーザー名は 5 〜 20 文字の英字、数字、. - _ @ です。',
  },
  username_email: {
    code: 40012,
    en: 'A username that reads as an e-mail address must be your own, verified one.',
    zh: '形似邮箱地址的用户名必须是您本人已验证的邮箱。',
    ja: 'メールアドレスの形のユーザー名は、ご本人の確認済みアドレスに限ります。',
  },
  password_rule: {
    code: 40013,
    en: 'A password has 8 to 16 characters with letters and digits, and no spaces.',
    zh: '密码为 8 至 16 个字符，须含字母和数字，不能有空格。',
    ja: 'パスワードは英字と数字を含む 8 〜 16 文字で、空白は使えません。',
  },
  email_rule: {
    code: 40014,
    en: 'Please enter a valid e-mail address.',
    zh: '请输入有效的邮箱地址。',
    ja: '有効なメールアドレスを入力してください。',
  },
  phone_rule: {
    code: 40015,
    en: 'Please enter a valid phone number.',
    zh: '请输入有效的手机号。',
    ja: '有効な電話番号を入力してください。',
  },
  code_wrong: {
    code: 40016,
    en: 'Verification code error.',
    zh: '验证码错误。',
    ja: '確認コードが正しくありません。',
  },
  captcha_missing: {
    code: 40017,
    en: 'Please complete the captcha.',
    zh: '请完成人机验证。',
    ja: 'キャプチャを完了してください。',
  },
  registration_failed: {
    code: 40018,
    en: 'Registration failed.',
    zh: '注册失败。',
    ja: '登録に失敗しました。',
  },
  modification_failed: {
    code: 40019,
    en: 'Modification failed.',
    zh: '修改失败。',
    ja: '変更に失敗しました。',
  },
  terms_not_accepted: {
    code: 40020,
    en: 'The terms must be accepted in their version {version}.',
    zh: '必须同意版本 {version} 的服务条款。',
    ja: 'バージョン {version} の利用規約に同意してください。',
  },
  old_password_wrong: {
    code: 40021,
    en: 'Incorrect old password.',
    zh: '旧密码错误。',
    ja: '現在のパスワードが正しくありません。',
  },
  login_failed: {
    code: 40022,
    en: 'Wrong account or password.',
    zh: '账号或密码错误。',
    ja: 'アカウントまたはパスワードが正しくありません。',
  },
  login_over: {
    code: 40023,
    en: 'The login took too long; begin again.',
    zh: '登录超时，请重新开始。',
    ja: 'ログインの時間が切れました。最初からやり直してください。',
  },
  login_by_what: {
    code: 40024,
    en: 'Give account and password, or ticket and code, or provider.',
    zh: '请提供账号和密码，或票据和验证码，或登录提供方。',
    ja: 'アカウントとパスワード、チケットとコード、または provider を指定してください。',
  },
  account_closed: {
    code: 40025,
    en: 'This account is closed; contact the provider.',
    zh: '该账号已停用，请联系服务提供方。',
    ja: 'このアカウントは停止されています。提供元にお問い合わせください。',
  },
  provider_unknown: {
    code: 40026,
    en: 'There is no login provider {provider}.',
    zh: '不存在登录提供方 {provider}。',
    ja: 'ログインプロバイダー {provider} はありません。',
  },
  provider_refused: {
    code: 40027,
    en: 'The login at {provider} failed; begin again.',
    zh: '通过 {provider} 登录失败，请重新开始。',
    ja: '{provider} でのログインに失敗しました。最初からやり直してください。',
  },
  register_type_closed: {
    code: 40028,
    en: 'Registration is by {type} here.',
    zh: '此处仅支持通过 {type} 注册。',
    ja: 'ここでの登録は {type} のみです。',
  },
  password_same: {
    code: 40029,
    en: 'The new password must differ from the old one.',
    zh: '新密码不能与旧密码相同。',
    ja: '新しいパスワードは現在のものと異なる必要があります。',
  },
  username_taken: {
    code: 40910,
    en: 'The username {name} is taken.',
    zh: '用户名 {name} 已被使用。',
    ja: 'ユーザー名 {name} はすでに使われています。',
  },
  address_taken: {
    code: 40911,
    en: 'Another account uses this address.',
    zh: '该联系方式已被其他账号使用。',
    ja: 'この連絡先は別のアカウントで使われています。',
  },
  cannot_send: {
    code: 40912,
    en: 'No messages can be sent by {type} here.',
    zh: '此处无法通过 {type} 发送消息。',
    ja: 'ここでは {type} でメッセージを送信できません。',
  },
  totp_on: {
    code: 40913,
    en: 'The second factor is on already.',
    zh: '双重验证已开启。',
    ja: '二要素認証はすでに有効です。',
  },
  totp_off: {
    code: 40914,
    en: 'The second factor is off.',
    zh: '双重验证未开启。',
    ja: '二要素認証は無効です。',
  },
  too_many_attempts: {
    code: 42910,
    en: 'Too many failed attempts; try again in {seconds|second|seconds}.',
    zh: '失败次数过多，请在 {seconds} 秒后重试。',
    ja: '失敗が多すぎます。{seconds} 秒後に再試行してください。',
  },
  code_too_soon: {
    code: 42911,
    en: 'A code was sent just now; ask for another in {seconds|second|seconds}.',
    zh: '验证码刚刚发送，请在 {seconds} 秒后再获取。',
    ja: 'コードを送信したばかりです。{seconds} 秒後に再度お試しください。',
  },

  // Organisations, keys, real names.
  plain_text: {
    code: 40030,
    en: 'It holds characters that can not be seen, or that only look like others, or spaces around it.',
    zh: '包含不可见字符、形似字符或首尾空格。',
    ja: '見えない文字、似て非なる文字、または前後の空白が含まれています。',
  },
  account_unknown: {
    code: 40031,
    en: 'No account has the name {account}. Invite the person by e-mail address instead.',
    zh: '不存在用户名为 {account} 的账号，请改用邮箱地址邀请。',
    ja: '名前が {account} のアカウントはありません。メールアドレスで招待してください。',
  },
  confirmation_missing: {
    code: 40032,
    en: 'All of it is lost. If that is wanted, repeat its id: ?confirm={id}',
    zh: '所有内容都将丢失。如需继续，请重复其 ID：?confirm={id}',
    ja: 'すべてが失われます。続けるには ID を繰り返してください：?confirm={id}',
  },
  ssh_key_broken: {
    code: 40033,
    en: 'The public key can not be used: {detail}.',
    zh: '公钥无法使用：{detail}。',
    ja: '公開鍵を使用できません：{detail}。',
  },
  expiry_passed: {
    code: 40034,
    en: 'The expiry must lie in the future.',
    zh: '到期时间必须晚于当前时间。',
    ja: '有効期限は未来の日時でなければなりません。',
  },
  expiry_too_far: {
    code: 40035,
    en: 'The expiry is at most {days|day|days} ahead.',
    zh: '到期时间最多为 {days} 天后。',
    ja: '有効期限は最長 {days} 日後です。',
  },
  scope_beyond_role: {
    code: 40036,
    en: 'Your role does not have the right {right}.',
    zh: '您的角色没有 {right} 权限。',
    ja: 'あなたの役割には {right} の権限がありません。',
  },
  id_card_format: {
    code: 40037,
    en: 'ID card format error.',
    zh: '身份证格式错误。',
    ja: '身分証番号の形式が正しくありません。',
  },
  credit_code_rule: {
    code: 40038,
    en: 'A credit code has 18 digits and capitals, or 15.',
    zh: '统一社会信用代码为 18 位或 15 位数字与大写字母。',
    ja: '統一社会信用コードは 18 桁または 15 桁の数字と大文字です。',
  },
  commitment_missing: {
    code: 40039,
    en: 'The mining commitment must be ticked.',
    zh: '必须勾选不挖矿承诺。',
    ja: 'マイニングを行わない誓約に同意してください。',
  },
  picture_kind: {
    code: 40040,
    en: 'A picture must be JPG, JPEG or PNG.',
    zh: '图片必须为 JPG、JPEG 或 PNG 格式。',
    ja: '画像は JPG、JPEG または PNG でなければなりません。',
  },
  picture_missing: {
    code: 40041,
    en: 'One picture must be sent, and nothing else.',
    zh: '必须且只能上传一张图片。',
    ja: '画像を 1 枚だけ送信してください。',
  },
  picture_unknown: {
    code: 40042,
    en: 'There is no such picture of yours; upload it first.',
    zh: '没有您的这张图片，请先上传。',
    ja: 'その画像はアップロードされていません。先にアップロードしてください。',
  },
  contact_phone_rule: {
    code: 40044,
    en: 'A phone number has 6 to 15 digits.',
    zh: '电话号码为 6 至 15 位数字。',
    ja: '電話番号は 6 桁から 15 桁の数字です。',
  },
  session_needed: {
    code: 40330,
    en: 'An API token can not do this: sign in.',
    zh: 'API 令牌不能执行此操作，请登录。',
    ja: 'API トークンではこの操作を行えません。サインインしてください。',
  },
  last_owner: {
    code: 40930,
    en: 'The last owner stays: make somebody else an owner first.',
    zh: '最后一位所有者不能移除，请先指定其他所有者。',
    ja: '最後の所有者は外せません。先に別の所有者を指定してください。',
  },
  personal_organization: {
    code: 40931,
    en: 'A personal organisation stays with its owner.',
    zh: '个人组织始终归其所有者。',
    ja: '個人の組織は常にその所有者のものです。',
  },
  already_member: {
    code: 40932,
    en: '{account} is a member already.',
    zh: '{account} 已是成员。',
    ja: '{account} はすでにメンバーです。',
  },
  too_many_members: {
    code: 40933,
    en: 'An organisation has at most {most} members and invitations.',
    zh: '一个组织最多有 {most} 名成员和邀请。',
    ja: '1 つの組織のメンバーと招待は最大 {most} 人です。',
  },
  too_many_invitations: {
    code: 42930,
    en: 'One person can send at most {most} invitations an hour. Try again later.',
    zh: '一人每小时最多发出 {most} 个邀请，请稍后重试。',
    ja: '1 人が 1 時間に送信できる招待は最大 {most} 件です。しばらくしてから再試行してください。',
  },
  not_a_member: {
    code: 40430,
    en: '{account} is not a member of this organisation. Spending caps are for members.',
    zh: '{account} 不是该组织的成员，只能为成员设置消费上限。',
    ja: '{account} はこの組織のメンバーではありません。利用上限はメンバーに設定します。',
  },
  too_many_pending: {
    code: 40950,
    en: 'An organisation can have at most {most} pending invitations. Withdraw one, or wait for an answer.',
    zh: '一个组织最多有 {most} 个待答复的邀请。请撤回一个，或等待答复。',
    ja: '1 つの組織の回答待ちの招待は最大 {most} 件です。取り消すか、回答をお待ちください。',
  },
  invitation_closed: {
    code: 40951,
    en: 'This invitation is no longer open. Ask for a new one.',
    zh: '此邀请已失效，请索取新的邀请。',
    ja: 'この招待はすでに無効です。新しい招待を送ってもらってください。',
  },
  invitation_void: {
    code: 40952,
    en: '{actor} may no longer invite you to {organization} in this role. Ask for a new invitation.',
    zh: '{actor} 已无权以此角色邀请您加入 {organization}，请索取新的邀请。',
    ja: '{actor} には、この役割であなたを {organization} に招待する権限がもうありません。新しい招待を送ってもらってください。',
  },
  too_many_organizations: {
    code: 40934,
    en: 'One person owns at most {most} organisations.',
    zh: '一人最多拥有 {most} 个组织。',
    ja: '1 人が所有できる組織は最大 {most} 個です。',
  },
  too_many_pub_keys: {
    code: 40935,
    en: 'At most {most} SSH keys per user.',
    zh: '每位用户最多 {most} 个 SSH 密钥。',
    ja: 'SSH 鍵は 1 ユーザーにつき最大 {most} 個です。',
  },
  pub_key_exists: {
    code: 40936,
    en: 'This key is kept already, as {remark}.',
    zh: '该密钥已存在，备注为 {remark}。',
    ja: 'この鍵は {remark} としてすでに登録されています。',
  },
  too_many_api_tokens: {
    code: 40937,
    en: 'At most {most} API tokens per person and organisation.',
    zh: '每人在每个组织最多 {most} 个 API 令牌。',
    ja: 'API トークンは 1 人 1 組織につき最大 {most} 個です。',
  },
  too_many_kubeconfigs: {
    code: 40938,
    en: 'At most {most} kubeconfigs per person and organisation.',
    zh: '每人在每个组织最多 {most} 个 kubeconfig。',
    ja: 'kubeconfig は 1 人 1 組織につき最大 {most} 個です。',
  },
  organization_not_ready: {
    code: 40939,
    en: 'The organisation is still being set up; try again in a moment.',
    zh: '组织正在创建中，请稍后重试。',
    ja: '組織を準備しています。しばらくしてから再試行してください。',
  },
  real_auth_state: {
    code: 40940,
    en: 'Not possible while the submission is {state}.',
    zh: '当前状态（{state}）下不能执行此操作。',
    ja: '現在の状態（{state}）ではこの操作を行えません。',
  },
  personal_first: {
    code: 40941,
    en: 'The person must be certified before the enterprise.',
    zh: '企业认证前必须先完成个人认证。',
    ja: '企業認証の前に個人認証を完了してください。',
  },
  own_real_auth: {
    code: 40942,
    en: 'Nobody audits their own submission.',
    zh: '不能审核自己的提交。',
    ja: '自分の申請を審査することはできません。',
  },

  // Kinds.
  name_rule: {
    code: 40061,
    en: 'A name may hold only Chinese characters, letters, digits and underscore.',
    zh: '名称只能包含中文、字母、数字和下划线。',
    ja: '名前に使えるのは漢字、英字、数字、アンダースコアのみです。',
  },
  host_name_rule: {
    code: 40062,
    en: 'The name of a host may hold only letters, digits and underscore.',
    zh: '主机名称只能包含字母、数字和下划线。',
    ja: 'ホスト名に使えるのは英字、数字、アンダースコアのみです。',
  },
  image_malformed: {
    code: 40063,
    en: 'Malformed: an image is written repo/name:tag, such as pytorch/pytorch:2.4.0',
    zh: '格式错误：镜像应写作 repo/name:tag，例如 pytorch/pytorch:2.4.0',
    ja: '形式が正しくありません。イメージは repo/name:tag の形で、例えば pytorch/pytorch:2.4.0 と書きます',
  },
  ssh_key_malformed: {
    code: 40064,
    en: 'The key {remark} is no OpenSSH public key: {rule}.',
    zh: '密钥 {remark} 不是有效的 OpenSSH 公钥：{rule}。',
    ja: '鍵 {remark} は OpenSSH 公開鍵ではありません：{rule}。',
  },
  no_such_reference: {
    code: 40065,
    en: 'There is no {what} {name} in this organisation.',
    zh: '本组织中没有{what} {name}。',
    ja: 'この組織に{what} {name} はありません。',
  },
  confirmation_needed: {
    code: 40066,
    en: 'All data on the disk is lost. If that is wanted, say its id once more: confirm={id}.',
    zh: '磁盘上的所有数据将丢失。如确认删除，请再次提供其 id：confirm={id}。',
    ja: 'ディスクのすべてのデータが失われます。よろしければ、もう一度 id を指定してください：confirm={id}。',
  },
  nothing_selected: {
    code: 40067,
    en: 'At least one record must be selected.',
    zh: '请至少选择一条记录。',
    ja: '少なくとも 1 件を選択してください。',
  },
  instance_not_shut_down: {
    code: 40961,
    en: 'Instance is not shut down, cannot release. Please shut down and then release.',
    zh: '实例未关机，无法释放。请先关机再释放。',
    ja: 'インスタンスがシャットダウンされていないため解放できません。シャットダウンしてから解放してください。',
  },
  disk_in_use: {
    code: 40962,
    en: 'The disk {disk} is mounted by {by}. Unmount it first, or shut down whoever has it.',
    zh: '磁盘 {disk} 已由 {by} 挂载。请先卸载，或关闭占用者。',
    ja: 'ディスク {disk} は {by} がマウントしています。先にアンマウントするか、使用者をシャットダウンしてください。',
  },
  not_enough_gpus: {
    code: 40963,
    en: 'Host {host} has {free} of {all} cards free, at most {largest} on one node; {wanted|card is|cards are} asked for.',
    zh: '主机 {host} 共 {all} 张卡，空闲 {free} 张，单节点最多 {largest} 张；请求 {wanted} 张。',
    ja: 'ホスト {host} の {all} 枚中 {free} 枚が空いており、1 ノードでは最大 {largest} 枚です。要求は {wanted} 枚です。',
  },
  wrong_gpu: {
    code: 40964,
    en: 'Host {host} has {count} × {model} on a node; {wanted} × {asked} do not fit there.',
    zh: '主机 {host} 的每个节点有 {count} × {model}，无法容纳 {wanted} × {asked}。',
    ja: 'ホスト {host} のノードは {count} × {model} で、{wanted} × {asked} は収まりません。',
  },
  quota_exceeded: {
    code: 40965,
    en: "The organisation's quota is used up: of {resource} {used} of {limit} are taken, and {requested} more are asked for.",
    zh: '组织配额已用尽：{resource} 已使用 {used}，上限 {limit}，本次请求 {requested}。',
    ja: '組織のクォータを超えています：{resource} は上限 {limit} のうち {used} を使用中で、さらに {requested} を要求しています。',
  },
  policy_refused: { code: 40966, en: '{detail}', zh: '{detail}', ja: '{detail}' },
  official_image: {
    code: 40968,
    en: 'The image {image} is offered by the platform; only its staff changes it.',
    zh: '镜像 {image} 由平台提供，只有平台人员可以修改。',
    ja: 'イメージ {image} はプラットフォームが提供しており、変更できるのは運営者のみです。',
  },

  // Messages and streams.
  cursor_rule: {
    code: 40080,
    en: 'cursor must be "0" or the next_cursor of an answer.',
    zh: 'cursor 必须为“0”或某次应答中的 next_cursor。',
    ja: 'cursor は「0」または応答の next_cursor でなければなりません。',
  },
  watch_rule: {
    code: 40081,
    en: 'watch must be * or plural names of kinds, separated by commas.',
    zh: 'watch 必须为 * 或以逗号分隔的资源类型复数名称。',
    ja: 'watch は * またはカンマ区切りの種別の複数形でなければなりません。',
  },
  too_many_streams: {
    code: 42960,
    en: 'Too many streams are open; close one, or try again in {seconds|second|seconds}.',
    zh: '打开的消息流过多；请关闭一个，或在 {seconds} 秒后重试。',
    ja: 'ストリームが多すぎます。いずれかを閉じるか、{seconds} 秒後に再試行してください。',
  },

  // Terminal, tenant web, files.
  container_not_running: {
    code: 40970,
    en: 'Container is not running.',
    zh: '容器未运行。',
    ja: 'コンテナが実行されていません。',
  },
  too_many_terminals: {
    code: 40971,
    en: 'One person has at most {most} terminals open.',
    zh: '每人最多同时打开 {most} 个终端。',
    ja: '同時に開けるターミナルは 1 人につき最大 {most} 個です。',
  },
  port_not_published: {
    code: 40972,
    en: 'The instance does not publish the port {port}.',
    zh: '该实例未发布端口 {port}。',
    ja: 'このインスタンスはポート {port} を公開していません。',
  },
  tenant_web_off: {
    code: 40973,
    en: 'This installation does not serve the web content of instances.',
    zh: '本系统未启用实例的网页访问。',
    ja: 'この環境ではインスタンスの Web コンテンツを提供していません。',
  },
  files_in_use: {
    code: 40974,
    en: 'The disk has one writer, and that is {by}: use sftp there.',
    zh: '磁盘仅允许一方写入，目前为 {by}：请在其中使用 sftp。',
    ja: 'ディスクに書き込めるのは 1 者のみで、現在は {by} です。そちらで sftp を使用してください。',
  },
  files_preparing: {
    code: 40975,
    en: 'The files are being made ready; try again in {seconds|second|seconds}.',
    zh: '正在准备文件，请在 {seconds} 秒后重试。',
    ja: 'ファイルを準備しています。{seconds} 秒後に再試行してください。',
  },
  files_unavailable: {
    code: 40976,
    en: 'The files can not be served: {detail}',
    zh: '无法提供文件：{detail}',
    ja: 'ファイルを提供できません：{detail}',
  },
  file_path_rule: {
    code: 40070,
    en: 'A path has at most 4096 bytes, and names of at most 255 bytes, none of them . or .. or kept for uploads.',
    zh: '路径最多 4096 字节，每个名称最多 255 字节，且不能为 .、.. 或上传保留名称。',
    ja: 'パスは最大 4096 バイト、各名前は最大 255 バイトで、. や .. 、アップロード用の名前は使用できません。',
  },
  file_leads_outside: {
    code: 40071,
    en: 'It leads out of the disk through a link, which is never followed.',
    zh: '该路径经由链接指向磁盘之外，系统不会跟随。',
    ja: 'リンクを通じてディスクの外へ出るため、たどることはできません。',
  },
  upload_not_understood: {
    code: 40072,
    en: 'The upload is not understood: {detail}',
    zh: '无法识别的上传：{detail}',
    ja: 'アップロードを解釈できません：{detail}',
  },
  file_exists: { code: 40977, en: 'It exists already.', zh: '已存在。', ja: 'すでに存在します。' },
  file_wrong_kind: {
    code: 40978,
    en: 'That is not possible here: {detail}',
    zh: '此处不能执行该操作：{detail}',
    ja: 'ここではその操作を行えません：{detail}',
  },
  file_refused: {
    code: 40979,
    en: 'The disk does not allow it, or is read-only now.',
    zh: '磁盘不允许该操作，或当前为只读。',
    ja: 'ディスクが許可していないか、現在読み取り専用です。',
  },
  upload_offset: {
    code: 40980,
    en: 'The upload goes on at byte {offset}.',
    zh: '上传应从第 {offset} 字节继续。',
    ja: 'アップロードは {offset} バイト目から続きます。',
  },
  file_busy: {
    code: 40981,
    en: 'Something else is at work on it; try again.',
    zh: '正被其他操作占用，请重试。',
    ja: '別の処理が使用中です。再試行してください。',
  },
  upload_gone: {
    code: 40982,
    en: 'The unfinished upload is gone; begin anew.',
    zh: '未完成的上传已不存在，请重新开始。',
    ja: '未完了のアップロードがなくなりました。最初からやり直してください。',
  },
  disk_full: { code: 40983, en: 'The disk is full.', zh: '磁盘已满。', ja: 'ディスクの空きがありません。' },
  file_too_large: {
    code: 41370,
    en: 'It is larger than this disk lets a file be.',
    zh: '文件大小超过该磁盘的上限。',
    ja: 'このディスクで扱えるファイルの大きさを超えています。',
  },
  range_outside: {
    code: 41670,
    en: 'The file has no such range.',
    zh: '文件不包含该范围。',
    ja: 'ファイルにその範囲はありません。',
  },

  // Prices and plans.
  price_in_past: {
    code: 40093,
    en: 'A price or discount holds from {soonest} on at the earliest: what was used before keeps its own.',
    zh: '价格或折扣最早自 {soonest} 起生效，此前的用量不受影响。',
    ja: '価格と割引が有効になるのは最も早くて {soonest} からで、それ以前の利用は変わりません。',
  },
  sku_unknown: {
    code: 40094,
    en: 'Nothing of the name {sku} can have a price.',
    zh: '没有名为 {sku} 的可定价项目。',
    ja: '{sku} という価格設定可能な項目はありません。',
  },
  price_rule: {
    code: 40095,
    en: 'A price is a decimal of at most six places, not below zero.',
    zh: '价格为最多六位小数的非负数。',
    ja: '価格は小数点以下 6 桁までの 0 以上の数です。',
  },
  plan_not_covered: {
    code: 40261,
    en: 'A month of the plan {plan} costs {wanted} {currency}; {available} {currency} can be spent.',
    zh: '套餐 {plan} 每月 {wanted} {currency}，可用余额为 {available} {currency}。',
    ja: 'プラン {plan} は 1 か月 {wanted} {currency} です。利用できる残高は {available} {currency} です。',
  },
  plan_by_staff: {
    code: 40991,
    en: 'The plan {plan} is given and taken by the provider: contact them.',
    zh: '套餐 {plan} 由服务提供方开通和取消，请与其联系。',
    ja: 'プラン {plan} の開始と終了は提供元が行います。お問い合わせください。',
  },
  plan_hosts: {
    code: 40992,
    en: 'The plan {plan} allows {cap|host|hosts}, and {held} are held: release {over} first.',
    zh: '套餐 {plan} 最多允许 {cap} 台主机，当前有 {held} 台，请先释放 {over} 台。',
    ja: 'プラン {plan} のホストは最大 {cap} 台ですが、現在 {held} 台あります。先に {over} 台を解放してください。',
  },
  plan_unpriced: {
    code: 40993,
    en: 'The plan {plan} has no price at present: contact the provider.',
    zh: '套餐 {plan} 目前没有价格，请联系服务提供方。',
    ja: 'プラン {plan} には現在価格がありません。提供元にお問い合わせください。',
  },

  // Documents.
  zone_rule: {
    code: 40082,
    en: 'A zone is named as IANA has it, such as Asia/Kolkata.',
    zh: '时区须为 IANA 名称，例如 Asia/Shanghai。',
    ja: 'タイムゾーンは Asia/Tokyo のような IANA の名称で指定してください。',
  },
  tax_id_rule: {
    code: 40083,
    en: 'A tax id has 3 to 40 letters and digits, with spaces, points, strokes and hyphens between them.',
    zh: '税号为 3 至 40 个字母或数字，其间可含空格、点、斜线和连字符。',
    ja: '税務番号は 3 〜 40 文字の英数字で、間に空白、ピリオド、スラッシュ、ハイフンを使えます。',
  },
  amount_rule: {
    code: 40086,
    en: 'An amount has a point before its decimals, at most two of them, such as 2000 or 2000.50; what is paid is above zero.',
    zh: '金额须以小数点分隔小数，最多两位，例如 2000 或 2000.50；支付金额须大于零。',
    ja: '金額は「2000」や「2000.50」のように、小数点以下 2 桁までで入力してください。支払額は 0 より大きくなければなりません。',
  },
  range_order: {
    code: 40085,
    en: 'A range of time ends after it starts.',
    zh: '时间范围的结束必须晚于开始。',
    ja: '期間は終了が開始より後でなければなりません。',
  },
  range_rule: {
    code: 40084,
    en: 'A range of time ends after it starts, and has at most {most} days.',
    zh: '时间范围的结束必须晚于开始，且最长为 {most} 天。',
    ja: '期間は終了が開始より後で、最長 {most} 日です。',
  },
  transfer_rule: {
    code: 42280,
    en: 'A grant gives credits, above zero; an adjustment gives or takes money, and of credits only takes. Two decimals at most.',
    zh: '赠送须为大于零的赠金；调整可增减现金，对赠金只能扣减。金额最多两位小数。',
    ja: '付与は 0 より大きいクレジット、調整は現金の増減またはクレジットの減額のみです。小数は 2 桁までです。',
  },

  // Operators.
  admin_query_rule: {
    code: 40090,
    en: 'sort is ["field","ASC"], range is [first,last] of at most 1000 rows, filter is an object of known fields.',
    zh: 'sort 应为 ["字段","ASC"]，range 应为最多 1000 行的 [首,末]，filter 应为已知字段的对象。',
    ja: 'sort は ["項目","ASC"]、range は最大 1000 行の [最初,最後]、filter は既知の項目のオブジェクトです。',
  },
  reason_needed: {
    code: 40091,
    en: 'Every action of staff needs a reason.',
    zh: '平台人员的每项操作都必须填写原因。',
    ja: 'スタッフの操作にはすべて理由が必要です。',
  },
  announcement_times: {
    code: 40092,
    en: 'An announcement ends after it starts.',
    zh: '公告的结束时间必须晚于开始时间。',
    ja: 'お知らせの終了は開始より後でなければなりません。',
  },
  own_access: {
    code: 40990,
    en: 'Nobody changes their own access.',
    zh: '不能更改自己的访问权限。',
    ja: '自分自身のアクセス権は変更できません。',
  },
  // The wallet.
  wallet_short: {
    code: 40967,
    en: 'The wallet can give {available} {currency}, and {wanted} was asked for.',
    zh: '钱包可用 {available} {currency}，而请求的是 {wanted}。',
    ja: 'ウォレットから出せるのは {available} {currency} までですが、{wanted} が求められました。',
  },
  bill_not_movable: {
    code: 40969,
    en: 'Bill {bill} is {from} and can not become {to}.',
    zh: '账单 {bill} 的状态为 {from}，不能变为 {to}。',
    ja: '請求 {bill} は {from} のため、{to} にはできません。',
  },

  // The credit gate.
  not_enough_credit: {
    code: 40265,
    en: 'Needs {wanted} {currency}, {available} {currency} available.',
    zh: '需要 {wanted} {currency}，可用 {available} {currency}。',
    ja: '{wanted} {currency} が必要ですが、利用できるのは {available} {currency} です。',
  },
  spend_cap_reached: {
    code: 40266,
    en: "Needs {wanted} {currency}, and of the organisation's cap of {cap} for this month {left} are left: {spent} are spent or reserved.",
    zh: '需要 {wanted} {currency}；组织本月上限 {cap}，已消费或预留 {spent}，剩余 {left}。',
    ja: '{wanted} {currency} が必要です。組織の今月の上限 {cap} のうち {spent} が利用または確保済みで、残りは {left} です。',
  },
  member_cap_reached: {
    code: 40267,
    en: 'Needs {wanted} {currency}, and of your cap of {cap} for this month {left} are left: {spent} are spent or reserved.',
    zh: '需要 {wanted} {currency}；您本月上限 {cap}，已消费或预留 {spent}，剩余 {left}。',
    ja: '{wanted} {currency} が必要です。あなたの今月の上限 {cap} のうち {spent} が利用または確保済みで、残りは {left} です。',
  },
  no_price: {
    code: 40268,
    en: 'There is no price for {what} here: nothing is made of which nobody knows the cost.',
    zh: '此处没有 {what} 的价格，无法创建费用未知的资源。',
    ja: '{what} の価格がここにはありません。費用がわからないものは作成できません。',
  },
  plan_limit: {
    code: 40269,
    en: 'The plan {plan} has {cap|host|hosts}, and {held} are held.',
    zh: '套餐 {plan} 最多 {cap} 台主机，当前已有 {held} 台。',
    ja: 'プラン {plan} のホストは最大 {cap} 台で、現在 {held} 台あります。',
  },

  // Payments.
  amount_outside: {
    code: 40073,
    en: '{field}: from {least} to {most} {currency} at once.',
    zh: '{field}：单次金额为 {least} 至 {most} {currency}。',
    ja: '{field}：1 回の金額は {least} 〜 {most} {currency} です。',
  },
  currency_not_payable: {
    code: 40074,
    en: 'Nothing can be paid in {currency} here.',
    zh: '此处不支持以 {currency} 支付。',
    ja: 'ここでは {currency} で支払えません。',
  },
  webhook_malformed: {
    code: 40079,
    en: 'The body is signed, but it is not an event of this provider.',
    zh: '请求体签名正确，但不是该提供方的事件。',
    ja: '本文の署名は正しいものの、このプロバイダーのイベントではありません。',
  },
  webhook_signature: {
    code: 40075,
    en: 'The signature is not right, or too old.',
    zh: '签名不正确或已过期。',
    ja: '署名が正しくないか、期限切れです。',
  },
  amount_unit: {
    code: 40076,
    en: '{field}: {currency} has no such small unit.',
    zh: '{field}：{currency} 没有如此小的单位。',
    ja: '{field}：{currency} にそのような小さな単位はありません。',
  },
  auto_recharge_card: {
    code: 40077,
    en: 'Automatic recharge needs a default card.',
    zh: '自动充值需要先设置默认银行卡。',
    ja: '自動チャージには既定のカードが必要です。',
  },
  auto_recharge_limit: {
    code: 40078,
    en: 'The daily limit is at least one recharge.',
    zh: '每日上限不得低于单次充值金额。',
    ja: '1 日の上限は 1 回のチャージ額以上でなければなりません。',
  },
  payment_method_failed: {
    code: 40270,
    en: 'Add or Update Payment Method Failed. {why}',
    zh: '添加或更新支付方式失败。{why}',
    ja: '支払い方法の追加または更新に失敗しました。{why}',
  },
  payment_channel_missing: {
    code: 40985,
    en: 'This can not be done by {channel} here.',
    zh: '此处不支持通过 {channel} 进行此操作。',
    ja: 'ここでは {channel} による操作はできません。',
  },
  payment_not_open: {
    code: 40986,
    en: 'The payment {payment} is over: {state}.',
    zh: '支付 {payment} 已结束：{state}。',
    ja: '支払い {payment} は終了しています：{state}。',
  },
  refund_too_large: {
    code: 40987,
    en: 'Of this payment {most} {currency} can be paid back at most.',
    zh: '该支付最多可退 {most} {currency}。',
    ja: 'この支払いで返金できるのは最大 {most} {currency} です。',
  },
  refund_under_way: {
    code: 40988,
    en: 'A refund of this payment is under way.',
    zh: '该支付正在退款中。',
    ja: 'この支払いは返金処理中です。',
  },
  payment_disputed: {
    code: 40989,
    en: 'The payment is disputed at the bank: the bank decides.',
    zh: '该支付存在银行争议，由银行裁定。',
    ja: 'この支払いは銀行で異議申し立て中のため、銀行が判断します。',
  },
  provider_away: {
    code: 50370,
    en: 'The payment provider does not answer; nothing is lost, try again later.',
    zh: '支付机构暂无响应；不会有任何损失，请稍后重试。',
    ja: '決済事業者が応答しません。失われるものはありません。後で再試行してください。',
  },
} as const satisfies Record<string, ProblemFacts>;
export type ProblemCode = keyof typeof PROBLEMS;

export type ProblemArgs = Readonly<Record<string, string | number>>;

/** Thrown anywhere in the gateway: the frame turns it into the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly problem: ProblemCode;
  readonly args: ProblemArgs;
  /** The field at fault, as a path: `spec.gpu.count`. */
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  get code(): number {
    return PROBLEMS[this.problem].code;
  }

  constructor(
    problem: ProblemCode,
    args: ProblemArgs = {},
    more: { field?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(problemSentence(problem, 'en', args), { cause: more.cause });
    this.problem = problem;
    this.args = args;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

export const problem = (...given: ConstructorParameters<typeof Problem>): Problem => new Problem(...given);

/** HTTP status of a problem. */
export const statusOf = (code: ProblemCode): number => Math.floor(PROBLEMS[code].code / 100);

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

export function problemSentence(code: ProblemCode, language: Language, args: ProblemArgs): string {
  const texts = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, `${value}`]));
  return sentence(PROBLEMS[code], language, texts);
}
