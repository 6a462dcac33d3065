// Every error of the API: one row each, and its sentence in `words/<language>/problems.ts`.
import { sentence, type Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import * as en from '../words/en/problems.ts';
import * as ja from '../words/ja/problems.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/problems.ts';

/** Each code is unique; its first three digits are the HTTP status. */
export const PROBLEMS = {
  // The frame.
  invalid_field: 40001,
  malformed_json: 40002,
  nested_too_deep: 40003,
  two_tokens: 40004,
  bad_text: 40005,
  idempotency_key_rule: 40006,
  not_repeatable: 40007,
  malformed_request: 40008,
  headers_too_large: 43101,
  unauthenticated: 40101,
  permission_missing: 40301,
  second_factor_needed: 40302,
  not_found: 40401,
  no_such_route: 40402,
  cluster_unknown: 40403,
  namespace_unknown: 40404,
  method_not_allowed: 40501,
  request_too_slow: 40801,
  org_mismatch: 40901,
  conflict: 40902,
  action_not_allowed: 40903,
  too_large: 41301,
  too_many_values: 41302,
  wrong_media_type: 41501,
  idempotency_mismatch: 42201,
  too_many_requests: 42901,
  internal: 50001,
  unavailable: 50301,
  timed_out: 50302,

  // Accounts.
  username_required: 40010,
  username_rule: 40011,
  username_email: 40012,
  password_rule: 40013,
  email_rule: 40014,
  phone_rule: 40015,
  code_wrong: 40016,
  captcha_missing: 40017,
  registration_failed: 40018,
  modification_failed: 40019,
  terms_not_accepted: 40020,
  old_password_wrong: 40021,
  login_failed: 40022,
  login_over: 40023,
  login_by_what: 40024,
  account_closed: 40025,
  provider_unknown: 40026,
  provider_refused: 40027,
  register_type_closed: 40028,
  password_same: 40029,
  password_guessable: 40098,
  username_taken: 40910,
  address_taken: 40911,
  cannot_send: 40912,
  totp_on: 40913,
  totp_off: 40914,
  too_many_attempts: 42910,
  code_too_soon: 42911,

  // Organisations, keys, real names.
  plain_text: 40030,
  account_unknown: 40031,
  confirmation_missing: 40032,
  ssh_key_broken: 40033,
  expiry_passed: 40034,
  expiry_too_far: 40035,
  scope_beyond_role: 40036,
  id_card_format: 40037,
  credit_code_rule: 40038,
  commitment_missing: 40039,
  picture_kind: 40040,
  picture_missing: 40041,
  picture_unknown: 40042,
  contact_phone_rule: 40044,
  country_rule: 40045,
  document_number_rule: 40046,
  document_not_accepted: 40047,
  registration_number_rule: 40048,
  session_needed: 40330,
  view_only: 40331,
  view_ticket: 40049,
  last_owner: 40930,
  personal_organization: 40931,
  already_member: 40932,
  too_many_members: 40933,
  too_many_invitations: 42930,
  not_a_member: 40430,
  too_many_pending: 40950,
  invitation_closed: 40951,
  invitation_void: 40952,
  too_many_organizations: 40934,
  too_many_pub_keys: 40935,
  pub_key_exists: 40936,
  too_many_api_tokens: 40937,
  too_many_kubeconfigs: 40938,
  organization_not_ready: 40939,
  real_auth_state: 40940,
  personal_first: 40941,
  own_real_auth: 40942,
  real_auth_decided: 40944,
  real_auth_own_organization: 40945,
  second_reviewer: 40946,

  // Kinds.
  name_rule: 40061,
  host_name_rule: 40062,
  image_malformed: 40063,
  ssh_key_malformed: 40064,
  no_such_reference: 40065,
  confirmation_needed: 40066,
  nothing_selected: 40067,
  instance_not_shut_down: 40961,
  disk_in_use: 40962,
  not_enough_gpus: 40963,
  wrong_gpu: 40964,
  quota_exceeded: 40965,
  policy_refused: 40966,
  official_image: 40968,
  gpu_unknown: 40997,
  gpu_too_many: 40998,
  disk_for_one: 40999,
  revision_unknown: 40960,
  model_in_use: 40921,
  deployment_unservable: 40900,
  region_closed: 40405,
  region_name_taken: 42202,
  placed_elsewhere: 42203,
  schedule_unreadable: 40096,
  secrets_size: 40097,

  // Messages and streams.
  cursor_rule: 40080,
  watch_rule: 40081,
  too_many_streams: 42960,

  // Terminal, tenant web, files.
  container_not_running: 40970,
  too_many_terminals: 40971,
  too_many_terminal_sessions: 40984,
  port_not_published: 40972,
  tenant_web_off: 40973,
  not_published: 40954,
  no_notebook_token: 40994,
  registry_name_rule: 40087,
  registry_server_rule: 40088,
  registry_user_rule: 40089,
  registry_exists: 40995,
  too_many_registries: 40996,
  files_in_use: 40974,
  files_preparing: 40975,
  files_unavailable: 40976,
  log_not_kept: 40470,
  too_many_logs: 42970,
  too_many_downloads: 42971,
  transfer_too_slow: 40802,
  transfer_gave_way: 42973,
  file_path_rule: 40070,
  file_leads_outside: 40071,
  upload_not_understood: 40072,
  file_exists: 40977,
  file_wrong_kind: 40978,
  file_refused: 40979,
  upload_offset: 40980,
  file_busy: 40981,
  upload_gone: 40982,
  disk_full: 40983,
  file_too_large: 41370,
  folder_too_large: 41371,
  range_outside: 41670,

  // Prices and plans.
  price_in_past: 40093,
  sku_unknown: 40094,
  price_rule: 40095,
  plan_not_covered: 40261,
  plan_by_staff: 40991,
  plan_hosts: 40992,
  plan_unpriced: 40993,
  discount_target: 40055,
  discount_code_rule: 40056,
  discount_times: 40057,
  discount_code_invalid: 40480,
  discount_code_redeemed: 40925,
  discount_code_own: 42290,
  simulation_too_long: 42281,

  // Documents.
  zone_rule: 40082,
  tax_id_rule: 40083,
  amount_rule: 40086,
  range_order: 40085,
  range_rule: 40084,
  transfer_rule: 42280,
  approval_own: 40922,
  approval_decided: 40923,
  approval_own_organization: 42291,
  proof_running: 40924,

  // Operators.
  admin_query_rule: 40090,
  reason_needed: 40091,
  announcement_times: 40092,
  own_access: 40990,
  node_command: 40955,
  node_taken: 40956,
  node_kept: 42980,
  import_malformed: 40050,
  import_columns: 40051,
  import_address_missing: 40052,
  import_repeated: 40053,
  import_role_alone: 40054,
  import_role_high: 40099,
  import_too_long: 41372,
  edited_meanwhile: 40943,
  audit_check_running: 40947,
  cluster_check_running: 40919,
  mail_done: 40948,
  mail_useless: 40949,
  backup_off: 40929,
  backup_running: 40953,
  slug_rule: 40043,
  setting_link: 40058,
  setting_amount: 40059,
  setting_limits: 40068,
  setting_hours: 40069,
  setting_hour_list: 40009,
  setting_days: 40060,
  setting_addresses: 42263,
  setting_stock: 42295,
  setting_name: 42296,
  setting_logo: 42297,
  setting_color: 42298,
  setting_footer: 42299,
  setting_legal_number: 42289,
  slug_taken: 40957,
  about_exists: 40958,
  article_empty: 40959,

  // Features that are closed for a while.
  registration_closed: 40340,
  provider_login_closed: 40341,
  terminal_closed: 40342,
  files_closed: 40343,
  top_ups_closed: 40344,
  new_instances_closed: 40345,

  // The wallet.
  wallet_short: 40967,
  bill_not_movable: 40969,

  // The credit gate.
  not_enough_credit: 40265,
  spend_cap_reached: 40266,
  member_cap_reached: 40267,
  no_price: 40268,
  plan_limit: 40269,

  // Payments.
  amount_outside: 40073,
  currency_not_payable: 40074,
  webhook_malformed: 40079,
  webhook_signature: 40075,
  amount_unit: 40076,
  auto_recharge_card: 40077,
  auto_recharge_limit: 40078,
  payment_method_failed: 40270,
  payment_channel_missing: 40985,
  payment_not_open: 40986,
  refund_too_large: 40987,
  refund_under_way: 40988,
  payment_disputed: 40989,
  provider_away: 50370,

  // Models.
  model_version_rule: 42230,
  model_path_rule: 42231,
  model_path_twice: 42232,
  model_digest_rule: 42233,
  model_repository_rule: 42234,
  model_revision_rule: 42235,
  model_token_rule: 42236,
  model_piece_size: 42237,
  model_pickle: 42238,
  model_header: 42239,
  model_hash: 42240,
  model_shard_missing: 42241,
  model_hub_unknown: 42242,
  model_hub_gated: 42243,
  model_hub_empty: 42244,
  model_hub_too_large: 42245,
  model_hub_answer: 42246,
  model_disk_unknown: 42247,
  model_disk_empty: 42248,
  model_disk_changed: 42249,
  model_disk_too_large: 42251,
  model_id_rule: 42269,
  model_id_of_staff: 40361,
  model_id_exists: 42265,
  model_exists: 40904,
  model_version_exists: 40905,
  model_shelved: 40906,
  model_not_uploading: 40907,
  model_quota: 40908,
  too_many_models: 40909,
  model_abnormal: 40915,
  model_of_tenant: 40916,
  model_store_off: 40917,
  model_hub_off: 40918,
  too_many_model_aliases: 40927,
  model_alias_exists: 40928,
  too_many_chats: 40926,
  model_store_away: 50371,

  // Datasets.
  dataset_exists: 42204,
  dataset_shelved: 42205,
  dataset_abnormal: 42206,
  dataset_of_tenant: 42207,
  dataset_of_collected: 42208,
  dataset_files_missing: 42209,
  dataset_file_differs: 42210,
  dataset_not_ready: 42211,
  dataset_source_gone: 42212,
  task_files_gone: 42293,
  too_many_datasets: 42213,
  too_many_dataset_files: 42214,
  too_many_files: 42267,
  dataset_source_empty: 42219,
  dataset_source_path: 42220,
  dataset_source_twice: 42221,
  dataset_s3_rule: 42222,
  dataset_endpoint_rule: 42223,
  dataset_s3_inner: 42224,
  dataset_s3_refused: 42225,
  dataset_s3_answer: 42226,
  dataset_credentials_unknown: 42227,
  too_many_credentials: 42228,
  dataset_no_table: 42215,
  dataset_query_refused: 42216,
  dataset_query_too_much: 42217,
  dataset_query_too_large: 42278,
  base_untrainable: 42294,
  nothing_failed: 409101,
  dataset_profile_failed: 42218,
  dataset_preparing: 50373,
  dataset_server_failed: 50374,
  table_unreadable: 42229,
  table_column_unknown: 42266,

  // Metrics.
  monitor_off: 40920,
  monitor_away: 50372,
  monitor_window: 42250,
  monitor_query_syntax: 42254,
  monitor_query_letters: 42255,
  monitor_query_length: 42256,
  monitor_query_info: 42257,
  monitor_query_comment: 42258,
  monitor_query_hidden: 42264,
  monitor_query_selectors: 42259,
  monitor_query_duration: 42260,
  monitor_query_steps: 42261,
  monitor_query_labels: 42292,
  monitor_refused: 42252,
  monitor_too_much: 42253,
  too_many_dashboards: 42277,
  dashboard_file: 42262,

  // Alerts.
  policy_not_testable: 42270,
  inner_address: 42273,
  link_invalid: 42274,
  too_many_contacts: 42276,
  mailbox_confirmed: 409100,
  alarm_over: 42271,

  // Holds of cards on the market.
  card_held: 409102,
  cards_taken: 409103,
  hold_gone: 409104,
  hold_differs: 409105,
  price_changed: 409106,
  too_many_holds: 42912,
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** A problem without a sentence does not compile. */
export const PROBLEM_WORDS: Readonly<Record<ProblemCode, Words>> = joined('problem', {
  en: en.problems,
  zh: zh.problems,
  ja: ja.problems,
});

export type ProblemArgs = Readonly<Record<string, string | number>>;

/** Thrown anywhere in the gateway: the frame turns it into the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly problem: ProblemCode;
  readonly args: ProblemArgs;
  /** The field at fault, as a path: `spec.gpu.count`. */
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  get code(): number {
    return PROBLEMS[this.problem];
  }

  constructor(
    problem: ProblemCode,
    args: ProblemArgs = {},
    more: { field?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(problemSentence(problem, 'en', args), { cause: more.cause });
    this.problem = problem;
    this.args = args;
    this.field = more.field;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

export const problem = (...args: ConstructorParameters<typeof Problem>): Problem => new Problem(...args);

/** HTTP status of a problem. */
export const statusOf = (code: ProblemCode): number => Number(`${PROBLEMS[code]}`.slice(0, 3));

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEMS, text);

export function problemSentence(code: ProblemCode, language: Language, args: ProblemArgs): string {
  const texts = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, `${value}`]));
  return sentence(PROBLEM_WORDS[code], language, texts);
}
