// The words on documents and column heads, in every language.
import { type BillStatus, PAYMENT_CHANNELS, TRANSACTION_TYPES } from '@gantry/contract/billing/bill.ts';
import { isPaymentFailure, PAYMENT_FAILURES, statusWords } from '@gantry/contract/billing/payments.ts';
import { PLANS, type PlanId, planSku } from '@gantry/contract/billing/plans.ts';
import { isResource, RESOURCES, type Resource, type SourceType } from '@gantry/contract/billing/resources.ts';
import type { storageSku } from '@gantry/contract/billing/storage.ts';
import type { TokenPart } from '@gantry/contract/billing/token-prices.ts';
import type { Words } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';

export const WORDS = {
  transactionId: { en: 'Transaction ID', zh: '交易编号', ja: '取引 ID' },
  date: { en: 'Date (UTC)', zh: '日期（UTC）', ja: '日時（UTC）' },
  type: { en: 'Type', zh: '类型', ja: '種別' },
  totalAmount: { en: 'Total amount', zh: '总金额', ja: '合計金額' },
  payAmount: { en: 'Paid amount', zh: '支付金额', ja: '支払金額' },
  refundedAmount: { en: 'Refunded amount', zh: '退款金额', ja: '返金額' },
  chargedBackAmount: { en: 'Charged back', zh: '拒付金额', ja: 'チャージバック額' },
  creditUsed: { en: 'Credits used', zh: '使用赠金', ja: '使用クレジット' },
  currency: { en: 'Currency', zh: '币种', ja: '通貨' },
  channel: { en: 'Payment method', zh: '支付方式', ja: '支払方法' },
  status: { en: 'Status', zh: '状态', ja: '状態' },
  operator: { en: 'Operator', zh: '操作人', ja: '操作者' },
  source: { en: 'Source', zh: '来源', ja: '利用元' },
  reference: { en: 'Reference', zh: '关联对象', ja: '参照' },
  detail: { en: 'Detail', zh: '说明', ja: '詳細' },
  sku: { en: 'SKU', zh: '计费项', ja: 'SKU' },
  item: { en: 'Item', zh: '项目', ja: '項目' },
  object: { en: 'Object', zh: '对象', ja: '対象' },
  member: { en: 'Member', zh: '成员', ja: 'メンバー' },
  quantity: { en: 'Quantity', zh: '数量', ja: '数量' },
  unit: { en: 'Unit', zh: '单位', ja: '単位' },
  from: { en: 'From (UTC)', zh: '开始（UTC）', ja: '開始（UTC）' },
  to: { en: 'To (UTC)', zh: '结束（UTC）', ja: '終了（UTC）' },
  price: { en: 'Unit price', zh: '单价', ja: '単価' },
  discountPercent: { en: 'Discount %', zh: '折扣 %', ja: '割引 %' },
  list: { en: 'List price', zh: '原价', ja: '定価' },
  discount: { en: 'Discount', zh: '折扣', ja: '割引' },
  amount: { en: 'Amount', zh: '金额', ja: '金額' },
  invoice: { en: 'Invoice', zh: '账单', ja: '請求書' },
  creditNote: { en: 'Credit note', zh: '贷项通知单', ja: 'クレジットノート' },
  cancellation: { en: 'Cancellation of a credit note', zh: '贷项通知单作废', ja: 'クレジットノートの取消' },
  cancels: { en: 'Cancels', zh: '作废编号', ja: '取消対象' },
  paidOn: { en: 'Paid (UTC)', zh: '支付日期（UTC）', ja: '支払日（UTC）' },
  refundedOn: { en: 'Refunded (UTC)', zh: '退款日期（UTC）', ja: '返金日（UTC）' },
  cameBackOn: { en: 'Returned (UTC)', zh: '退回日期（UTC）', ja: '差戻日（UTC）' },
  creditNoteText: {
    en: 'This amount of the payment above was refunded.',
    zh: '上述支付中的该金额已退回。',
    ja: '上記の支払いのうち、この金額を返金しました。',
  },
  cancellationText: {
    en: 'The refund was returned and is back in the balance. The credit note named above is cancelled.',
    zh: '退款被退回，已重新计入余额。上述贷项通知单作废。',
    ja: '返金が差し戻され、残高に戻りました。上記のクレジットノートは取り消されます。',
  },
  number: { en: 'Number', zh: '编号', ja: '番号' },
  month: { en: 'Month', zh: '账期', ja: '対象月' },
  period: { en: 'Period (UTC)', zh: '期间（UTC）', ja: '期間（UTC）' },
  issued: { en: 'Issued (UTC)', zh: '开具日期（UTC）', ja: '発行日（UTC）' },
  billedTo: { en: 'Billed to', zh: '付款方', ja: '請求先' },
  issuedBy: { en: 'Issued by', zh: '收款方', ja: '発行者' },
  taxId: { en: 'Tax ID', zh: '税号', ja: '税務番号' },
  total: { en: 'Total', zh: '合计', ja: '合計' },
  paidByCredits: { en: 'Paid with credits', zh: '赠金支付', ja: 'クレジットによる支払い' },
  paidByBalance: { en: 'Paid from the balance', zh: '余额支付', ja: '残高からの支払い' },
  owed: { en: 'Owed at the time of use', zh: '使用时欠款', ja: '利用時の未払い' },
  page: { en: 'Page %{page} of %{pages}', zh: '第 %{page} 页，共 %{pages} 页', ja: '%{page} / %{pages} ページ' },
  usage: { en: 'Usage', zh: '用量', ja: '利用' },
  order: { en: 'Order', zh: '订单', ja: '注文' },
  plan: { en: 'Plan', zh: '套餐', ja: 'プラン' },
  correction: { en: 'Correction of an earlier month', zh: '往期更正', ja: '前月以前の訂正' },
  container_rent: { en: 'Instances and storage', zh: '实例与存储', ja: 'インスタンスとストレージ' },
  host_rent: { en: 'Hosts', zh: '主机', ja: 'ホスト' },
  summed: {
    en: 'Summed by item: the CSV file of this invoice has all %{lines} lines.',
    zh: '按项目汇总：本账单的 CSV 文件包含全部 %{lines} 行明细。',
    ja: '項目ごとの合計です。全 %{lines} 行の明細は CSV ファイルにあります。',
  },
} as const satisfies Record<string, Words>;
export type Word = keyof typeof WORDS;

