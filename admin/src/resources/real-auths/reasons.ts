// Reasons that auditors give most, in the three languages: a rejection is read by the person, in theirs.
import type { Language } from '@gantry/contract/fields/language.ts';

type Words = Readonly<Record<Language, string>>;

export const APPROVALS: readonly Words[] = [
  {
    en: 'The data and the pictures match.',
    zh: '资料与图片一致。',
    ja: '内容と画像が一致しています。',
  },
  {
    en: 'Checked against the public register.',
    zh: '已与公开登记信息核对。',
    ja: '公的な登記情報と照合しました。',
  },
];

export const REJECTIONS: readonly Words[] = [
  {
    en: 'The picture is blurred or cut off. Please send one on which everything can be read.',
    zh: '图片模糊或不完整。请上传所有内容清晰可辨的图片。',
    ja: '画像が不鮮明か、一部が切れています。全体が読み取れる画像を送ってください。',
  },
  {
    en: 'The name does not match the document.',
    zh: '姓名与证件不一致。',
    ja: '氏名が書類と一致しません。',
  },
  {
    en: 'The number does not match the document.',
    zh: '号码与证件不一致。',
    ja: '番号が書類と一致しません。',
  },
  {
    en: 'The document has expired.',
    zh: '证件已过期。',
    ja: '書類の有効期限が切れています。',
  },
  {
    en: 'This is not the chosen kind of document.',
    zh: '这不是所选的证件类型。',
    ja: '選択した種類の書類ではありません。',
  },
  {
    en: 'The company does not match the business licence.',
    zh: '企业信息与营业执照不一致。',
    ja: '会社の情報が営業許可証と一致しません。',
  },
  {
    en: 'The picture has been altered, or shows a copy or a screen.',
    zh: '图片经过修改，或为复印件、屏幕翻拍。',
    ja: '画像が加工されているか、コピーや画面を撮影したものです。',
  },
];

export const TAKES: readonly Words[] = [
  {
    en: 'It has to be compared with another source.',
    zh: '需要与其他来源核对。',
    ja: '別の情報源との照合が必要です。',
  },
  {
    en: 'A colleague has to look at it as well.',
    zh: '需要同事一同查看。',
    ja: '同僚による確認も必要です。',
  },
];

const REASONS = { approve: APPROVALS, reject: REJECTIONS, take: TAKES } as const;
/** `take`: for manual review. */
export type Answer = keyof typeof REASONS;

/** Reasons in two languages: `sent` for the text that is sent, `shown` for the auditor. */
export const reasonsFor = (answer: Answer, shown: Language, sent: Language) =>
  REASONS[answer].map((words) => ({ shown: words[shown], sent: words[sent] }));
