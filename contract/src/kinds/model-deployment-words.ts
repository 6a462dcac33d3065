// A deployment's sentences, in every language.
import * as en from '../words/en/model-deployment.ts';
import { phases as enPhases } from '../words/en/model-deployment-phases.ts';
import * as ja from '../words/ja/model-deployment.ts';
import { phases as jaPhases } from '../words/ja/model-deployment-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/model-deployment.ts';
import { phases as zhPhases } from '../words/zh/model-deployment-phases.ts';

export const modelDeploymentWords = kindWords('ModelDeployment', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** The lines of the arithmetic by which a setup was chosen. */
export const SETUP_WORDS = joined('ModelDeployment.setup', { en: en.setup, zh: zh.setup, ja: ja.setup });
