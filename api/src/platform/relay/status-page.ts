// The gateway's own answers on services' hosts: a page for browsers, JSON for programs, in the visitor's language.
import type { IncomingMessage } from 'node:http';
import type { Language } from '@gantry/contract/fields/language.ts';
import { OWN_HEADERS } from '../http/own-headers.ts';

interface Answer {
  status: number;
  words: Readonly<Record<Language, string>>;
}

/** By the code that programs read. */
export const ANSWERS = {
  login_needed: {
    status: 401,
    words: {
      en: 'This service is for members of its organisation. Open it from the console, or send an API token.',
      zh: '此服务仅供其组织成员使用。请从控制台打开，或发送 API 令牌。',
      ja: 'このサービスは組織のメンバー専用です。コンソールから開くか、API トークンを送信してください。',
    },
  },
  token_needed: {
    status: 401,
    words: {
      en: 'This service needs an API token of its organisation: Authorization: Bearer <token>.',
      zh: '此服务需要其组织的 API 令牌：Authorization: Bearer <令牌>。',
      ja: 'このサービスには組織の API トークンが必要です：Authorization: Bearer <トークン>。',
    },
  },
  foreign: {
    status: 403,
    words: {
      en: 'This request came from another page and was refused.',
      zh: '该请求来自其他页面，已被拒绝。',
      ja: '別のページからの要求のため拒否しました。',
    },
  },
  malformed: {
    status: 400,
    words: {
      en: 'The request is malformed.',
      zh: '请求格式不正确。',
      ja: '要求の形式が正しくありません。',
    },
  },
  too_many_attempts: {
    status: 429,
    words: {
      en: 'Too many invalid tokens came from your address. Try again later.',
      zh: '来自您地址的无效令牌过多，请稍后重试。',
      ja: 'お使いのアドレスから無効なトークンが多数送信されました。しばらくしてから再試行してください。',
    },
  },
  unpaid: {
    status: 402,
    words: {
      en: 'The service does not run because its organisation has no credit left.',
      zh: '该服务所属组织余额不足，服务未运行。',
      ja: '組織のクレジットが不足しているため、サービスは実行されていません。',
    },
  },
  stopped: {
    status: 503,
    words: {
      en: 'The service is stopped.',
      zh: '该服务已停止。',
      ja: 'サービスは停止しています。',
    },
  },
  failing: {
    status: 503,
    words: {
      en: 'No replica of the service can start.',
      zh: '该服务没有可启动的副本。',
      ja: 'サービスのレプリカを起動できません。',
    },
  },
  asleep: {
    status: 503,
    words: {
      en: 'The service is asleep. Health checks and robots do not wake it.',
      zh: '该服务处于休眠状态。健康检查和机器人不会将其唤醒。',
      ja: 'サービスはスリープ中です。ヘルスチェックやロボットでは起動しません。',
    },
  },
  too_many_waiting: {
    status: 503,
    words: {
      en: 'The service is starting, and too many requests are waiting for it. Try again in a moment.',
      zh: '该服务正在启动，等待的请求过多，请稍后重试。',
      ja: 'サービスは起動中で、待機中の要求が多すぎます。しばらくしてから再試行してください。',
    },
  },
  start_too_slow: {
    status: 503,
    words: {
      en: 'The service did not start in time. Try again in a moment.',
      zh: '该服务未能及时启动，请稍后重试。',
      ja: 'サービスが時間内に起動しませんでした。しばらくしてから再試行してください。',
    },
  },
  busy: {
    status: 503,
    words: {
      en: 'Too many requests are under way. Try again in a moment.',
      zh: '正在处理的请求过多，请稍后重试。',
      ja: '処理中の要求が多すぎます。しばらくしてから再試行してください。',
    },
  },
  no_answer: {
    status: 502,
    words: {
      en: 'The service did not answer this request.',
      zh: '该服务未响应此请求。',
      ja: 'サービスはこの要求に応答しませんでした。',
    },
  },
} as const satisfies Record<string, Answer>;
export type AnswerCode = keyof typeof ANSWERS;

/** Answers that another attempt may not get. */
const RETRY_SECONDS: Partial<Record<AnswerCode, number>> = {
  asleep: 30,
  too_many_waiting: 5,
  start_too_slow: 10,
  busy: 1,
  too_many_attempts: 60,
};

const LANG: Record<Language, string> = { en: 'en', zh: 'zh-Hans', ja: 'ja' };

export function answerOf(
  code: AnswerCode,
  language: Language,
  { headers }: Pick<IncomingMessage, 'headers'>,
): { status: number; headers: Record<string, string>; body: string } {
  const { status, words } = ANSWERS[code];
  const isPage = headers.accept?.includes('text/html') ?? false;
  const body = isPage
    ? `<!doctype html><html lang="${LANG[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gantry</title><p>${words[language].replace('<', '&lt;')}</p></html>\n`
    : `${JSON.stringify({ error: code, message: words[language] })}\n`;
  const retry = RETRY_SECONDS[code];
  return {
    status,
    headers: {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': `${Buffer.byteLength(body)}`,
      ...OWN_HEADERS,
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(retry !== undefined && { 'retry-after': `${retry}` }),
    },
    body,
  };
}
