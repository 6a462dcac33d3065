// A service's sentences, in every language.
import * as en from '../words/en/container-service.ts';
import { phases as enPhases } from '../words/en/container-service-phases.ts';
import * as ja from '../words/ja/container-service.ts';
import { phases as jaPhases } from '../words/ja/container-service-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/container-service.ts';
import { phases as zhPhases } from '../words/zh/container-service-phases.ts';

export const containerServiceWords = kindWords('ContainerService', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** `status.pods[].phase`. */
export const REPLICA_PHASES = joined('ContainerService.replicas', {
  en: en.replicas,
  zh: zh.replicas,
  ja: ja.replicas,
});

/** `status.revisions[].outcome`. */
export const OUTCOMES = joined('ContainerService.outcomes', { en: en.outcomes, zh: zh.outcomes, ja: ja.outcomes });

/** `status.scaling.because`. */
export const SCALING_CAUSES = joined('ContainerService.causes', { en: en.causes, zh: zh.causes, ja: ja.causes });
