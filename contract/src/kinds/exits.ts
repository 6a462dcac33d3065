// How a program ended, in words: what an exit code means where everybody means the same by it, and the ends that the platform
// names itself in `status.run.lastExit`.
import { sentence, type Words } from '../define-kind.ts';

/** Words for `exit code <n>`; the shell's and the kernel's conventions, which `agent init` keeps. */
export const EXIT_CODES = {
  '126': {
    en: 'exit code 126: the command exists but cannot be executed',
    zh: '退出码 126：命令存在但无法执行',
    ja: '終了コード 126：コマンドはありますが実行できません',
  },
  '127': {
    en: 'exit code 127: the image has no such command',
    zh: '退出码 127：镜像中没有该命令',
    ja: '終了コード 127：イメージにそのコマンドはありません',
  },
  '134': {
    en: 'exit code 134: the program aborted (SIGABRT)',
    zh: '退出码 134：程序自行中止（SIGABRT）',
    ja: '終了コード 134：プログラムが異常終了しました（SIGABRT）',
  },
  '137': {
    en: 'exit code 137: the program was killed (SIGKILL), but not for exceeding its memory limit',
    zh: '退出码 137：程序被强制终止（SIGKILL），但并非因超出内存上限',
    ja: '終了コード 137：メモリ上限の超過以外の理由で強制終了されました（SIGKILL）',
  },
  '139': {
    en: 'exit code 139: the program accessed invalid memory (SIGSEGV)',
    zh: '退出码 139：程序访问了无效内存（SIGSEGV）',
    ja: '終了コード 139：無効なメモリにアクセスしました（SIGSEGV）',
  },
  '143': {
    en: 'exit code 143: the program was told to stop (SIGTERM)',
    zh: '退出码 143：程序收到停止请求（SIGTERM）',
    ja: '終了コード 143：停止を要求されました（SIGTERM）',
  },
} as const satisfies Record<string, Words>;

export const ANY_EXIT_CODE: Words = { en: 'exit code {code}', zh: '退出码 {code}', ja: '終了コード {code}' };

const OTHER_ENDS: Readonly<Record<string, Words>> = {
  OOMKilled: { en: 'out of memory', zh: '内存不足', ja: 'メモリ不足' },
  RootFull: { en: 'root file system full', zh: '根文件系统已满', ja: 'ルートファイルシステムの容量超過' },
  Evicted: { en: 'evicted by its node', zh: '被节点驱逐', ja: 'ノードによる退避' },
  NodeGone: { en: 'its node is gone', zh: '节点已移除', ja: 'ノードの消失' },
  Deleted: { en: 'its Pod was deleted', zh: '其 Pod 已被删除', ja: 'Pod の削除' },
  Lost: { en: 'its node lost track of it', zh: '节点丢失了它', ja: 'ノードが見失いました' },
};

/** As a part of a sentence: "exit code 127: the image has no such command". */
export function exitCodeInWords(code: string, language: keyof Words): string {
  const known: Words | undefined = Object.hasOwn(EXIT_CODES, code)
    ? EXIT_CODES[code as keyof typeof EXIT_CODES]
    : undefined;
  return sentence(known ?? ANY_EXIT_CODE, language, { code });
}

/** `status.run.lastExit` for people; what nobody has words for, such as a kubelet's OutOfcpu, stays as it is. */
export function lastExitInWords(lastExit: string, language: keyof Words): string {
  const code = /^exit code (\d+)$/.exec(lastExit)?.[1];
  if (code !== undefined) return exitCodeInWords(code, language);
  return Object.hasOwn(OTHER_ENDS, lastExit) ? (OTHER_ENDS[lastExit]?.[language] ?? lastExit) : lastExit;
}
