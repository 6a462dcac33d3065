// The generated files, as text: path → content. The same facts give the same bytes.

import { ALERT_ROUTES } from '@gantry/contract/areas/alerts/alerts.ts';
import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import { PAYMENT_ROUTES } from '@gantry/contract/areas/billing/payments.ts';
import { PRICE_ROUTES } from '@gantry/contract/areas/billing/prices.ts';
import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { SERVICE_ROUTES } from '@gantry/contract/areas/container-services/container-services.ts';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATASET_QUESTION_ROUTES } from '@gantry/contract/areas/datasets/questions.ts';
import { DATASET_TABLE_ROUTES } from '@gantry/contract/areas/datasets/tables.ts';
import { EVALUATION_ROUTES } from '@gantry/contract/areas/evaluation/evaluation.ts';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { REAL_AUTH_ROUTES } from '@gantry/contract/areas/identity/real-auth.ts';
import { REGISTRY_ROUTES } from '@gantry/contract/areas/identity/registries.ts';
import { VIEW_ROUTES } from '@gantry/contract/areas/identity/view-as-tenant.ts';
import { IDLE_ROUTES } from '@gantry/contract/areas/idle/idle.ts';
import { CHAT_ROUTES } from '@gantry/contract/areas/inference/chats.ts';
import { COMPLETION_ROUTES } from '@gantry/contract/areas/inference/completions.ts';
import { FILE_ROUTES } from '@gantry/contract/areas/instances/files.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { CATALOGUE_ROUTES, MOUNT_ROUTES } from '@gantry/contract/areas/kinds/catalogue.ts';
import { LINEAGE_ROUTES } from '@gantry/contract/areas/lineage/lineage.ts';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import { COLLECTED_ROUTES } from '@gantry/contract/areas/models/collected.ts';
import { MODEL_ROUTES } from '@gantry/contract/areas/models/models.ts';
import { DASHBOARD_ROUTES } from '@gantry/contract/areas/monitoring/dashboards.ts';
import { MONITOR_ROUTES } from '@gantry/contract/areas/monitoring/monitor.ts';
import { API_REFERENCE_ROUTES } from '@gantry/contract/areas/portal/api-reference.ts';
import { HOLD_ROUTES } from '@gantry/contract/areas/portal/holds.ts';
import { LIBRARY_ROUTES } from '@gantry/contract/areas/portal/library.ts';
import { MARKET_ROUTES } from '@gantry/contract/areas/portal/market.ts';
import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import { STATUS_ROUTES } from '@gantry/contract/areas/portal/status.ts';
import { PROCESSING_ROUTES } from '@gantry/contract/areas/processing/processing.ts';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { TRACKING_ROUTES } from '@gantry/contract/areas/tracking/tracking.ts';
import { TUNING_ROUTES } from '@gantry/contract/areas/tuning/tuning.ts';
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { stringify } from 'yaml';
import { callsFile } from './calls.ts';
import { chartFiles } from './chart/chart-files.ts';
import { checkNames } from './check-names.ts';
import { checkSchema } from './check-schema.ts';
import { crdOf, schemaOf } from './crd.ts';
import { innerGoFile } from './inner-go.ts';
import { installedPoliciesFile } from './installed-policies.ts';
import { platformNamespace, platformObjects } from './platform.ts';
import { policyObjects } from './policies.ts';
import { backupObjects, installCrdsObjects, rbacObjects } from './rbac.ts';

