// Billing's words about credit: its reasons, and the sentences with the numbers.

import type * as en from '../en/credit.ts';
import type { Shape } from '../join.ts';

export const reasons: Shape<typeof en.reasons> = {
  WaitingForCredit: '課金システムによる残高の確保を待っています。',
  OutOfCredit: '組織の残高が不足しています：%{detail}',
  SpendCapReached: '利用上限に達しました：%{detail}',
  NoPrice: '料金がまだ設定されていません：%{detail}',
  PlanLimit: '組織のプランの上限を超えます：%{detail}',
};

export const sentences: Shape<typeof en.sentences> = {
  reserved: '残高を確保しています。',
  free: '時間単位の料金はかかりません。',
  atRest: '実行中ではありません。保持しているストレージは課金され、新たに作成されるものはありません。',
  cannotStart: '現在は起動できないため、残高は確保されません。',
  paidUntil: '%{at} まで支払い済みです。',
  paidNoLonger: '%{at} まで支払い済みですが、その先は未払いです：%{detail}',
  monthsCovered: '残高でまかなえるのは %{months} か月のうち %{covered} か月分です：%{detail}',
  paidMonthsCovered:
    '%{at} まで支払い済みで、残高でまかなえるのは %{months} か月のうち %{covered} か月分です：%{detail}',
  replicasCovered: '残高でまかなえるレプリカは %{replicas} 個中 %{covered} 個です：%{detail}',
  asleep: 'レプリカがないため、課金されません。',
  kept: '%{what}に %{wanted} %{currency} が必要ですが、利用できる残高は実行中のもののために確保されています',
  needs: '%{what}に %{wanted} %{currency} が必要ですが、利用できるのは %{available} %{currency} です',
  needsUnderCap:
    '%{what}に %{wanted} %{currency} が必要ですが、組織の今月の上限 %{cap} %{currency} のうち %{spent} %{currency} が利用または確保済みです',
  needsMember:
    '%{what}に %{wanted} %{currency} が必要です。この組織ではメンバーに利用上限があるため、spec.creator または spec.startedBy で対象のメンバーを指定してください',
  needsUnderMemberCap:
    '%{what}に %{wanted} %{currency} が必要ですが、メンバーの今月の上限 %{cap} %{currency} のうち %{spent} %{currency} が利用または確保済みです',
  nextMinutes: '今後 %{minutes} 分間',
  nextHour: '今後 1 時間',
  nextHours: '今後 %{hours} 時間',
  months: '%{months} か月分',
  monthsOfNodes: '%{nodes} ノードの %{months} か月分',
  moreNodes: '%{more} ノードの追加',
  monthsAndMoreNodes: '%{term}と %{added}',
  noPrice: '%{what} の料金が設定されていません。',
  noPriceSoNotMade: '%{what} の料金が設定されていないため、作成できません。',
  planHosts: 'プラン %{plan} のホストは最大 %{cap} 台で、すでに %{before} 台あります。',
  nameUsed:
    '%{name} は削除された組織の名前です。この組織は、その残高、未払い金、請求書を引き継ぎません。別の名前を使ってください。引き継ぐ場合は、プラットフォームの担当者がアノテーション gantry.dev/inherits=%{name} を設定する必要があります。',
  left: '残高は %{amount} %{currency} です。',
  capSpent: '今月の上限 %{cap} %{currency} のうち %{spent} %{currency} を利用しました。',
};
