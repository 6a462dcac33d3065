// Which states of a resource deserve a message, to whom, and in which words: one table. A state without a row is quiet.
import type { CommonStatus, KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { image } from '@gantry/contract/kinds/image.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { type OrgRole, PAYERS } from '@gantry/contract/roles.ts';

export interface ReportedState {
  /** `%{name}` is the object's. The content is the sentence of the object's reason. */
  title: Words;
  /** Besides its creator. */
  to: readonly OrgRole[];
  /** Not reported after these states. */
  quietAfter?: readonly string[];
}

export interface ReportedKind {
  facts: KindFacts;
  stateOf(status: CommonStatus, object: KubeObject): string;
  /** The object whose creator is notified, if it is not this one. */
  about?(object: KubeObject): { facts: KindFacts; name: string };
  states: Readonly<Record<string, ReportedState>>;
}

export const QUIET = '';

const MAKER: readonly OrgRole[] = [];
export const TEAM: readonly OrgRole[] = ['owner', 'admin'];

const phaseOf = ({ phase = QUIET }: CommonStatus): string => phase;
/** A disk on its way is as inactive as a broken one. */
const ON_THE_WAY: readonly string[] = ['Making', 'Provisioning', 'WaitingForCredit'];

export const REPORTED: readonly ReportedKind[] = [
  {
    facts: gpuInstance,
    stateOf: (status) => (status.reason === 'OutOfCredit' ? 'outOfCredit' : phaseOf(status)),
    states: {
      running: {
        title: {
          en: 'Instance %{name} is running',
          zh: '实例 %{name} 正在运行',
          ja: 'インスタンス %{name} が実行中になりました',
        },
        to: MAKER,
      },
      failed: {
        title: {
          en: 'Instance %{name} failed',
          zh: '实例 %{name} 运行失败',
          ja: 'インスタンス %{name} が失敗しました',
        },
        to: TEAM,
      },
      createFailed: {
        title: {
          en: 'Instance %{name} could not be created',
          zh: '实例 %{name} 创建失败',
          ja: 'インスタンス %{name} を作成できませんでした',
        },
        to: TEAM,
      },
      createTimeout: {
        title: {
          en: 'Instance %{name} was not ready in time',
          zh: '实例 %{name} 创建超时',
          ja: 'インスタンス %{name} の作成がタイムアウトしました',
        },
        to: TEAM,
      },
      networkTimeout: {
        title: {
          en: 'Instance %{name} does not answer on the network',
          zh: '实例 %{name} 网络超时',
          ja: 'インスタンス %{name} のネットワークが応答しません',
        },
        to: TEAM,
      },
      lost_contact: {
        title: {
          en: 'Contact with instance %{name} is lost',
          zh: '实例 %{name} 失联',
          ja: 'インスタンス %{name} との接続が失われました',
        },
        to: TEAM,
      },
      outOfCredit: {
        title: {
          en: 'Instance %{name} is out of credit',
          zh: '实例 %{name} 因余额不足无法运行',
          ja: '残高不足のためインスタンス %{name} を実行できません',
        },
        to: PAYERS,
      },
    },
  },
  {
    facts: gpuHost,
    stateOf: (status) => (status.reason === 'ExpiresSoon' ? 'expiresSoon' : phaseOf(status)),
    states: {
      active: {
        title: { en: 'Host %{name} is ready', zh: '主机 %{name} 已就绪', ja: 'ホスト %{name} の準備が完了しました' },
        to: TEAM,
        quietAfter: ['expiresSoon'],
      },
      notReady: {
        title: {
          en: 'Host %{name} is not ready',
          zh: '主机 %{name} 未就绪',
          ja: 'ホスト %{name} の準備が完了していません',
        },
        to: TEAM,
      },
      lost: {
        title: { en: 'Host %{name} is lost', zh: '主机 %{name} 失联', ja: 'ホスト %{name} との接続が失われました' },
        to: TEAM,
      },
      expiresSoon: {
        title: {
          en: 'Host %{name} expires soon',
          zh: '主机 %{name} 即将到期',
          ja: 'ホスト %{name} はまもなく期限切れです',
        },
        to: PAYERS,
      },
      expired: {
        title: { en: 'Host %{name} has expired', zh: '主机 %{name} 已到期', ja: 'ホスト %{name} の期限が切れました' },
        to: PAYERS,
      },
    },
  },
  {
    facts: dataDisk,
    stateOf: (status) => (ON_THE_WAY.includes(status.reason ?? '') ? QUIET : phaseOf(status)),
    states: {
      inactive: {
        title: {
          en: 'Disk %{name} cannot be used',
          zh: '磁盘 %{name} 无法使用',
          ja: 'ディスク %{name} は使用できません',
        },
        to: TEAM,
      },
    },
  },
  {
    facts: image,
    stateOf: phaseOf,
    states: {
      ready: {
        title: { en: 'Image %{name} is ready', zh: '镜像 %{name} 已就绪', ja: 'イメージ %{name} の準備が完了しました' },
        to: MAKER,
      },
      failed: {
        title: {
          en: 'Image %{name} cannot be used',
          zh: '镜像 %{name} 无法使用',
          ja: 'イメージ %{name} は使用できません',
        },
        to: MAKER,
      },
    },
  },
  {
    facts: snapshot,
    // A log is of a job as well.
    stateOf: (status, object) => {
      const phase = phaseOf(status);
      return phase === 'failed' && (object as Snapshot).spec.of === 'Log' ? 'logLost' : phase;
    },
    about: (object) => ({
      facts:
        Object.values<KindFacts>(KINDS).find(({ kind }) => kind === object.metadata.labels?.[LABEL.kind]) ??
        gpuInstance,
      name: (object as Snapshot).spec.instance,
    }),
    states: {
      failed: {
        title: {
          en: 'Instance %{name} could not be saved',
          zh: '实例 %{name} 保存失败',
          ja: 'インスタンス %{name} を保存できませんでした',
        },
        to: TEAM,
      },
      logLost: {
        title: {
          en: 'The log of %{name} could not be saved',
          zh: '%{name} 的日志未能保存',
          ja: '%{name} のログを保存できませんでした',
        },
        to: MAKER,
      },
    },
  },
  {
    facts: organization,
    stateOf: phaseOf,
    states: {
      failed: {
        title: {
          en: 'Organisation %{name} could not be set up',
          zh: '组织 %{name} 创建失败',
          ja: '組織 %{name} を準備できませんでした',
        },
        to: TEAM,
      },
    },
  },
];
