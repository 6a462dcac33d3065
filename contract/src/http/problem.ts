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

  // Organisations, keys, real names.

  // Kinds.

  // Messages and streams.

  // Terminal, tenant web, files.

  // Operators.
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
