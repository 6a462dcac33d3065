// How a program ended, in words: what an exit code means where everybody means the same by it, and the ends that the platform
// names itself in `status.run.lastExit`.
import { sentence, type Words } from '../define-kind.ts';

/** Words for `exit code <n>`; the shell's and the kernel's conventions, which `agent init` keeps. */
export const EXIT_CODES = {
  '126': {
    en: 'exit code 126: the command is there and cannot be executed',
    zh: '退出码 126：命令存在但无法执行',
    ja: '終了コード 126：コマンドはありますが実行できません',
  },
  '127': {
    en: 'exit code 127: there is no such command in the image',
    zh: '退出码 127：镜像中没有该命令',
    ja: '終了コード 127：イメージにそのコマンドがありません',
  },
  '134': {
    en: 'exit code 134: it aborted itself (SIGABRT)',
    zh: '退出码 134：程序自行中止（SIGABRT）',
    ja: '終了コード 134：自ら異常終了しました（SIGABRT）',
  },
  '137': {
    en: 'exit code 137: it was killed (SIGKILL), and not for its memory limit',
    zh: '退出码 137：被强制终止（SIGKILL），并非因内存上限',
    ja: '終了コード 137：強制終了されました（SIGKILL）。メモリ上限が原因ではありません',
  },
  '139': {
    en: 'exit code 139: it used memory that is not its own (SIGSEGV)',
    zh: '退出码 139：访问了不属于它的内存（SIGSEGV）',
    ja: '終了コード 139：許可されていないメモリにアクセスしました（SIGSEGV）',
  },
  '143': {
    en: 'exit code 143: it was asked to end (SIGTERM)',
    zh: '退出码 143：收到结束请求（SIGTERM）',
    ja: '終了コード 143：終了を要求されました（SIGTERM）',
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

/** As a part of a sentence: "exit code 127: there is no such command in the image". */
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