const NAMES = {
  gpu: { en: 'GPU', zh: 'GPU', ja: 'GPU' },
  cpu: { en: 'CPU', zh: 'CPU', ja: 'CPU' },
  memory: { en: 'Memory', zh: '内存', ja: 'メモリ' },
  disk: { en: 'Disk', zh: '磁盘', ja: 'ディスク' },
  snapshot: { en: 'Snapshot storage', zh: '快照存储', ja: 'スナップショット保存' },
  host: { en: 'Host', zh: '主机', ja: 'ホスト' },
} as const satisfies Partial<Record<Resource, Words>>;

/** What is no resource of a kind's use, and has a SKU all the same. */
const OTHER_NAMES = {
  'prompt-tokens': { en: 'Prompt tokens', zh: '输入 token', ja: '入力トークン' },
  'cached-tokens': { en: 'Cached prompt tokens', zh: '缓存的输入 token', ja: 'キャッシュ済み入力トークン' },
  'completion-tokens': { en: 'Completion tokens', zh: '输出 token', ja: '出力トークン' },
  'model-storage': { en: 'Stored models', zh: '模型存储', ja: 'モデルの保存' },
  'dataset-storage': { en: 'Stored datasets', zh: '数据集存储', ja: 'データセットの保存' },
  'task-storage': { en: 'Stored checkpoints', zh: '检查点存储', ja: 'チェックポイントの保存' },
} as const satisfies Record<`${TokenPart}-tokens` | ReturnType<typeof storageSku>, Words>;
const SKU_NAMES: Readonly<Record<string, Words>> = { ...NAMES, ...OTHER_NAMES };
const EVERY_MODEL = {
  en: '(every other model)',
  zh: '（其他所有型号）',
  ja: '（その他すべてのモデル）',
} satisfies Words;

const UNITS = {
  card: { en: 'GPU', zh: 'GPU', ja: 'GPU' },
  core: { en: 'core', zh: '核', ja: 'コア' },
  GiB: { en: 'GiB', zh: 'GiB', ja: 'GiB' },
  node: { en: 'node', zh: '节点', ja: 'ノード' },
} as const satisfies Record<(typeof RESOURCES)[Resource]['unit'], Words>;
const TIMES = {
  hour: { en: 'hour', zh: '小时', ja: '時間' },
  month: { en: 'month', zh: '月', ja: 'か月' },
  rental: { en: 'month', zh: '月', ja: 'か月' },
} as const satisfies Record<(typeof RESOURCES)[Resource]['per'], Words>;

export const word = (name: Word, language: Language): string => WORDS[name][language];

/** `detail`: of what failed, the code of why. */
export const statusText = (status: BillStatus, detail: string, language: Language): string =>
  statusWords(status, detail)[language];
export const detailText = (detail: string, language: Language): string =>
  isPaymentFailure(detail) ? PAYMENT_FAILURES[detail][language] : detail;
export const typeText = (type: keyof typeof TRANSACTION_TYPES, language: Language): string =>
  TRANSACTION_TYPES[type][language];
export const channelText = (channel: keyof typeof PAYMENT_CHANNELS, language: Language): string =>
  PAYMENT_CHANNELS[channel][language];
export const sourceText = (source: SourceType | null, language: Language): string =>
  source === null ? '' : WORDS[source][language];

/** `gpu/NVIDIA-H200`: "GPU NVIDIA H200"; `gpu`: "GPU"; `plan/standard`: "Plan Standard". An unknown SKU is returned unchanged. */
export function skuText(sku: string, language: Language): string {
  const plan = (Object.keys(PLANS) as PlanId[]).find((id) => planSku(id) === sku);
  if (plan) return `${WORDS.plan[language]} ${PLANS[plan][language]}`;
  const [resource = '', ...model] = sku.split('/');
  if (sku === 'plan') return WORDS.plan[language];
  const name = Object.hasOwn(SKU_NAMES, resource) ? SKU_NAMES[resource] : undefined;
  if (!name) return sku;
  const ofModel = (one: string) =>
    one === 'any' ? EVERY_MODEL[language] : resource in OTHER_NAMES ? one : gpuName(one);
  const parts = [name[language], ...model.map(ofModel)];
  return parts.join(parts[1]?.startsWith('（') ? '' : ' ');
}

/** `GPU × hour`; of what is priced by the month, `GiB × month` of 730 hours; empty for what has none. */
export function unitText(sku: string, language: Language): string {
  const [resource = ''] = sku.split('/');
  if (!isResource(resource)) return '';
  const { unit, per } = RESOURCES[resource];
  return `${UNITS[unit][language]} × ${TIMES[per][language]}`;
}
