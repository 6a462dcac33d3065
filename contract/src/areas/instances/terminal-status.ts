// A terminal's status messages and their sentences. Separate from its routes, for readers without schemas.
import type { Words } from '../../define-kind.ts';
import * as en from '../../words/en/terminal.ts';
import * as ja from '../../words/ja/terminal.ts';
import { joined } from '../../words/join.ts';
import * as zh from '../../words/zh/terminal.ts';

/** In text frames, to the browser; what the terminal shows comes in binary ones. */
export interface TerminalStatus {
  type: 'status';
  status: 'connected' | 'failed' | 'closed';
  message: string;
  /** Why it was closed, or failed. */
  reason?: TerminalEnd;
  detail?: string;
  /** The id of a terminal that outlives its WebSocket, sent when it is connected. */
  session?: string;
  /** So many of the bytes that follow were shown before: what they ask a terminal was answered then. */
  shown_before?: number;
  /** The shell's exit code, if it ended on its own. */
  exit_code?: number;
}

export const TERMINAL_WORDS: Readonly<Record<TerminalStatus['status'], Words>> = joined('terminal', {
  en: en.statuses,
  zh: zh.statuses,
  ja: ja.statuses,
});

/** Why a terminal came to its end. */
export const TERMINAL_ENDS = joined('terminal', { en: en.ends, zh: zh.ends, ja: ja.ends });
export type TerminalEnd = keyof typeof TERMINAL_ENDS;
