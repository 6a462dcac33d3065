CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"phone" text,
	"password_hash" text,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"kind" text DEFAULT 'personal' NOT NULL,
	"terms_version" text,
	"terms_accepted_at" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "memberships" (
	"organization_id" text NOT NULL,
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "memberships_organization_id_account_id_pk" PRIMARY KEY("organization_id","account_id")
);

--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"personal_of" text,
	"currency" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"projected" integer DEFAULT 0 NOT NULL,
	"is_new" boolean DEFAULT true NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "platform_grants" (
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "platform_grants_account_id_role_pk" PRIMARY KEY("account_id","role")
);

--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"ip" text,
	"user_agent" text,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);

--> statement-breakpoint
CREATE TABLE "messages" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"notice_id" text NOT NULL,
	"account_id" text NOT NULL,
	"organization_id" text,
	"read_at" timestamp with time zone,
	CONSTRAINT "messages_id_unique" UNIQUE("id")
);

--> statement-breakpoint
CREATE TABLE "notices" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"title" jsonb NOT NULL,
	"content" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"created_by" text,
	CONSTRAINT "notices_key_unique" UNIQUE("key")
);

--> statement-breakpoint
CREATE TABLE "told_states" (
	"uid" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"version" bigint NOT NULL,
	"gone_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "codes" (
	"purpose" text NOT NULL,
	"address" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries_left" integer NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "codes_purpose_address_pk" PRIMARY KEY("purpose","address")
);

--> statement-breakpoint
CREATE TABLE "counters" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "known_addresses" (
	"account_id" text NOT NULL,
	"ip" text NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_addresses_account_id_ip_pk" PRIMARY KEY("account_id","ip")
);

--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"template" text NOT NULL,
	"language" text NOT NULL,
	"sealed_args" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"last_error" text
);

--> statement-breakpoint
CREATE TABLE "provider_identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);

--> statement-breakpoint
CREATE TABLE "provider_logins" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"secret_hash" text NOT NULL,
	"cookie_hash" text NOT NULL,
	"state_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"terms_version" text,
	"locale" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"account_id" text,
	"problem" text,
	"problem_args" jsonb
);

--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"account_id" text NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_codes_account_id_code_hash_pk" PRIMARY KEY("account_id","code_hash")
);

--> statement-breakpoint
CREATE TABLE "tickets" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"address" text,
	"account_id" text,
	"tries_left" integer DEFAULT 5 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "totps" (
	"account_id" text PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT -1 NOT NULL
);

--> statement-breakpoint
CREATE TABLE "used_puzzles" (
	"signature" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"key" text NOT NULL,
	"route" text NOT NULL,
	"input_hash" text NOT NULL,
	"holder" text,
	"held_until" timestamp with time zone NOT NULL,
	"answer" text,
	"version" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_account_id_organization_id_key_pk" PRIMARY KEY("account_id","organization_id","key")
);

--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"remark" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash")
);

--> statement-breakpoint
CREATE TABLE "key_removals" (
	"id" text PRIMARY KEY NOT NULL,
	"namespace" text NOT NULL,
	"public_key" text NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "kubeconfigs" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"remark" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"secret_uid" text,
	"revoked_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "pub_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"remark" text NOT NULL,
	"public_key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"real_auth_id" text,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "real_auths" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"type" integer NOT NULL,
	"state" text NOT NULL,
	"name" text NOT NULL,
	"id_card" text NOT NULL,
	"phone" text,
	"enterprise_name" text,
	"credit_code" text,
	"contact_name" text,
	"license_picture" text,
	"id_front_picture" text,
	"id_back_picture" text,
	"commitment_version" text NOT NULL,
	"committed_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"reason" text
);

--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"once" text,
	"account_id" text,
	"org_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"payload" jsonb NOT NULL,
	"posted_at" timestamp with time zone,
	CONSTRAINT "events_once_unique" UNIQUE("once")
);

--> statement-breakpoint
CREATE TABLE "access_tickets" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"caller" jsonb NOT NULL,
	"instance" text NOT NULL,
	"instance_uid" text NOT NULL,
	"port" integer,
	"expires_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "open_terminals" (
	"id" text PRIMARY KEY NOT NULL,
	"caller" jsonb NOT NULL,
	"instance" text NOT NULL,
	"ip" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "web_visits" (
	"cookie_hash" text PRIMARY KEY NOT NULL,
	"caller" jsonb NOT NULL,
	"instance" text NOT NULL,
	"instance_uid" text NOT NULL,
	"port" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "bills" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"currency" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"total" bigint NOT NULL,
	"paid" bigint NOT NULL,
	"credit_used" bigint NOT NULL,
	"channel" text NOT NULL,
	"source" text,
	"account_id" text,
	"reference" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL
);

