// Mails to people, in their language. The subject never contains a code: mail servers log subjects.

import type { MailTemplate } from '@gantry/contract/areas/settings/admin-operation.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';

interface Template {
  subject: Words;
  text: Words;
}

export const TEMPLATES = {
  code: {
    subject: { en: 'Your Gantry verification code', zh: 'Gantry 验证码', ja: 'Gantry の確認コード' },
    text: {
      en: 'Your verification code is %{code}. It is valid for 10 minutes.\n\nIf you did not request it, ignore this message. Never share the code with anyone.',
      zh: '您的验证码是 %{code}，10 分钟内有效。\n\n如非本人操作，请忽略，并且不要将验证码告诉任何人。',
      ja: '確認コードは %{code} です。有効期限は 10 分です。\n\nお心当たりがない場合は無視してください。コードは誰にも教えないでください。',
    },
  },
  // Sent to the owner of the address; the caller learns nothing.
  alreadyRegistered: {
    subject: {
      en: 'You already have a Gantry account',
      zh: '您已有 Gantry 账号',
      ja: 'すでに Gantry のアカウントがあります',
    },
    text: {
      en: 'Somebody tried to create an account with this address, which already has one: %{name}.\n\nIf it was you, log in with it, or choose "Forgot password" to set a new password. If not, you do not have to do anything.',
      zh: '有人使用此地址申请新账号，但该地址已有账号：%{name}。\n\n如为本人，请直接登录，或通过“忘记密码”重设密码；否则无需处理。',
      ja: 'このアドレスで新しいアカウントが申請されましたが、すでにアカウント %{name} があります。\n\nご本人の場合はログインするか、「パスワードを忘れた場合」から再設定してください。お心当たりがない場合は何もする必要はありません。',
    },
  },
  invited: {
    subject: {
      en: '%{actor} invites you to %{organization} on Gantry',
      zh: '%{actor} 邀请您加入 Gantry 组织 %{organization}',
      ja: '%{actor} から Gantry の組織 %{organization} への招待',
    },
    text: {
      en: '%{actor} invites you to the organisation %{organization}. Register with this address, then accept or decline the invitation:\n\n%{url}\n\nThe invitation is valid for %{days} days. You become a member only when you accept. If you already have an account with another address, ask %{actor} to invite you by your username.',
      zh: '%{actor} 邀请您加入组织 %{organization}。请使用此邮箱地址注册，然后接受或拒绝邀请：\n\n%{url}\n\n邀请 %{days} 天内有效。接受后您才会成为成员。如您已用其他地址注册账号，请让 %{actor} 按您的用户名邀请。',
      ja: '%{actor} が組織 %{organization} に招待しています。このアドレスで登録し、招待を承諾または辞退してください：\n\n%{url}\n\n招待の有効期限は %{days} 日です。承諾するまでメンバーにはなりません。別のアドレスのアカウントをお持ちの場合は、ユーザー名で招待するよう %{actor} にご依頼ください。',
    },
  },
  invitedAccount: {
    subject: {
      en: '%{actor} invites you to %{organization} on Gantry',
      zh: '%{actor} 邀请您加入 Gantry 组织 %{organization}',
      ja: '%{actor} から Gantry の組織 %{organization} への招待',
    },
    text: {
      en: "%{actor} invites you to the organisation %{organization}. Log in to accept or decline:\n\n%{url}\n\nThe invitation is valid for %{days} days. You become a member only when you accept. From then on, the organisation's owners and admins can see your e-mail address and phone number.",
      zh: '%{actor} 邀请您加入组织 %{organization}。请登录后接受或拒绝：\n\n%{url}\n\n邀请 %{days} 天内有效。接受后您才会成为成员，该组织的所有者和管理员届时可以看到您的邮箱和电话号码。',
      ja: '%{actor} が組織 %{organization} に招待しています。ログインして承諾または辞退してください：\n\n%{url}\n\n招待の有効期限は %{days} 日です。承諾するまでメンバーにはなりません。承諾すると、組織のオーナーと管理者があなたのメールアドレスと電話番号を見られるようになります。',
    },
  },
  // Staff made the account. Its password comes from nobody but its owner.
  accountMade: {
    subject: { en: 'Your Gantry account', zh: '您的 Gantry 账号', ja: 'Gantry アカウントのお知らせ' },
    text: {
      en: 'The provider has created the account %{name} for you. Set its password with a code that is sent to this address:\n\n%{url}\n\nUntil then, nobody can log in with it. If you did not expect this, ignore this message.',
      zh: '服务提供方已为您创建账号 %{name}。请在以下页面用发送到此地址的验证码设置密码：\n\n%{url}\n\n在此之前，任何人都无法用该账号登录。如非您所需，请忽略。',
      ja: '提供元があなたのアカウント %{name} を作成しました。このアドレスに届く確認コードで、パスワードを設定してください：\n\n%{url}\n\nそれまで、このアカウントでは誰もログインできません。お心当たりがない場合は無視してください。',
    },
  },
  accountMadeIn: {
    subject: {
      en: 'Your Gantry account in %{organization}',
      zh: '您在 %{organization} 的 Gantry 账号',
      ja: '%{organization} の Gantry アカウントのお知らせ',
    },
    text: {
      en: 'The provider has created the account %{name} for you and proposes you as a member of the organisation %{organization}. Set its password with a code that is sent to this address:\n\n%{url}\n\nUntil then, nobody can log in with it. You become a member when the organisation invites you and you accept. If you did not expect this, ignore this message.',
      zh: '服务提供方已为您创建账号 %{name}，并提议您加入组织 %{organization}。请在以下页面用发送到此地址的验证码设置密码：\n\n%{url}\n\n在此之前，任何人都无法用该账号登录。该组织邀请您且您接受之后，您才会成为成员。如非您所需，请忽略。',
      ja: '提供元があなたのアカウント %{name} を作成し、あなたを組織 %{organization} のメンバーに推薦しました。このアドレスに届く確認コードで、パスワードを設定してください：\n\n%{url}\n\nそれまで、このアカウントでは誰もログインできません。組織からの招待をあなたが承諾するまで、メンバーにはなりません。お心当たりがない場合は無視してください。',
    },
  },
  passwordChanged: {
    subject: {
      en: 'Your Gantry password was changed',
      zh: 'Gantry 密码已修改',
      ja: 'Gantry のパスワードが変更されました',
    },
    text: {
      en: 'The password of the account %{name} was changed. Its other sessions have ended, and all its API tokens and kubeconfigs are revoked. Create new ones where you need them.\n\nIf this was not you, choose "Forgot password" at once to set a new one.',
      zh: '账号 %{name} 的密码已修改。其他会话已结束，所有 API 令牌和 kubeconfig 已吊销，如有需要请重新创建。\n\n如非本人操作，请立即通过“忘记密码”重设密码。',
      ja: 'アカウント %{name} のパスワードが変更されました。他のセッションは終了し、API トークンと kubeconfig はすべて失効しました。必要な場合は作成し直してください。\n\nお心当たりがない場合は、すぐに「パスワードを忘れた場合」から再設定してください。',
    },
  },
  passwordChangedAlone: {
    subject: {
      en: 'Your Gantry password was changed',
      zh: 'Gantry 密码已修改',
      ja: 'Gantry のパスワードが変更されました',
    },
    text: {
      en: 'The password of the account %{name} was changed. Its other sessions have ended; its API tokens and kubeconfigs still work.\n\nIf this was not you, choose "Forgot password" at once to set a new one. That also revokes them.',
      zh: '账号 %{name} 的密码已修改。其他会话已结束，API 令牌和 kubeconfig 仍然有效。\n\n如非本人操作，请立即通过“忘记密码”重设密码，重设会同时吊销它们。',
      ja: 'アカウント %{name} のパスワードが変更されました。他のセッションは終了しましたが、API トークンと kubeconfig は引き続き有効です。\n\nお心当たりがない場合は、すぐに「パスワードを忘れた場合」から再設定してください。これらも失効します。',
    },
  },
  contactChanged: {
    subject: {
      en: 'The address of your Gantry account was changed',
      zh: 'Gantry 账号的联系方式已修改',
      ja: 'Gantry アカウントの連絡先が変更されました',
    },
    text: {
      en: 'The account %{name} no longer uses this address.\n\nIf you did not change it, contact the provider.',
      zh: '账号 %{name} 不再使用此联系方式。\n\n如非本人操作，请联系服务提供方。',
      ja: 'アカウント %{name} はこの連絡先を使用しなくなりました。\n\nお心当たりがない場合は、提供元にお問い合わせください。',
    },
  },
  // A copy of a message, for people who should know without looking. Words and numbers are already filled in.
  notice: {
    subject: { en: '%{title}', zh: '%{title}', ja: '%{title}' },
    text: { en: '%{content}\n\n%{url}', zh: '%{content}\n\n%{url}', ja: '%{content}\n\n%{url}' },
  },
  mailboxCode: {
    subject: {
      en: 'Confirm this address for alarms from %{organization}',
      zh: '请确认此地址接收 %{organization} 的告警',
      ja: '%{organization} のアラームを受け取るアドレスの確認',
    },
    text: {
      en: 'The organisation %{organization} wants to send its alarms to this address. If you agree, give the code %{code} to whoever asked for it, or enter it in the console under Monitoring, Alert contacts. It is valid for 10 minutes.\n\nIf you did not expect this, ignore this message: without the code, no alarms are sent here.',
      zh: '组织 %{organization} 希望向此地址发送告警。如同意，请将验证码 %{code} 告知申请人，或在控制台“监控”的“告警联系人”中输入。验证码 10 分钟内有效。\n\n如非您所需，请忽略：没有验证码，不会向此地址发送告警。',
      ja: '組織 %{organization} がこのアドレスにアラームを送ろうとしています。同意する場合は、確認コード %{code} を依頼した人に伝えるか、コンソールの「監視」の「アラーム連絡先」で入力してください。有効期限は 10 分です。\n\nお心当たりがない場合は無視してください。コードがなければ、アラームは送られません。',
    },
  },
} as const satisfies Record<MailTemplate, Template>;
export type TemplateName = keyof typeof TEMPLATES;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

export interface Letter {
  subject: string;
  text: string;
  /** The address at which one POST ends such mails, as RFC 8058 has it. */
  unsubscribe?: string;
}

export const letterOf = (template: TemplateName, language: Language, args: Record<string, string>): Letter => ({
  subject: sentence(TEMPLATES[template].subject, language, args),
  text: sentence(TEMPLATES[template].text, language, args),
  ...(args.unsubscribe !== undefined && { unsubscribe: args.unsubscribe }),
});
