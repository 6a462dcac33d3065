// An instance's sentences, in every language.
import { sentence } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import * as en from '../words/en/gpu-instance.ts';
import { phases as enPhases } from '../words/en/gpu-instance-phases.ts';
import * as ja from '../words/ja/gpu-instance.ts';
import { phases as jaPhases } from '../words/ja/gpu-instance-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/gpu-instance.ts';
import { phases as zhPhases } from '../words/zh/gpu-instance-phases.ts';

export const gpuInstanceWords = kindWords('GpuInstance', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** `status.health`, beside the phase: Ready and quiet; Ready with a restart, an XID or a full disk in the last ten minutes; no Ready Pod. */
export const HEALTH = joined('GpuInstance.health', { en: en.health, zh: zh.health, ja: ja.health });

const CORES = { en: en.cores, zh: zh.cores, ja: ja.cores };
export const coresText = (cores: number, language: Language): string =>
  sentence(CORES, language, { cores: `${cores}` });
