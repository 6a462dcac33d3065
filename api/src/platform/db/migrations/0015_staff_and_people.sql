CREATE TABLE "audit_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"account_id" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"entries" integer DEFAULT 0 NOT NULL,
	"unsealed" integer,
	"blocks" integer DEFAULT 0 NOT NULL,
	"head_hash" text,
	"is_whole" boolean,
	"fault" text
);

--> statement-breakpoint
CREATE TABLE "real_auth_openings" (
	"real_auth_id" text NOT NULL,
	"account_id" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "real_auth_openings_real_auth_id_account_id_pk" PRIMARY KEY("real_auth_id","account_id")
);

--> statement-breakpoint
CREATE TABLE "real_auth_reviews" (
	"real_auth_id" text NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"reviewer_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "real_auth_reviews_real_auth_id_submitted_at_reviewer_id_pk" PRIMARY KEY("real_auth_id","submitted_at","reviewer_id")
);

--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"way" text NOT NULL,
	"outcome" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"ip" text NOT NULL,
	"user_agent" text
);

--> statement-breakpoint
CREATE TABLE "views" (
	"id" text PRIMARY KEY NOT NULL,
	"ticket_hash" text NOT NULL,
	"token_hash" text,
	"account_id" text NOT NULL,
	"organization_id" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"ip" text,
	"user_agent" text,
	CONSTRAINT "views_ticket_hash_unique" UNIQUE("ticket_hash"),
	CONSTRAINT "views_token_hash_unique" UNIQUE("token_hash")
);

--> statement-breakpoint
ALTER TABLE "real_auth_openings" ADD CONSTRAINT "real_auth_openings_real_auth_id_real_auths_id_fk" FOREIGN KEY ("real_auth_id") REFERENCES "public"."real_auths"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "real_auth_openings" ADD CONSTRAINT "real_auth_openings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "real_auth_reviews" ADD CONSTRAINT "real_auth_reviews_real_auth_id_real_auths_id_fk" FOREIGN KEY ("real_auth_id") REFERENCES "public"."real_auths"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "real_auth_reviews" ADD CONSTRAINT "real_auth_reviews_reviewer_id_accounts_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "audit_checks_organization" ON "audit_checks" USING btree ("organization_id","started_at");
--> statement-breakpoint
CREATE INDEX "sign_ins_account" ON "sign_ins" USING btree ("account_id","last_at");
--> statement-breakpoint
CREATE INDEX "sign_ins_last" ON "sign_ins" USING btree ("last_at");
--> statement-breakpoint
CREATE INDEX "views_organization" ON "views" USING btree ("organization_id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_log_object" ON "audit_log" USING btree ("object","id");