--> statement-breakpoint
CREATE TABLE "holds" (
	"subject" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"account_id" text,
	"amount" bigint NOT NULL,
	"until" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"org_id" text,
	"currency" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "ledger_blocks" (
	"number" bigint PRIMARY KEY NOT NULL,
	"transfers" jsonb NOT NULL,
	"to_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"previous" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "postings" (
	"transfer_id" bigint NOT NULL,
	"leg" smallint NOT NULL,
	"debit" text NOT NULL,
	"credit" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "postings_transfer_id_leg_pk" PRIMARY KEY("transfer_id","leg"),
	CONSTRAINT "postings_amount" CHECK ("postings"."amount" > 0),
	CONSTRAINT "postings_two_accounts" CHECK ("postings"."debit" <> "postings"."credit")
);

--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"type" text NOT NULL,
	"org_id" text NOT NULL,
	"currency" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"posted_at" timestamp with time zone NOT NULL,
	"bill_id" text,
	"memo" jsonb NOT NULL,
	CONSTRAINT "transfers_key_unique" UNIQUE("key")
);

--> statement-breakpoint
CREATE TABLE "wallets" (
	"org_id" text PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"cash" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"debt" bigint NOT NULL,
	"overdraft" bigint NOT NULL,
	CONSTRAINT "wallets_signs" CHECK ("wallets"."cash" >= 0 AND "wallets"."credits" >= 0 AND "wallets"."debt" >= 0)
);

--> statement-breakpoint
CREATE TABLE "discounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "discounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" text NOT NULL,
	"source" text NOT NULL,
	"basis_points" integer NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "discounts_share" CHECK ("discounts"."basis_points" BETWEEN 0 AND 10000),
	CONSTRAINT "discounts_from_now" CHECK ("discounts"."valid_from" >= "discounts"."created_at")
);

--> statement-breakpoint
CREATE TABLE "plans_held" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plans_held_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" text NOT NULL,
	"plan" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "prices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sku" text NOT NULL,
	"region" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "prices_amount" CHECK ("prices"."amount" >= 0),
	CONSTRAINT "prices_from_now" CHECK ("prices"."valid_from" >= "prices"."created_at" OR ("prices"."created_by" = 'default' AND "prices"."valid_from" = 'epoch'))
);

--> statement-breakpoint
CREATE TABLE "meter_anomalies" (
	"uid" text NOT NULL,
	"seq" integer NOT NULL,
	"reason" text NOT NULL,
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"detail" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "meter_anomalies_uid_seq_reason_pk" PRIMARY KEY("uid","seq","reason")
);

--> statement-breakpoint
CREATE TABLE "meter_signs" (
	"region" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "meters" (
	"uid" text NOT NULL,
	"seq" integer NOT NULL,
	"org_id" text NOT NULL,
	"region" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"account_id" text,
	"subject_uid" text NOT NULL,
	"uses" jsonb NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone,
	"settled_to" timestamp with time zone NOT NULL,
	"cost" jsonb NOT NULL,
	CONSTRAINT "meters_uid_seq_pk" PRIMARY KEY("uid","seq"),
	CONSTRAINT "meters_forwards" CHECK ("meters"."to" IS NULL OR "meters"."to" >= "meters"."from")
);

--> statement-breakpoint
CREATE TABLE "slices" (
	"uid" text NOT NULL,
	"seq" integer NOT NULL,
	"use" smallint NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"is_correction" boolean NOT NULL,
	"org_id" text NOT NULL,
	"sku" text NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"price_id" bigint,
	"discount_basis_points" integer NOT NULL,
	"list" bigint NOT NULL,
	"net" bigint NOT NULL,
	"transfer_key" text,
	CONSTRAINT "slices_uid_seq_use_from_is_correction_pk" PRIMARY KEY("uid","seq","use","from","is_correction"),
	CONSTRAINT "slices_forwards" CHECK ("slices"."to" >= "slices"."from")
);

--> statement-breakpoint
CREATE TABLE "billing_profiles" (
	"org_id" text PRIMARY KEY NOT NULL,
	"zone" text DEFAULT 'UTC' NOT NULL,
	"legal_name" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"tax_id" text DEFAULT '' NOT NULL,
	"customer_id" text,
	"auto_recharge" boolean DEFAULT false NOT NULL,
	"recharge_below" bigint,
	"recharge_amount" bigint,
	"recharge_daily_limit" bigint,
	"monthly_cap" bigint,
	"member_caps" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"warned" text DEFAULT '' NOT NULL,
	"out_of_credit_since" timestamp with time zone,
	"warnings" integer DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"bill_id" text NOT NULL,
	"subject" text NOT NULL,
	"sku" text NOT NULL,
	"price_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"list" bigint NOT NULL,
	"net" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"channel" text NOT NULL,
	"setup_id" text,
	"provider_id" text,
	"brand" text DEFAULT '' NOT NULL,
	"last4" text DEFAULT '' NOT NULL,
	"expires" text DEFAULT '' NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "payment_methods_setup_id_unique" UNIQUE("setup_id"),
	CONSTRAINT "payment_methods_provider_id_unique" UNIQUE("provider_id")
);

--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"bill_id" text NOT NULL,
	"org_id" text NOT NULL,
	"channel" text NOT NULL,
	"provider_id" text,
	"method_id" text,
	"account_id" text,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL,
	"paid" bigint NOT NULL,
	"paid_at" timestamp with time zone,
	"refunded" bigint NOT NULL,
	"initiator" text NOT NULL,
	"failure" text,
	"dispute" text,
	"next" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"ask_at" timestamp with time zone,
	CONSTRAINT "payments_back" CHECK ("payments"."refunded" >= 0 AND "payments"."refunded" <= "payments"."paid")
);