/** By the names of their files. What staff alone call is not here. */
const ROUTE_AREAS = {
  'areas/identity/account': { ACCOUNT_ROUTES },
  'areas/evaluation/evaluation': { EVALUATION_ROUTES },
  'areas/kinds/catalogue': { CATALOGUE_ROUTES, MOUNT_ROUTES },
  'areas/inference/chats': { CHAT_ROUTES },
  'areas/models/collected': { COLLECTED_ROUTES },
  'areas/inference/completions': { COMPLETION_ROUTES },
  'areas/monitoring/dashboards': { DASHBOARD_ROUTES },
  'areas/billing/documents': { DOCUMENT_ROUTES },
  'areas/instances/files': { FILE_ROUTES },
  'areas/alerts/alerts': { ALERT_ROUTES },
  'areas/idle/idle': { IDLE_ROUTES },
  'areas/lineage/lineage': { LINEAGE_ROUTES },
  'areas/monitoring/monitor': { MONITOR_ROUTES },
  'areas/identity/registries': { REGISTRY_ROUTES },
  'areas/identity/keys': { KEY_ROUTES },
  'areas/messages/messages': { MESSAGE_ROUTES },
  'areas/datasets/datasets': { DATASET_ROUTES },
  'areas/datasets/tables': { DATASET_TABLE_ROUTES },
  'areas/processing/processing': { PROCESSING_ROUTES },
  'areas/tracking/tracking': { TRACKING_ROUTES },
  'areas/tuning/tuning': { TUNING_ROUTES },
  'areas/datasets/questions': { DATASET_QUESTION_ROUTES },
  'areas/models/models': { MODEL_ROUTES },
  'areas/identity/organization': { ORGANIZATION_ROUTES },
  'areas/billing/payments': { PAYMENT_ROUTES },
  'areas/settings/platform': { PLATFORM_ROUTES },
  'areas/portal/holds': { HOLD_ROUTES },
  'areas/portal/api-reference': { API_REFERENCE_ROUTES },
  'areas/portal/library': { LIBRARY_ROUTES },
  'areas/portal/market': { MARKET_ROUTES },
  'areas/portal/portal': { PORTAL_ROUTES },
  'areas/portal/status': { STATUS_ROUTES },
  'areas/billing/prices': { PRICE_ROUTES },
  'areas/identity/real-auth': { REAL_AUTH_ROUTES },
  'areas/container-services/container-services': { SERVICE_ROUTES },
  'areas/instances/terminal': { TERMINAL_ROUTES },
  'areas/identity/view-as-tenant': { VIEW_ROUTES },
  'areas/billing/wallet': { WALLET_ROUTES },
};

/** Every generated file. Throws, naming kind and field, where a fact would not survive on an API server. */
export function generatedFiles(kinds: readonly KindFacts[] = Object.values(KINDS)): Record<string, string> {
  checkNames(kinds);
  for (const facts of kinds) checkSchema(facts, schemaOf(facts));
  const objects: Record<string, readonly object[]> = {
    ...Object.fromEntries(kinds.map((facts) => [`crds/${facts.plural}.yaml`, [crdOf(facts)]])),
    // Numbered, because `kubectl apply -f crds/platform` goes by name and accounts need their namespace.
    'crds/platform/0-namespace.yaml': platformNamespace(),
    'crds/platform/1-platform.yaml': platformObjects(),
    'crds/platform/2-rbac.yaml': rbacObjects(kinds),
    'crds/platform/3-policies.yaml': policyObjects(kinds),
    'crds/install-crds/rbac.yaml': installCrdsObjects(kinds),
    'crds/backup/rbac.yaml': backupObjects(kinds),
  };
  const written = Object.fromEntries(Object.entries(objects).map(([file, all]) => [file, yaml(all)]));
  return {
    ...written,
    ...chartFiles(),
    'contract/src/http/calls.ts': callsFile(ROUTE_AREAS, KINDS, KIND_ROUTES),
    'agent/imagesize/inner_addresses.go': innerGoFile('imagesize'),
    'contract/src/installed-policies.ts': installedPoliciesFile(policyObjects(kinds)),
  };
}

// YAML 1.1 is what kubectl reads: a bare `On` would be a boolean to it.
const yaml = (documents: readonly object[]): string =>
  `# Generated by make gen. Do not edit.\n${documents
    .map((document) => stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n')}`;
