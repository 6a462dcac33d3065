CREATE TABLE "blobs" (
	"digest" text PRIMARY KEY NOT NULL,
	"size_bytes" bigint NOT NULL,
	"stored_at" timestamp with time zone,
	"removing_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "dropped_uploads" (
	"file_id" text PRIMARY KEY NOT NULL,
	"upload_id" text
);

--> statement-breakpoint
CREATE TABLE "hub_tokens" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "model_files" (
	"id" text PRIMARY KEY NOT NULL,
	"version_id" text NOT NULL,
	"path" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"received_bytes" bigint DEFAULT 0 NOT NULL,
	"upload_id" text,
	"wanted_sha256" text,
	"wanted_git_sha1" text,
	"digest" text,
	"kept_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "model_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"model_id" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"source" text NOT NULL,
	"repository" text,
	"revision" text,
	"include" text[] DEFAULT '{}' NOT NULL,
	"problem" text,
	"problem_args" jsonb,
	"format" text,
	"structure" text,
	"parameters" bigint,
	"quantisation" text,
	"context_length" bigint,
	"weight_bytes" bigint,
	"kv_bytes_per_token" bigint,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "models" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"license" text,
	"language" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"card" text DEFAULT '' NOT NULL,
	"downloads" bigint DEFAULT 0 NOT NULL,
	"shelved_at" timestamp with time zone,
	"shelved_by" text,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "hub_tokens" ADD CONSTRAINT "hub_tokens_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "hub_tokens" ADD CONSTRAINT "hub_tokens_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_version_id_model_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."model_versions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_files" ADD CONSTRAINT "model_files_digest_blobs_digest_fk" FOREIGN KEY ("digest") REFERENCES "public"."blobs"("digest") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_versions" ADD CONSTRAINT "model_versions_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "model_versions" ADD CONSTRAINT "model_versions_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "models" ADD CONSTRAINT "models_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "blobs_removing" ON "blobs" USING btree ("removing_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "model_files_path" ON "model_files" USING btree ("version_id","path");
--> statement-breakpoint
CREATE INDEX "model_files_digest" ON "model_files" USING btree ("digest");
--> statement-breakpoint
CREATE UNIQUE INDEX "model_versions_name" ON "model_versions" USING btree ("model_id","name");
--> statement-breakpoint
CREATE INDEX "model_versions_state" ON "model_versions" USING btree ("state");
--> statement-breakpoint
CREATE UNIQUE INDEX "models_name" ON "models" USING btree ("organization_id","name");
--> statement-breakpoint
CREATE INDEX "models_shelved" ON "models" USING btree ("shelved_at");
