// The names of a deployment's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/model-deployment-phases.ts';
import { phases as ja } from '../words/ja/model-deployment-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/model-deployment-phases.ts';

export const modelDeploymentPhases = joined('ModelDeployment.phases', { en, zh, ja });
