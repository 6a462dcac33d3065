// What a terminal tells of itself, and the sentences for it. Apart from its routes, for those who read no schema.
import type { Words } from '../define-kind.ts';

/** In text frames, to the browser; what the terminal shows comes in binary ones. */
export interface TerminalStatus {
  type: 'status';
  status: 'connected' | 'failed' | 'closed';
  message: string;
  /** Why it was closed, or failed. */
  reason?: TerminalEnd;
  detail?: string;
  /** Of the shell, where it ended by itself. */
  exit_code?: number;
}

export const TERMINAL_WORDS = {
  connected: { en: 'Connected.', zh: '已连接。', ja: '接続しました。' },
  failed: {
    en: 'Console connection failed.',
    zh: '控制台连接失败。',
    ja: 'コンソールの接続に失敗しました。',
  },
  closed: {
    en: 'Connection closed (refresh to reconnect).',
    zh: '连接已关闭（刷新以重新连接）。',
    ja: '接続が閉じられました（更新すると再接続します）。',
  },
} as const satisfies Record<TerminalStatus['status'], Words>;

/** Why a terminal came to its end. `{…}` are filled. */
export const TERMINAL_ENDS = {
  exited: {
    en: 'The shell ended with exit code {code}.',
    zh: 'Shell 已结束，退出码 {code}。',
    ja: 'シェルは終了コード {code} で終了しました。',
  },
  lost: {
    en: 'The container has stopped, or its node can not be reached.',
    zh: '容器已停止，或其节点无法访问。',
    ja: 'コンテナが停止したか、ノードに接続できません。',
  },
  unreachable: {
    en: 'The container can not be reached.',
    zh: '无法连接到容器。',
    ja: 'コンテナに接続できません。',
  },
  badOutput: {
    en: 'The agent in the instance sent invalid data. Restart the instance to install the agent again.',
    zh: '实例中的代理发送了无效数据。重启实例会重新安装代理。',
    ja: 'インスタンス内のエージェントが無効なデータを送信しました。インスタンスを再起動するとエージェントが再インストールされます。',
  },
  failed: {
    en: 'The gateway could not continue this terminal. Open it again.',
    zh: '网关无法继续此终端，请重新打开。',
    ja: 'ゲートウェイがこのターミナルを継続できませんでした。もう一度開いてください。',
  },
  idle: {
    en: 'Nothing was typed or shown for {minutes|minute|minutes}.',
    zh: '已有 {minutes} 分钟没有输入或输出。',
    ja: '{minutes} 分間、入出力がありませんでした。',
  },
  tooLong: {
    en: 'A terminal stays open for {hours|hour|hours} at most.',
    zh: '终端最多保持打开 {hours} 小时。',
    ja: 'ターミナルを開いていられるのは最大 {hours} 時間です。',
  },
  signedOut: {
    en: 'The session has ended, or no longer has the right.',
    zh: '会话已结束，或已失去权限。',
    ja: 'セッションが終了したか、権限がなくなりました。',
  },
  restart: {
    en: 'The gateway is being restarted.',
    zh: '网关正在重启。',
    ja: 'ゲートウェイを再起動しています。',
  },
  misused: {
    en: 'What was sent is not understood.',
    zh: '无法识别发送的内容。',
    ja: '送信された内容を解釈できません。',
  },
  left: { en: 'The browser has left.', zh: '浏览器已断开。', ja: 'ブラウザーが切断しました。' },
  gatewayLost: {
    en: 'The gateway that served it is gone.',
    zh: '为其服务的网关已不在。',
    ja: '担当していたゲートウェイがなくなりました。',
  },
} as const satisfies Record<string, Words>;
export type TerminalEnd = keyof typeof TERMINAL_ENDS;
