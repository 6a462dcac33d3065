// Every error of the API, by its row in http/problem.ts.

export const problems = {
  // The frame.
  invalid_field: '%{field}: %{rule}',
  malformed_json: 'The body is not JSON: %{detail}',
  nested_too_deep: 'The body is nested deeper than %{most} levels.',
  two_tokens: 'X-Token and Authorization carry two different tokens.',
  bad_text: '%{field}: the text contains characters that are not allowed.',
  idempotency_key_rule: 'Idempotency-Key has 1 to 255 letters, digits and . _ : -',
  not_repeatable: 'This call does not support an Idempotency-Key: its answer is not kept.',
  malformed_request: 'The request is not valid HTTP.',
  headers_too_large: 'The headers of the request are too large.',
  unauthenticated: 'no valid user token provided',
  permission_missing: 'Insufficient permission: the feature is unavailable, contact the provider.',
  second_factor_needed: 'Staff need a second factor here; set one up first.',
  not_found: '%{what} does not exist.',
  no_such_route: 'There is nothing at this path.',
  cluster_unknown: 'Cluster ID does not exist.',
  namespace_unknown: 'Namespace does not exist.',
  method_not_allowed: 'Operation not supported. Allowed here: %{allowed}.',
  request_too_slow:
    'The body took longer than %{seconds} second to arrive. |||| The body took longer than %{seconds} seconds to arrive.',
  org_mismatch: '%{field} does not match the organisation or person of the token.',
  conflict: 'Somebody else changed it in the meantime; read it again.',
  action_not_allowed: '%{action} is not possible in the state %{phase}, only in: %{from}.',
  too_large: 'The body is larger than %{most} bytes.',
  too_many_values: 'The body has more than %{most} values in lists and objects.',
  wrong_media_type: 'The body must be %{wanted}.',
  idempotency_mismatch: 'Idempotency-Key was already used for another request.',
  too_many_requests:
    'Too many requests; try again in %{seconds} second. |||| Too many requests; try again in %{seconds} seconds.',
  internal: 'Back-end data error.',
  unavailable:
    'Not available at the moment; try again in %{seconds} second. |||| Not available at the moment; try again in %{seconds} seconds.',
  timed_out:
    'The request took longer than %{seconds} second; it may still take effect. |||| The request took longer than %{seconds} seconds; it may still take effect.',

  // Accounts.
  username_required: 'Please enter a username',
  username_rule: 'A username has 5 to 20 letters, digits and . - _ @.',
  username_email: 'A username that is an e-mail address must be your own, verified one.',
  password_rule: 'A password has 8 to 16 characters with letters and digits, and no spaces.',
  email_rule: 'Please enter a valid e-mail address.',
  phone_rule: 'Please enter a valid phone number.',
  code_wrong: 'Verification code error.',
  captcha_missing: 'Please complete the captcha.',
  registration_failed: 'Registration failed.',
  modification_failed: 'Modification failed.',
  terms_not_accepted: 'Version %{version} of the terms must be accepted.',
  old_password_wrong: 'Incorrect old password.',
  login_failed: 'Wrong account or password.',
  login_over: 'The login took too long; start again.',
  login_by_what: 'Send account and password, ticket and code, or provider.',
  account_closed: 'This account is closed; contact the provider.',
  provider_unknown: 'There is no login provider %{provider}.',
  provider_refused: 'The login at %{provider} failed; start again.',
  register_type_closed: 'You can only register by %{type}.',
  password_same: 'The new password must differ from the old one.',
  password_guessable:
    'This password is easy to guess: it is a common one, or contains your name, your address or “gantry”.',
  username_taken: 'The username %{name} is taken.',
  address_taken: 'Another account uses this address.',
  cannot_send: 'Messages cannot be sent by %{type}.',
  totp_on: 'The second factor is already on.',
  totp_off: 'The second factor is off.',
  too_many_attempts:
    'Too many failed attempts; try again in %{seconds} second. |||| Too many failed attempts; try again in %{seconds} seconds.',
  code_too_soon:
    'A code was just sent; request another in %{seconds} second. |||| A code was just sent; request another in %{seconds} seconds.',

  // Organisations, keys, real names.
  plain_text: 'It contains invisible or look-alike characters, or spaces at the start or end.',
  account_unknown: 'No account has the name %{account}. Invite the person by e-mail address instead.',
  confirmation_missing: 'Everything in it will be lost. To confirm, repeat its ID: ?confirm=%{id}',
  ssh_key_broken: 'The public key cannot be used: %{detail}.',
  expiry_passed: 'The expiry must be in the future.',
  expiry_too_far: 'The expiry can be at most %{days} day ahead. |||| The expiry can be at most %{days} days ahead.',
  scope_beyond_role: 'Your role does not have the right %{right}.',
  id_card_format: 'ID card format error.',
  credit_code_rule: 'A credit code has 18 or 15 digits and capital letters.',
  commitment_missing: 'The mining commitment must be ticked.',
  picture_kind: 'A picture must be JPG, JPEG or PNG.',
  picture_missing: 'Send one picture, and nothing else.',
  picture_unknown: 'There is no such picture of yours; upload it first.',
  contact_phone_rule:
    'A phone number has 6 to 15 digits. One from another country begins with + and the country code: +1 415 555 0132.',
  country_rule: 'Choose the country that issued the document.',
  document_number_rule: 'A document number has 4 to 24 letters and digits.',
  document_not_accepted: 'This document is not accepted here; use your ID card.',
  registration_number_rule: 'A registration number has 2 to 32 letters, digits, spaces, dots, slashes or hyphens.',
  session_needed: 'An API token cannot do this: log in.',
  view_only:
    'You are viewing as a tenant: you can read, but you cannot change anything or open terminals, files, logs or secrets.',
  view_ticket: 'This link has been used or is older than 30 seconds. Open the view again in the operators’ console.',
  last_owner: 'This is the only owner: make somebody else an owner first.',
  personal_organization: 'A personal organisation stays with its owner.',
  already_member: '%{account} is already a member.',
  too_many_members: 'An organisation has at most %{most} members and invitations.',
  too_many_invitations: 'One person can send at most %{most} invitations an hour. Try again later.',
  not_a_member: '%{account} is not a member of this organisation. Spending caps are for members.',
  too_many_pending:
    'An organisation can have at most %{most} pending invitations. Withdraw one, or wait for an answer.',
  invitation_closed: 'This invitation is no longer open. Ask for a new one.',
  invitation_void: '%{actor} may no longer invite you to %{organization} in this role. Ask for a new invitation.',
  too_many_organizations: 'One person owns at most %{most} organisations.',
  too_many_pub_keys: 'At most %{most} SSH keys per user.',
  pub_key_exists: 'You already have this key, as %{remark}.',
  too_many_api_tokens: 'At most %{most} API tokens per person and organisation.',
  too_many_kubeconfigs: 'At most %{most} kubeconfigs per person and organisation.',
  organization_not_ready: 'The organisation is still being set up; try again in a moment.',
  real_auth_state: 'Not possible while the submission is %{state}.',
  personal_first: 'The person must be certified before the enterprise.',
  own_real_auth: 'You cannot review your own submission.',
  real_auth_decided: '%{who} has already decided this submission.',
  real_auth_own_organization: 'You cannot review a person of your own organisation.',
  second_reviewer: 'You have already approved this submission; another person must decide.',

  // Kinds.
  name_rule: 'A name may contain only Chinese characters, letters, digits and underscore.',
  host_name_rule: 'The name of a host may contain only letters, digits and underscore.',
  image_malformed: 'Malformed: an image is written repo/name:tag or repo/name@sha256:…, such as pytorch/pytorch:2.4.0',
  ssh_key_malformed: 'The key %{remark} is not an OpenSSH public key: %{rule}.',
  no_such_reference: 'There is no %{what} %{name} in this organisation.',
  confirmation_needed: 'All data on the disk will be lost. To confirm, repeat its ID: confirm=%{id}.',
  nothing_selected: 'At least one record must be selected.',
  instance_not_shut_down: 'Instance is not shut down, cannot release. Please shut down and then release.',
  disk_in_use: 'The disk %{disk} is mounted by %{by}. Unmount it first, or shut down the instance that uses it.',
  not_enough_gpus:
    'Host %{host} has %{free} of %{all} GPUs free, at most %{largest} on one node; %{wanted} GPU is requested. Choose fewer, or stop an instance that runs there. |||| Host %{host} has %{free} of %{all} GPUs free, at most %{largest} on one node; %{wanted} GPUs are requested. Choose fewer, or stop an instance that runs there.',
  wrong_gpu:
    'Host %{host} has %{count} × %{model} on each node; %{wanted} × %{asked} do not fit there. Choose at most %{count} × %{model}, or run it elsewhere.',
  quota_exceeded:
    "The organisation's quota of %{resource} does not allow it: %{used} of %{limit} are in use, and %{requested} more are requested. Request less, release what is not needed, or ask the provider for a larger quota.",
  policy_refused: '%{detail}',
  official_image: 'The image %{image} is offered by the platform; only its staff can change it.',
  gpu_unknown: 'No node has the GPU model %{model}. The cluster has: %{models}.',
  gpu_too_many:
    'No node has %{wanted} × %{model}: at most %{most} GPU fits on one. Choose at most %{most}, or another model. |||| No node has %{wanted} × %{model}: at most %{most} GPUs fit on one. Choose at most %{most}, or another model.',
  disk_for_one:
    'The disk %{disk} allows only one writer, but %{workers} worker is requested. Use a disk that allows several. |||| The disk %{disk} allows only one writer, but %{workers} workers are requested. Use a disk that allows several.',
  revision_unknown: 'There is no revision %{revision} to roll back to. Available revisions: %{revisions}.',
  model_in_use: 'In use by %{users}. Delete or change that first.',
  deployment_unservable: 'It cannot be deployed this way. %{why}',
  region_closed: 'Nothing can be created in %{region} from here.',
  region_name_taken:
    'In %{region}, another organisation already uses this organisation’s name, so nothing can be created there. Ask the provider.',
  placed_elsewhere:
    '%{what} is in %{region}. Web pages, saved logs, metrics, disks and images of objects there are not available from here yet.',
  schedule_unreadable:
    '%{field}: %{value} is not valid. A schedule is written as 30 2 * * 1-5, a time zone as Europe/Berlin.',
  secrets_size: 'Secret variables may contain at most %{most} KiB in total.',

  // Messages and streams.
  cursor_rule: 'cursor must come from an earlier answer of the same list.',
  watch_rule: 'watch must be * or plural names of kinds, separated by commas.',
  too_many_streams:
    'Too many streams are open; close one, or try again in %{seconds} second. |||| Too many streams are open; close one, or try again in %{seconds} seconds.',

  // Terminal, tenant web, files.
  container_not_running: 'Container is not running.',
  too_many_terminals: 'One person can have at most %{most} terminals open.',
  too_many_terminal_sessions:
    'One person can have at most %{most} terminal sessions in an instance. Close one, or attach to it.',
  port_not_published: 'Port %{port} is not published.',
  tenant_web_off: 'This installation does not serve the web content of instances.',
  not_published: 'The service is not published: set spec.publish.',
  no_notebook_token: 'The instance has no notebook token at the moment.',
  registry_name_rule:
    'A name has at most 50 lower-case letters, digits and hyphens, and neither begins nor ends with a hyphen.',
  registry_server_rule:
    'A registry is a host with its port where it has one, such as ghcr.io or registry.example.com:5000.',
  registry_user_rule: 'The user of a registry cannot contain a colon.',
  registry_exists: 'There is already a registry or a Secret of this name.',
  too_many_registries: 'At most %{most} private registries per organisation.',
  files_in_use: 'The disk allows only one writer, currently %{by}: use sftp there.',
  files_preparing:
    'The files are being prepared; try again in %{seconds} second. |||| The files are being prepared; try again in %{seconds} seconds.',
  files_unavailable: 'The files cannot be served: %{detail}',
  log_not_kept: 'The log of this run is not kept.',
  too_many_logs: 'One person reads at most %{most} logs at a time, and one organisation at most %{all}.',
  file_path_rule:
    'A path has at most 4096 bytes, and names of at most 255 bytes, none of which is ., .. or reserved for uploads.',
  file_leads_outside: 'The path leads out of the disk through a link, and such links are never followed.',
  upload_not_understood: 'The upload is not valid: %{detail}',
  file_exists: 'It already exists.',
  file_wrong_kind: 'That is not possible here: %{detail}',
  file_refused: 'The disk does not allow this, or is currently read-only.',
  upload_offset: 'The upload continues at byte %{offset}.',
  file_busy: 'Something else is changing it; try again.',
  upload_gone: 'The unfinished upload is gone; start again.',
  disk_full: 'The disk is full.',
  file_too_large: 'It is larger than this disk allows a file to be.',
  folder_too_large: 'The folder has too many files or too many levels for this.',
  range_outside: 'The file has no such range.',

  // Prices and plans.
  price_in_past: 'A price or discount can start at %{soonest} at the earliest: earlier usage keeps its price.',
  sku_unknown: 'There is nothing named %{sku} that can have a price.',
  price_rule: 'A price is a decimal of at most six places, not below zero.',
  plan_not_covered: 'A month of the %{plan} plan costs %{wanted} %{currency}; %{available} %{currency} is available.',
  plan_by_staff: 'Only the provider can assign or end the %{plan} plan: contact them.',
  plan_hosts:
    'The %{plan} plan allows %{cap} host, and you have %{held}: release %{over} first. |||| The %{plan} plan allows %{cap} hosts, and you have %{held}: release %{over} first.',
  plan_unpriced: 'The %{plan} plan has no price at the moment: contact the provider.',
  discount_target:
    'A discount is for one organisation, plan, SKU or code: fill in only the field that matches its type.',
  discount_code_rule: 'A code has 4 to 32 letters and digits (0–9, A–Z, a–z).',
  discount_times: 'A discount must end after it starts.',
  discount_code_invalid: 'This code does not exist, is no longer valid or has been used up.',
  discount_code_redeemed: 'Your organisation has already redeemed this code.',
  discount_code_own: 'This code cannot be used here: a person who made or approved it belongs to this organisation.',
  simulation_too_long:
    'Last month has too much usage to answer within %{seconds} seconds. Try fewer SKUs, or try later.',

  // Documents.
  zone_rule: 'A time zone must be an IANA name, such as Asia/Kolkata.',
  tax_id_rule: 'A tax ID has 3 to 40 letters and digits, with spaces, full stops, slashes and hyphens between them.',
  amount_rule:
    'An amount has at most two decimals, after a point, such as 2000 or 2000.50; a payment must be above zero.',
  range_order: 'A time range must end after it starts.',
  range_rule: 'A time range must end after it starts, and may cover at most %{most} days.',
  transfer_rule:
    'A grant adds credits, above zero; an adjustment adds or deducts money, and only deducts credits. Two decimals at most.',
  approval_own: 'You cannot decide your own request: another person must decide it.',
  approval_decided: 'This request has already been decided: %{state}.',
  approval_own_organization: 'You cannot decide for an organisation that you belong to: another person must decide.',
  proof_running: 'The books are already being verified.',

  // Operators.
  admin_query_rule:
    'sort is ["field","ASC"], range is [first,last] of at most 1000 rows, filter is an object of known fields.',
  reason_needed: 'Staff must give a reason for every action.',
  announcement_times: 'An announcement must end after it starts.',
  own_access: 'You cannot change your own access.',
  node_command: '%{command} is not possible in the current state of %{node}.',
  node_taken: '%{node} belongs to a host, or instances run there. Empty it first.',
  node_kept:
    'PodDisruptionBudgets keep Pods on %{node} for now: %{pods}. All others were evicted; drain it again later.',
  import_malformed: 'Line %{line} of the file is not valid CSV: %{detail}',
  import_columns:
    'The first line names the columns: %{known}, each at most once, and name is required. Unknown: %{column}',
  import_address_missing: 'An e-mail address or a phone number is needed: the person sets a password with it.',
  import_repeated: 'Line %{line} has the same %{what}.',
  import_role_alone: 'A role needs an organisation.',
  import_role_high: 'An import makes no owner or admin of an organisation: its owners appoint them.',
  import_too_long: 'The file has more than %{most} rows: split it.',
  edited_meanwhile: 'Somebody else has changed this in the meantime.',
  audit_check_running: 'This chain is already being verified.',
  cluster_check_running: 'The cluster is already being checked.',
  mail_done: 'This mail is no longer waiting, so it can be neither sent nor given up.',
  mail_useless:
    'The content of this mail was erased because it is no longer valid. The person has to request a new one.',
  backup_off: 'No bucket for backups is configured: set --backup-bucket and --backup-key-file.',
  backup_running: 'A backup is already being made.',
  slug_rule: 'An address has lower-case letters, digits and single hyphens, at most 63 characters.',
  setting_link: 'Must be empty, a web address that begins with https:// or http://, or an e-mail address.',
  setting_amount: 'Must be an amount such as 100 or 12.50.',
  setting_limits: 'Must be a range for each currency, separated by commas, such as USD:1-10000,EUR:1-10000.',
  setting_hours: 'Must be whole hours, at least 1.',
  setting_hour_list: 'Must be hours above zero, separated by commas, such as 24,3.',
  setting_days: 'Must be whole days; 0 keeps data indefinitely.',
  setting_addresses: 'Must be e-mail addresses, separated by commas, at most 20; or empty.',
  setting_stock: 'Must be exact or steps.',
  setting_name: 'A name has 1 to 40 characters, all of them visible.',
  setting_logo: 'Must be a PNG of at most 32 KiB and 1024 × 1024 pixels; or empty.',
  setting_color: 'Must be # and six hexadecimal digits, such as #1a56db; or empty.',
  setting_footer: 'Must be one line of at most 300 visible characters; or empty.',
  setting_legal_number: 'Must be one line of at most 100 visible characters; or empty.',
  setting_switch: 'Must be on or off.',
  slug_taken: 'Another article has the address %{slug}.',
  about_exists: 'There is a page of this kind already: edit that.',
  incident_start: 'An incident cannot start in the future.',
  incident_full: 'An incident has at most %{most} updates: write another one.',
  article_empty: 'Version %{number} has no text in at least one of the three languages.',

  // Features that are closed for a while. The note is a sentence of staff, or nothing.
  registration_closed: 'Registration is closed at the moment.%{note}',
  provider_login_closed: 'Logging in with another provider is not possible at the moment. Use your password.%{note}',
  terminal_closed: 'The terminal is not available at the moment. SSH works.%{note}',
  files_closed: 'The file browser is not available at the moment.%{note}',
  top_ups_closed: 'Topping up is not possible at the moment.%{note}',
  new_instances_closed: 'New instances cannot be created at the moment. Those that exist are not affected.%{note}',

  // The wallet.
  wallet_short: 'The wallet has %{available} %{currency} available, but %{wanted} %{currency} was requested.',
  bill_not_movable: 'Bill %{bill} is %{from} and cannot become %{to}.',

  // The credit gate.
  not_enough_credit: 'Needs %{wanted} %{currency}, %{available} %{currency} available.',
  spend_cap_reached:
    "Needs %{wanted} %{currency}, but only %{left} %{currency} of the organisation's monthly cap of %{cap} %{currency} is left: %{spent} %{currency} is spent or reserved.",
  member_cap_reached:
    'Needs %{wanted} %{currency}, but only %{left} %{currency} of your monthly cap of %{cap} %{currency} is left: %{spent} %{currency} is spent or reserved.',
  no_price: 'There is no price for %{what}, so it cannot be created.',
  plan_limit:
    'The %{plan} plan allows %{cap} host, and you have %{held}. |||| The %{plan} plan allows %{cap} hosts, and you have %{held}.',

  // Payments.
  amount_outside: '%{field}: it must be from %{least} %{currency} to %{most} %{currency}.',
  currency_not_payable: 'Payments in %{currency} are not possible.',
  webhook_malformed: 'The body is signed but is not an event of this provider.',
  webhook_signature: 'The signature is wrong or too old.',
  amount_unit: '%{field}: too many decimals for %{currency}.',
  auto_recharge_card: 'Automatic top-up needs a default card.',
  auto_recharge_limit: 'The daily limit must allow at least one top-up.',
  payment_method_failed: 'Add or Update Payment Method Failed. %{why}',
  payment_channel_missing: 'This is not possible with %{channel}.',
  payment_not_open: 'The payment %{payment} is no longer open: %{state}.',
  refund_too_large: 'At most %{most} %{currency} of this payment can be refunded.',
  refund_under_way: 'A refund of this payment is already in progress.',
  payment_disputed: 'The payment is disputed; the bank decides.',
  provider_away: 'The payment provider does not answer. Nothing is lost; try again later.',

  // Models.
  model_version_rule:
    'A version has at most 63 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
  model_path_rule:
    'A file path is made of names separated by slashes, such as folder/model.safetensors. No name may be . or ...',
  model_path_twice: 'Each file can be listed only once.',
  model_digest_rule: 'A SHA-256 has 64 digits and letters from a to f.',
  model_repository_rule: 'A repository of the hub is written owner/name, such as Qwen/Qwen3-8B.',
  model_revision_rule: 'A revision is a branch, a tag or a commit of the repository.',
  model_token_rule: 'A token has no spaces and only ASCII characters.',
  model_piece_size: 'The piece of %{path} at byte %{offset} must have exactly %{wanted} bytes.',
  model_pickle:
    '%{path} is a pickle file. It can run any program when it is loaded, so it is not accepted. Convert the model to SafeTensors or GGUF.',
  model_header: '%{path} is not a valid model file: %{detail}.',
  model_hash:
    'The content of %{path} does not match its source: SHA-256 %{actual} instead of %{wanted}. Send it again.',
  model_shard_missing: 'The model was split into several files, and %{path} is missing.',
  model_hub_unknown: 'The hub has no %{repository} at %{revision}, or does not show it to this organisation.',
  model_hub_gated:
    'The hub requires you to accept the conditions of %{repository}. Accept them there, then set the organisation’s token.',
  model_hub_empty: '%{repository} has no file to fetch: pickles are skipped, and no other file matches the patterns.',
  model_hub_too_large:
    '%{repository} has more than %{most} files, or one that is too large. Select files with patterns.',
  model_hub_answer: 'The hub sent an unexpected answer about %{path}: %{detail}.',
  model_disk_unknown: 'There is no %{path} on the disk %{disk}.',
  model_disk_empty:
    '%{folder} has no SafeTensors or GGUF file: pickles are skipped, and no other file matches the patterns.',
  model_disk_changed: '%{path} changed while it was being copied. Import it again once nothing writes to it.',
  model_disk_too_large: '%{folder} has more than %{most} files, or one that is too large. Select files with patterns.',
  model_id_rule: 'A model ID is mdl- followed by lower-case letters, digits and single hyphens, such as mdl-example.',
  model_id_of_staff: 'Only catalogue staff can choose the ID of a model.',
  model_id_exists: 'There is already a model with this ID.',
  model_exists: 'The space already has a model with this name.',
  model_version_exists: 'The model already has a version with this name. Versions never change: choose another name.',
  model_shelved: 'The library offers this model: the platform’s staff have to unshelve it first.',
  model_not_uploading: 'This version is not being uploaded.',
  model_quota:
    'The files need %{wanted} GiB, but %{used} of the organisation’s %{limit} GiB for stored data are in use. Delete a version, or ask the provider for more.',
  too_many_models: 'At most %{most} models per organisation, and %{versions} versions per model.',
  model_abnormal: 'The model has no complete version, so it can be neither shelved nor unshelved.',
  model_of_tenant: 'Only models of organisations that platform staff own can be shelved. This one belongs to a tenant.',
  model_store_off: 'This installation has no object store for files.',
  model_hub_off: 'This installation has no hub to import from.',
  too_many_model_aliases: 'At most %{most} model aliases per organisation.',
  model_alias_exists: 'There is already a model alias named %{name}.',
  too_many_chats: 'At most %{most} conversations are kept: delete some first.',
  model_store_away: 'The object store cannot be reached at the moment; try again.',

  // Datasets.
  dataset_exists: 'The data space already has a dataset with this name.',
  dataset_shelved: 'The platform offers this dataset to everybody: the platform’s staff have to unshelve it first.',
  dataset_abnormal: 'The dataset has no complete version, so it can be neither shelved nor unshelved.',
  dataset_of_tenant:
    'Only datasets of organisations that platform staff own can be shelved. This one belongs to a tenant.',
  dataset_of_collected: 'The dataset contains collected requests, so it cannot be offered to everybody.',
  dataset_files_missing:
    'The version has no files, or some have not arrived: %{path} is missing. Send the missing files, then complete the version.',
  dataset_file_differs: '%{path} is already listed with another size or SHA-256. Create another version for it.',
  dataset_not_ready: 'Only versions that are ready can be compared; version %{version} is not.',
  dataset_source_gone: '%{what} was deleted before it was copied.',
  task_files_gone: 'The task’s Pod ended before its files were copied.',
  too_many_datasets: 'At most %{most} datasets per organisation, and %{versions} versions per dataset.',
  too_many_files:
    'An organisation has at most %{most} files in its models and datasets. Delete versions that nobody needs.',
  too_many_downloads: 'At most %{most} downloads at once. Wait until one has ended, and try again.',
  transfer_too_slow:
    'Less than %{least} KiB were transferred within a minute, so the transfer was ended. Try again over a faster connection.',
  transfer_gave_way:
    'All places for transfers are taken, and your organisation has the most: this transfer was ended to make room for another organisation. Try again later.',
  too_many_dataset_files: 'A version has at most %{most} files. Combine small files.',
  dataset_source_empty: '%{what} has no file to import: no file has content and matches the patterns.',
  dataset_source_path:
    'The source has a file whose name cannot be used: %{path}. Rename it there, or select other files with patterns.',
  dataset_source_twice:
    'The source has two files whose names differ only in how accents are encoded: %{path}. Rename one of them there.',
  dataset_s3_rule:
    'An address is s3:// and a bucket, optionally followed by a folder or file, such as s3://data/train.',
  dataset_endpoint_rule: 'An endpoint is https:// or http:// and a host, without a path.',
  dataset_s3_inner: 'Import works only from public addresses, and %{host} is not one.',
  dataset_s3_refused:
    'The store did not return %{what}: %{detail}. Check the address, endpoint, region and credentials.',
  dataset_s3_answer: 'The store sent an unexpected answer about %{what}: %{detail}.',
  dataset_credentials_unknown: 'The organisation has no credentials named %{name}.',
  too_many_credentials: 'At most %{most} credentials per organisation: delete some first.',
  dataset_no_table: 'This version has no table. Its overview says why.',
  dataset_query_refused: 'The data server refuses this: %{why}',
  dataset_query_too_much: 'This takes more time, memory or disk space than one request may use. Narrow it down.',
  base_untrainable: 'This version cannot be trained: %{why}',
  nothing_failed: 'No unit of the newest run has failed, so there is nothing to try again.',
  dataset_query_too_large:
    'This reads %{size} GiB of tables, and the data server has room for %{most} GiB. Their rows can still be viewed page by page and downloaded.',
  dataset_profile_failed: 'The data could not be read as a table: %{why}',
  dataset_preparing: 'The table is being prepared (%{percent}%). Try again in a few seconds.',
  dataset_server_failed: 'The data server cannot run: %{detail}',
  table_unreadable: 'The table cannot be read: %{detail}.',
  table_column_unknown: 'The table has no column %{column}.',

  // Metrics.
  monitor_off: 'No Prometheus is configured for this platform, so there are no metrics.',
  monitor_away:
    'The metrics cannot be read at the moment; try again in %{seconds} second. |||| The metrics cannot be read at the moment; try again in %{seconds} seconds.',
  monitor_window: 'The end must come after the start, with at most %{points} points and %{days} days between them.',
  monitor_query_syntax: 'The query has a syntax error at character %{at}.',
  monitor_query_letters: 'Character %{at} of the query: only ASCII characters are allowed.',
  monitor_query_length: 'The query may have at most %{at} characters.',
  monitor_query_info:
    'Character %{at} of the query: info() is not available, because it reads series that no selector names.',
  monitor_query_comment: 'Character %{at} of the query: comments are not available.',
  monitor_query_hidden:
    'Character %{at} of the query: the labels instance, job, endpoint, id, metrics_path and prometheus are not available.',
  monitor_query_selectors: 'Character %{at} of the query: too many selectors; at most 20 are allowed.',
  monitor_query_duration: 'Character %{at} of the query: a duration such as 5m or 2h30m is needed, of at most a year.',
  monitor_query_steps:
    'Character %{at} of the query: the subqueries have too many steps; at most 11,000 are allowed in total.',
  monitor_query_labels:
    'Character %{at} of the query: a copied label would become too long; at most 16,384 characters are allowed.',
  monitor_refused: 'Prometheus refuses the query: %{why}',
  monitor_too_much: 'The answer would be too large; ask for fewer series or a shorter time range.',
  too_many_dashboards: 'At most %{most} dashboards per organisation: delete one first.',
  dashboard_file: 'This file is not a Grafana dashboard: it has no panels.',

  // Alerts.
  policy_not_testable: 'This metric has only a current value: there is no history to test or show.',
  inner_address: 'url: %{host} is not on the public internet',
  link_invalid: 'This link is no longer valid.',
  too_many_contacts: 'At most %{most} contact points per organisation.',
  mailbox_confirmed: '%{address} is already confirmed.',
  alarm_over: 'The alarm is over, so it can be neither closed nor snoozed.',
  card_held:
    'The last free %{model} is being started by somebody else. If they do not, it is free again within %{seconds} second. |||| The last free %{model} is being started by somebody else. If they do not, it is free again within %{seconds} seconds.',
  cards_taken: 'No node has %{gpus} × %{model} free at the moment.',
  hold_gone: 'The reservation of the GPU has ended. Nothing was created; you can continue without it.',
  hold_differs:
    'The reservation is for %{gpus} × %{model} in the shared pool of %{region}. Choose that, or continue without the reservation.',
  price_changed:
    'A %{model} was reserved at %{held} per hour, and now costs %{now} per hour. Nothing was created; continue without the reservation to accept the new price.',
  too_many_holds:
    'Too many GPUs are being reserved at the moment. Try again in %{seconds} second. |||| Too many GPUs are being reserved at the moment. Try again in %{seconds} seconds.',
};
