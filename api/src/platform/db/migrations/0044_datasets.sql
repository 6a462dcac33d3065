CREATE TABLE "dataset_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"dataset_id" text NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"step" text,
	"source" text NOT NULL,
	"source_ref" text,
	"message" text NOT NULL,
	"digest" text,
	"format" text,
	"rows" bigint,
	"problem" text,
	"problem_args" jsonb,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "datasets" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"license" text,
	"language" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"card" text DEFAULT '' NOT NULL,
	"downloads" bigint DEFAULT 0 NOT NULL,
	"last_version" integer DEFAULT 0 NOT NULL,
	"managers_only" boolean DEFAULT false NOT NULL,
	"shelved_at" timestamp with time zone,
	"shelved_by" text,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "dataset_versions" ADD CONSTRAINT "dataset_versions_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dataset_versions" ADD CONSTRAINT "dataset_versions_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "dataset_versions_number" ON "dataset_versions" USING btree ("dataset_id","number");
--> statement-breakpoint
CREATE INDEX "dataset_versions_state" ON "dataset_versions" USING btree ("state");
--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_name" ON "datasets" USING btree ("org_id","name");
--> statement-breakpoint
CREATE INDEX "datasets_shelved" ON "datasets" USING btree ("shelved_at");
