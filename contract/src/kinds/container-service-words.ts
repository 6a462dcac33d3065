// A service's sentences, in every language.
import * as en from '../words/en/container-service.ts';
import * as ja from '../words/ja/container-service.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/container-service.ts';

export const containerServiceWords = kindWords('ContainerService', { en, zh, ja });

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