--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"org_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"state" text NOT NULL,
	"provider_id" text,
	"failure" text,
	"by" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"ask_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "closed_months" (
	"org_id" text NOT NULL,
	"month" text NOT NULL,
	"zone" text NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"invoice_id" text,
	"closed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "closed_months_org_id_month_pk" PRIMARY KEY("org_id","month"),
	CONSTRAINT "closed_months_forwards" CHECK ("closed_months"."to" > "closed_months"."from")
);

--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"org_id" text NOT NULL,
	"month" text NOT NULL,
	"zone" text NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"lines" jsonb NOT NULL,
	"list" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"total" bigint NOT NULL,
	"credit_used" bigint NOT NULL,
	"paid" bigint NOT NULL,
	"recipient" jsonb NOT NULL,
	"issuer" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invoices_number_unique" UNIQUE("number"),
	CONSTRAINT "invoices_total" CHECK ("invoices"."total" = "invoices"."list" - "invoices"."discount")
);

--> statement-breakpoint
CREATE TABLE "turns" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "audit_blocks" (
	"organization_id" text NOT NULL,
	"seq" integer NOT NULL,
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	"entries" jsonb NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "audit_blocks_organization_id_seq_pk" PRIMARY KEY("organization_id","seq")
);

--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"actor_kind" text NOT NULL,
	"organization_id" text NOT NULL,
	"request_id" text NOT NULL,
	"action" text NOT NULL,
	"object" text,
	"decision" text NOT NULL,
	"status" integer NOT NULL,
	"reason" text,
	"ip" text NOT NULL,
	"user_agent" text
);

