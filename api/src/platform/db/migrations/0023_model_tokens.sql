CREATE TABLE "model_aliases" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"name" text NOT NULL,
	"targets" jsonb NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "token_totals" (
	"day" date NOT NULL,
	"org_id" text NOT NULL,
	"account_id" text NOT NULL,
	"token_id" text NOT NULL,
	"model_uid" text NOT NULL,
	"model" text NOT NULL,
	"requests" bigint NOT NULL,
	"prompt" bigint NOT NULL,
	"cached" bigint NOT NULL,
	"completion" bigint NOT NULL,
	"doubtful" bigint NOT NULL,
	"list" bigint NOT NULL,
	"net" bigint NOT NULL,
	CONSTRAINT "token_totals_org_id_day_account_id_token_id_model_uid_pk" PRIMARY KEY("org_id","day","account_id","token_id","model_uid")
);

--> statement-breakpoint
CREATE TABLE "token_usage" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"org_id" text NOT NULL,
	"account_id" text NOT NULL,
	"token_id" text,
	"model_uid" text NOT NULL,
	"model" text NOT NULL,
	"endpoint" text NOT NULL,
	"prompt" bigint NOT NULL,
	"cached" bigint NOT NULL,
	"completion" bigint NOT NULL,
	"reported" jsonb,
	"doubt" text,
	"outcome" text NOT NULL,
	"status" integer NOT NULL,
	"worker" text,
	"ms" integer NOT NULL,
	"first_ms" integer,
	"list" bigint NOT NULL,
	"net" bigint NOT NULL,
	"transfer_key" text,
	CONSTRAINT "token_usage_counts" CHECK ("token_usage"."prompt" >= "token_usage"."cached" AND "token_usage"."cached" >= 0 AND "token_usage"."completion" >= 0)
);

--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "limits" jsonb;
--> statement-breakpoint
CREATE UNIQUE INDEX "model_aliases_name" ON "model_aliases" USING btree ("org_id","name");
--> statement-breakpoint
CREATE INDEX "token_totals_token" ON "token_totals" USING btree ("token_id","day");
--> statement-breakpoint
CREATE INDEX "token_usage_org" ON "token_usage" USING btree ("org_id","at");
--> statement-breakpoint
CREATE INDEX "token_usage_at" ON "token_usage" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "token_usage_transfer" ON "token_usage" USING btree ("transfer_key");
