// Every area of the console, one line each. Menus of one group stand in the order of their areas.
import type { Area } from './area.ts';
import { accountArea } from './areas/account/area.ts';
import { alertArea } from './areas/alerts/area.ts';
import { billingArea } from './areas/billing/area.ts';
import { chatArea } from './areas/chat/area.ts';
import { deployArea } from './areas/container-services/area.ts';
import { datasetArea } from './areas/datasets/area.ts';
import { entryArea } from './areas/entry/area.ts';
import { evaluationArea } from './areas/evaluation/area.ts';
import { helpArea } from './areas/help/area.ts';
import { homeArea } from './areas/home/area.ts';
import { hostArea } from './areas/host/area.ts';
import { imageArea } from './areas/image/area.ts';
import { modelCallsArea } from './areas/inference/area.ts';
import { instanceArea } from './areas/instances/area.ts';
import { deploymentArea } from './areas/model-deployments/area.ts';
import { modelArea } from './areas/models/area.ts';
import { monitorArea } from './areas/monitoring/area.ts';
import { organizationArea } from './areas/organization/area.ts';
import { processingArea } from './areas/processing/area.ts';
import { storageArea } from './areas/storage/area.ts';
import { terminalArea } from './areas/terminal/area.ts';
import { tuningArea } from './areas/tuning/area.ts';

export const AREAS: readonly Area[] = [
  homeArea,
  hostArea,
  instanceArea,
  imageArea,
  storageArea,
  modelArea,
  deploymentArea,
  tuningArea,
  evaluationArea,
  modelCallsArea,
  chatArea,
  datasetArea,
  processingArea,
  monitorArea,
  alertArea,
  deployArea,
  accountArea,
  billingArea,
  organizationArea,
  entryArea,
  helpArea,
  terminalArea,
];