--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_personal_of_accounts_id_fk" FOREIGN KEY ("personal_of") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "platform_grants" ADD CONSTRAINT "platform_grants_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "known_addresses" ADD CONSTRAINT "known_addresses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "provider_identities" ADD CONSTRAINT "provider_identities_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "provider_logins" ADD CONSTRAINT "provider_logins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "totps" ADD CONSTRAINT "totps_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_accounts_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "key_removals" ADD CONSTRAINT "key_removals_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "kubeconfigs" ADD CONSTRAINT "kubeconfigs_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "kubeconfigs" ADD CONSTRAINT "kubeconfigs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pub_keys" ADD CONSTRAINT "pub_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_real_auth_id_real_auths_id_fk" FOREIGN KEY ("real_auth_id") REFERENCES "public"."real_auths"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "real_auths" ADD CONSTRAINT "real_auths_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "billing_profiles" ADD CONSTRAINT "billing_profiles_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "closed_months" ADD CONSTRAINT "closed_months_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_name" ON "accounts" USING btree (lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree (lower("email"));
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_phone" ON "accounts" USING btree ("phone");
--> statement-breakpoint
CREATE INDEX "memberships_account" ON "memberships" USING btree ("account_id");
--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "messages_once" ON "messages" USING btree ("notice_id","account_id");
--> statement-breakpoint
CREATE INDEX "messages_reader" ON "messages" USING btree ("account_id","seq");
--> statement-breakpoint
CREATE INDEX "messages_unread" ON "messages" USING btree ("account_id") WHERE "messages"."read_at" is null;
--> statement-breakpoint
CREATE INDEX "notices_announcements" ON "notices" USING btree ("ends_at") WHERE "notices"."kind" = 'announcement';
--> statement-breakpoint
CREATE INDEX "told_states_kind" ON "told_states" USING btree ("kind");
--> statement-breakpoint
CREATE INDEX "mails_waiting" ON "mails" USING btree ("next_at") WHERE "mails"."sent_at" is null and "mails"."failed_at" is null;
--> statement-breakpoint
CREATE INDEX "provider_identities_account" ON "provider_identities" USING btree ("account_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_logins_state" ON "provider_logins" USING btree ("state_hash");
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_address" ON "invitations" USING btree ("organization_id","email");
--> statement-breakpoint
CREATE INDEX "api_tokens_membership" ON "api_tokens" USING btree ("organization_id","account_id");
--> statement-breakpoint
CREATE INDEX "kubeconfigs_membership" ON "kubeconfigs" USING btree ("organization_id","account_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "pub_keys_key" ON "pub_keys" USING btree ("account_id","public_key");
--> statement-breakpoint
CREATE INDEX "pictures_account" ON "pictures" USING btree ("account_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "real_auths_account" ON "real_auths" USING btree ("account_id","type");
--> statement-breakpoint
CREATE INDEX "real_auths_state" ON "real_auths" USING btree ("state","submitted_at");
--> statement-breakpoint
CREATE INDEX "access_tickets_expiry" ON "access_tickets" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "open_terminals_seen" ON "open_terminals" USING btree ("seen_at");
--> statement-breakpoint
CREATE INDEX "web_visits_expiry" ON "web_visits" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "bills_org" ON "bills" USING btree ("org_id","at");
--> statement-breakpoint
CREATE INDEX "bills_reference" ON "bills" USING btree ("reference");
--> statement-breakpoint
CREATE INDEX "bills_due" ON "bills" USING btree ("org_id","at") WHERE "bills"."status" IN ('unpaid', 'partially_paid');
--> statement-breakpoint
CREATE INDEX "holds_org" ON "holds" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "transfers_org" ON "transfers" USING btree ("org_id","at");
--> statement-breakpoint
CREATE INDEX "discounts_org" ON "discounts" USING btree ("org_id","source","valid_from");
--> statement-breakpoint
CREATE INDEX "plans_held_org" ON "plans_held" USING btree ("org_id","valid_from");
--> statement-breakpoint
CREATE INDEX "prices_sku" ON "prices" USING btree ("sku","region","currency","valid_from");
--> statement-breakpoint
CREATE INDEX "meter_anomalies_at" ON "meter_anomalies" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "meters_due" ON "meters" USING btree ("org_id","uid","seq") WHERE "to" IS NULL OR "settled_to" <> "to";
--> statement-breakpoint
CREATE INDEX "slices_org" ON "slices" USING btree ("org_id","from");
--> statement-breakpoint
CREATE INDEX "orders_org" ON "orders" USING btree ("org_id","from");
--> statement-breakpoint
CREATE INDEX "orders_subject" ON "orders" USING btree ("subject");
--> statement-breakpoint
CREATE INDEX "payment_methods_org" ON "payment_methods" USING btree ("org_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payments_provider" ON "payments" USING btree ("channel","provider_id");
--> statement-breakpoint
CREATE INDEX "payments_bill" ON "payments" USING btree ("bill_id");
--> statement-breakpoint
CREATE INDEX "payments_org" ON "payments" USING btree ("org_id","created_at");
--> statement-breakpoint
CREATE INDEX "payments_ask" ON "payments" USING btree ("ask_at") WHERE "payments"."ask_at" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "payments_auto" ON "payments" USING btree ("org_id") WHERE "initiator" = 'auto' AND "state" = 'open';
--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");
--> statement-breakpoint
CREATE INDEX "refunds_ask" ON "refunds" USING btree ("ask_at") WHERE "refunds"."ask_at" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "closed_months_from" ON "closed_months" USING btree ("org_id","from");
--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_month" ON "invoices" USING btree ("org_id","month");
--> statement-breakpoint
CREATE INDEX "audit_blocks_to" ON "audit_blocks" USING btree ("to_id");
--> statement-breakpoint
CREATE INDEX "audit_log_organization" ON "audit_log" USING btree ("organization_id","id");
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% may only grow', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_log" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "audit_blocks_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_blocks" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_blocks" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "ledger_accounts_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_accounts" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "ledger_accounts" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "transfers_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "transfers" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "transfers" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "postings_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "postings" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "postings" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "ledger_blocks_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_blocks" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "ledger_blocks" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "prices_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "prices" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "prices" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "discounts_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "discounts" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "discounts" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "plans_held_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "plans_held" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "plans_held" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "slices_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "slices" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "slices" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "invoices_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "invoices" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "invoices" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE TRIGGER "closed_months_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "closed_months" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "closed_months" FROM PUBLIC, CURRENT_USER;
--> statement-breakpoint
CREATE FUNCTION announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_writers" BEFORE INSERT ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION announce_writer('7115001');
--> statement-breakpoint
CREATE TRIGGER "transfers_writers" BEFORE INSERT ON "transfers" FOR EACH STATEMENT EXECUTE FUNCTION announce_writer('7115013');
