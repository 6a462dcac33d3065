// Notices to people about their memberships and audits, in every language. The message store sends them.
import type { Words } from '@gantry/contract/define-kind.ts';
import type { Args } from '@gantry/contract/said.ts';

export interface Notice {
  accountId: string;
  title: Words;
  content: Words;
  args: Args;
}

/** Never throws and is not awaited: the change stands, whether or not anybody can be notified. */
export type Notify = (notice: Notice) => void;

interface Text {
  title: Words;
  content: Words;
}

export const NOTICES = {
  invited: {
    title: {
      en: '%{actor} invites you to %{organization}',
      zh: '%{actor} 邀请您加入 %{organization}',
      ja: '%{actor} から %{organization} への招待',
    },
    content: {
      en: '%{actor} invites you to the organisation %{organization} with the role %{role}. Accept or decline under “Invitations” in the organisation menu at the top. Only after you accept can its owners and admins see your e-mail address and phone number.',
      zh: '%{actor} 邀请您作为%{role}加入组织 %{organization}。请在顶部组织菜单的“邀请”中接受或拒绝。接受之后，该组织的所有者和管理员才能看到您的邮箱和电话号码。',
      ja: '%{actor} があなたを%{role}として組織 %{organization} に招待しています。画面上部の組織メニューの「招待」で承諾または辞退してください。組織のオーナーと管理者がメールアドレスと電話番号を見られるのは、承諾した後です。',
    },
  },
  invitationAccepted: {
    title: {
      en: '%{member} joined %{organization}',
      zh: '%{member} 已加入 %{organization}',
      ja: '%{member} が %{organization} に参加しました',
    },
    content: {
      en: '%{member} accepted your invitation and now has the role %{role} in the organisation %{organization}.',
      zh: '%{member} 已接受您的邀请，现为组织 %{organization} 的%{role}。',
      ja: '%{member} があなたの招待を承諾し、組織 %{organization} の%{role}になりました。',
    },
  },
  personProposed: {
    title: {
      en: 'Platform staff propose %{person} for %{organization}',
      zh: '平台工作人员提议 %{person} 加入 %{organization}',
      ja: '運営担当者が %{person} を %{organization} に推薦しています',
    },
    content: {
      en: '%{staff} of the platform’s staff created an account for %{person} and proposes it for the organisation %{organization} with the role %{role}. It has no access until you send the invitation under “Invitations” of the organisation and %{person} accepts it. Withdraw it if you did not expect this.',
      zh: '平台工作人员 %{staff} 为 %{person} 创建了账号，并提议其作为%{role}加入组织 %{organization}。在您于该组织的“邀请”中发送邀请且 %{person} 接受之前，该账号没有任何访问权限。如非您所需，请撤回。',
      ja: '運営担当者の %{staff} が %{person} のアカウントを作成し、%{role}として組織 %{organization} に推薦しています。組織の「招待」から招待を送信し、%{person} が承諾するまで、このアカウントは何も利用できません。お心当たりがない場合は取り消してください。',
    },
  },
  invitationDeclined: {
    title: {
      en: '%{invitee} declined your invitation',
      zh: '%{invitee} 已拒绝您的邀请',
      ja: '%{invitee} が招待を辞退しました',
    },
    content: {
      en: '%{invitee} declined your invitation to the organisation %{organization}.',
      zh: '%{invitee} 已拒绝加入组织 %{organization} 的邀请。',
      ja: '%{invitee} が組織 %{organization} への招待を辞退しました。',
    },
  },
  memberRemoved: {
    title: {
      en: 'You are no longer in %{organization}',
      zh: '您已离开 %{organization}',
      ja: '%{organization} から外れました',
    },
    content: {
      en: '%{actor} removed you from the organisation %{organization}. Your sessions, tokens and keys there have ended.',
      zh: '%{actor} 已将您移出组织 %{organization}。您在该组织的会话、令牌和密钥均已失效。',
      ja: '%{actor} があなたを組織 %{organization} から外しました。そこでのセッション、トークン、鍵は無効になりました。',
    },
  },
  memberLeft: {
    title: {
      en: '%{member} left %{organization}',
      zh: '%{member} 已离开 %{organization}',
      ja: '%{member} が %{organization} を離れました',
    },
    content: {
      en: '%{member} left the organisation %{organization}.',
      zh: '%{member} 已离开组织 %{organization}。',
      ja: '%{member} が組織 %{organization} を離れました。',
    },
  },
  roleChanged: {
    title: {
      en: 'Your role in %{organization} changed',
      zh: '您在 %{organization} 的角色已变更',
      ja: '%{organization} での役割が変わりました',
    },
    content: {
      en: '%{actor} changed your role in the organisation %{organization} to %{role}.',
      zh: '%{actor} 已将您在组织 %{organization} 的角色改为%{role}。',
      ja: '%{actor} が組織 %{organization} での役割を%{role}に変更しました。',
    },
  },
  organizationDeleted: {
    title: { en: '%{organization} was deleted', zh: '%{organization} 已删除', ja: '%{organization} は削除されました' },
    content: {
      en: '%{actor} deleted the organisation %{organization} with everything in it.',
      zh: '%{actor} 已删除组织 %{organization} 及其全部内容。',
      ja: '%{actor} が組織 %{organization} とその内容をすべて削除しました。',
    },
  },
  organizationInherits: {
    title: {
      en: '%{organization} inherits the earlier money and bills',
      zh: '%{organization} 已继承原有资金和账单',
      ja: '%{organization} が以前の残高と請求書を引き継ぎました',
    },
    content: {
      en: 'The organisation %{organization} was created again. Platform staff let it inherit the money, debt and bills of the deleted organisation of the same name.',
      zh: '组织 %{organization} 已重新创建。经平台工作人员允许，该组织继承已删除的同名组织的资金、欠款和账单。',
      ja: '組織 %{organization} が再び作成されました。プラットフォームの担当者の許可により、削除された同名の組織の残高、未払い金、請求書を引き継ぎました。',
    },
  },
  viewed: {
    title: {
      en: 'Staff are viewing %{organization}',
      zh: '平台工作人员查看了 %{organization}',
      ja: '運営担当者が %{organization} を表示しました',
    },
    content: {
      en: '%{staff} of the platform’s staff opened the console of %{organization} for reading at %{time}, for 30 minutes at most. Reason: %{reason}. They can change nothing and see no terminals, files, logs, environment values or keys.',
      zh: '平台工作人员 %{staff} 于 %{time} 以只读方式打开了 %{organization} 的控制台，最长 30 分钟。原因：%{reason}。其不能做任何更改，也看不到终端、文件、日志、环境变量的值和密钥。',
      ja: '運営担当者の %{staff} が %{time} に %{organization} のコンソールを閲覧専用で開きました（最長 30 分）。理由：%{reason}。変更はできず、ターミナル、ファイル、ログ、環境変数の値、鍵も表示されません。',
    },
  },
  sessionsEnded: {
    title: {
      en: 'You were logged out everywhere',
      zh: '您已在所有设备上退出登录',
      ja: 'すべてのセッションが終了しました',
    },
    content: {
      en: '%{staff} of the platform’s staff ended all your sessions. If you did not ask for this, change your password.',
      zh: '平台工作人员 %{staff} 已结束您的全部会话。如果不是您要求的，请修改密码。',
      ja: '運営担当者の %{staff} があなたのすべてのセッションを終了しました。心当たりがない場合は、パスワードを変更してください。',
    },
  },
  factorReset: {
    title: { en: 'Your second factor was removed', zh: '您的双重验证已被关闭', ja: '二要素認証が解除されました' },
    content: {
      en: '%{staff} of the platform’s staff removed your second factor and ended your sessions. Set it up again under Security. If you did not ask for this, change your password at once.',
      zh: '平台工作人员 %{staff} 已关闭您的双重验证并结束您的会话。请在安全设置中重新开启。如果不是您要求的，请立即修改密码。',
      ja: '運営担当者の %{staff} があなたの二要素認証を解除し、セッションを終了しました。セキュリティの設定でもう一度有効にしてください。心当たりがない場合は、すぐにパスワードを変更してください。',
    },
  },
  realAuthApproved: {
    title: { en: 'Identity verified', zh: '实名认证已通过', ja: '本人確認が完了しました' },
    content: {
      en: 'Your real-name verification was approved.',
      zh: '您的实名认证已通过审核。',
      ja: 'あなたの本人確認が承認されました。',
    },
  },
  realAuthApprovedAgain: {
    title: { en: 'Identity verified', zh: '实名认证已通过', ja: '本人確認が完了しました' },
    content: {
      en: 'Your real-name verification was approved. You get no welcome credit: each person gets it once, and your document was already used to claim it on another account. If that account is not yours, contact support.',
      zh: '您的实名认证已通过审核。本次不发放新用户赠金：每人仅可领取一次，您的证件已在另一个账号领取过。如果那不是您的账号，请联系客服。',
      ja: 'あなたの本人確認が承認されました。無料クレジットは付与されません。付与は 1 人 1 回で、同じ証明書により別のアカウントですでに付与されています。心当たりがない場合はサポートにお問い合わせください。',
    },
  },
  realAuthRejected: {
    title: { en: 'Real-name verification rejected', zh: '实名认证未通过', ja: '本人確認が却下されました' },
    content: {
      en: 'Your real-name verification was rejected: %{reason}',
      zh: '您的实名认证未通过审核：%{reason}',
      ja: 'あなたの本人確認は却下されました：%{reason}',
    },
  },
} as const satisfies Record<string, Text>;
