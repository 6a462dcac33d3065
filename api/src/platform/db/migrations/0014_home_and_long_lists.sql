CREATE TABLE "run_events" (
	"uid" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"what" text NOT NULL,
	CONSTRAINT "run_events_uid_at_what_pk" PRIMARY KEY("uid","at","what")
);

--> statement-breakpoint
CREATE TABLE "staff_preferences" (
	"account_id" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "staff_preferences" ADD CONSTRAINT "staff_preferences_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "run_events_at" ON "run_events" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "accounts_by_name" ON "accounts" USING btree ("name","id");
--> statement-breakpoint
CREATE INDEX "accounts_by_email" ON "accounts" USING btree ("email","id");
--> statement-breakpoint
CREATE INDEX "accounts_by_created_at" ON "accounts" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "accounts_by_disabled_at" ON "accounts" USING btree ("disabled_at","id") WHERE "accounts"."disabled_at" is not null;
--> statement-breakpoint
CREATE INDEX "accounts_id_prefix" ON "accounts" USING btree ("id" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "accounts_name_prefix" ON "accounts" USING btree (lower("name") text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "accounts_email_prefix" ON "accounts" USING btree (lower("email") text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "accounts_phone_prefix" ON "accounts" USING btree ("phone" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "organizations_by_name" ON "organizations" USING btree ("name","id");
--> statement-breakpoint
CREATE INDEX "organizations_by_created_at" ON "organizations" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "organizations_personal_of" ON "organizations" USING btree ("personal_of");
--> statement-breakpoint
CREATE INDEX "organizations_id_prefix" ON "organizations" USING btree ("id" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "organizations_name_prefix" ON "organizations" USING btree (lower("name") text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "bills_at" ON "bills" USING btree ("at","id");
--> statement-breakpoint
CREATE INDEX "bills_id_prefix" ON "bills" USING btree ("id" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "bills_reference_prefix" ON "bills" USING btree ("reference" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "transfers_at" ON "transfers" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "payments_created_at" ON "payments" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "payments_id_prefix" ON "payments" USING btree ("id" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "payments_provider_prefix" ON "payments" USING btree ("provider_id" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");
--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id");
--> statement-breakpoint
CREATE INDEX "audit_log_request" ON "audit_log" USING btree ("request_id");
--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");
