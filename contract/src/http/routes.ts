// Every route of the API, one area each. The gateway does not start while one is not served.

import { HOME_COMMANDS } from '../areas/admin/admin-home.ts';
import { ALERT_ROUTES } from '../areas/alerts/alerts.ts';
import { AUDIT_COMMANDS } from '../areas/audit/admin-audit.ts';
import { BILLING_COMMANDS } from '../areas/billing/admin-billing.ts';
import { DISCOUNT_COMMANDS } from '../areas/billing/admin-discount.ts';
import { PRICE_COMMANDS } from '../areas/billing/admin-prices.ts';
import { DOCUMENT_ROUTES } from '../areas/billing/documents.ts';
import { PAYMENT_ROUTES, PAYMENT_STAFF_ROUTES } from '../areas/billing/payments.ts';
import { PRICE_ROUTES } from '../areas/billing/prices.ts';
import { WALLET_ROUTES } from '../areas/billing/wallet.ts';
import { SERVICE_ROUTES } from '../areas/container-services/container-services.ts';
import { DATASET_COMMANDS } from '../areas/datasets/admin-datasets.ts';
import { DATASET_ROUTES } from '../areas/datasets/datasets.ts';
import { DATASET_QUESTION_ROUTES } from '../areas/datasets/questions.ts';
import { DATASET_TABLE_ROUTES } from '../areas/datasets/tables.ts';
import { DOCTOR_COMMANDS } from '../areas/doctor/admin-doctor.ts';
import { EVALUATION_ROUTES } from '../areas/evaluation/evaluation.ts';
import { ACCOUNT_ROUTES } from '../areas/identity/account.ts';
import { PEOPLE_COMMANDS } from '../areas/identity/admin-people.ts';
import { KEY_ROUTES } from '../areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '../areas/identity/organization.ts';
import { REAL_AUTH_ROUTES } from '../areas/identity/real-auth.ts';
import { REGISTRY_ROUTES } from '../areas/identity/registries.ts';
import { VIEW_ROUTES } from '../areas/identity/view-as-tenant.ts';
import { IDLE_ROUTES } from '../areas/idle/idle.ts';
import { CHAT_ROUTES } from '../areas/inference/chats.ts';
import { COMPLETION_ROUTES } from '../areas/inference/completions.ts';
import { FILE_ROUTES } from '../areas/instances/files.ts';
import { TERMINAL_ROUTES } from '../areas/instances/terminal.ts';
import { COMPUTING_COMMANDS } from '../areas/kinds/admin-computing.ts';
import { CATALOGUE_ROUTES, MOUNT_ROUTES } from '../areas/kinds/catalogue.ts';
import { LINEAGE_ROUTES } from '../areas/lineage/lineage.ts';
import { MESSAGE_ROUTES } from '../areas/messages/messages.ts';
import { MODEL_COMMANDS } from '../areas/models/admin-models.ts';
import { COLLECTED_ROUTES } from '../areas/models/collected.ts';
import { MODEL_ROUTES } from '../areas/models/models.ts';
import { CLUSTER_METRICS_ROUTES } from '../areas/monitoring/admin-monitor.ts';
import { DASHBOARD_ROUTES } from '../areas/monitoring/dashboards.ts';
import { MONITOR_ROUTES } from '../areas/monitoring/monitor.ts';
import { PORTAL_COMMANDS } from '../areas/portal/admin-portal.ts';
import { API_REFERENCE_ROUTES } from '../areas/portal/api-reference.ts';
import { HOLD_ROUTES } from '../areas/portal/holds.ts';
import { LIBRARY_ROUTES } from '../areas/portal/library.ts';
import { MARKET_ROUTES } from '../areas/portal/market.ts';
import { PORTAL_ROUTES } from '../areas/portal/portal.ts';
import { STATUS_COMMANDS, STATUS_ROUTES } from '../areas/portal/status.ts';
import { PROCESSING_ROUTES } from '../areas/processing/processing.ts';
import { OPERATION_COMMANDS } from '../areas/settings/admin-operation.ts';
import { PLATFORM_ROUTES } from '../areas/settings/platform.ts';
import { TRACKING_ROUTES } from '../areas/tracking/tracking.ts';
import { TUNING_ROUTES } from '../areas/tuning/tuning.ts';
import { ADMIN_READS } from './admin.ts';
import { ADMIN_EXPORTS } from './admin-exports.ts';
import type { RouteFacts } from './define-route.ts';
import { KIND_ROUTES_BY_ID } from './kind-routes.ts';

export const ROUTES: Readonly<Record<string, RouteFacts>> = {
  ...PLATFORM_ROUTES,
  ...PORTAL_ROUTES,
  ...STATUS_ROUTES,
  ...MARKET_ROUTES,
  ...HOLD_ROUTES,
  ...LIBRARY_ROUTES,
  ...API_REFERENCE_ROUTES,
  ...ACCOUNT_ROUTES,
  ...ORGANIZATION_ROUTES,
  ...IDLE_ROUTES,
  ...VIEW_ROUTES,
  ...KEY_ROUTES,
  ...REAL_AUTH_ROUTES,
  // Before the kinds' own: `{id}` would be `mount`.
  ...MOUNT_ROUTES,
  ...CATALOGUE_ROUTES,
  ...ALERT_ROUTES,
  ...KIND_ROUTES_BY_ID,
  ...MODEL_ROUTES,
  ...DATASET_ROUTES,
  ...DATASET_TABLE_ROUTES,
  ...DATASET_QUESTION_ROUTES,
  ...PROCESSING_ROUTES,
  ...TRACKING_ROUTES,
  ...TUNING_ROUTES,
  ...EVALUATION_ROUTES,
  ...LINEAGE_ROUTES,
  ...COMPLETION_ROUTES,
  ...CHAT_ROUTES,
  ...COLLECTED_ROUTES,
  ...MONITOR_ROUTES,
  ...DASHBOARD_ROUTES,
  ...MESSAGE_ROUTES,
  ...TERMINAL_ROUTES,
  ...SERVICE_ROUTES,
  ...FILE_ROUTES,
  ...REGISTRY_ROUTES,
  ...WALLET_ROUTES,
  ...DOCUMENT_ROUTES,
  ...PRICE_ROUTES,
  ...PAYMENT_ROUTES,
  ...ADMIN_READS,
  ...ADMIN_EXPORTS,
  ...HOME_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...AUDIT_COMMANDS,
  ...BILLING_COMMANDS,
  ...COMPUTING_COMMANDS,
  ...OPERATION_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...CLUSTER_METRICS_ROUTES,
  ...PORTAL_COMMANDS,
  ...STATUS_COMMANDS,
  ...MODEL_COMMANDS,
  ...DATASET_COMMANDS,
  ...PRICE_COMMANDS,
  ...DISCOUNT_COMMANDS,
  ...PAYMENT_STAFF_ROUTES,
};
