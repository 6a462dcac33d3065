CREATE TABLE "dataset_profiles" (
	"version_id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"step" text,
	"done" bigint,
	"of" bigint,
	"facts" jsonb,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rejected" bigint,
	"problem" text,
	"problem_args" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone
);

--> statement-breakpoint
ALTER TABLE "dataset_profiles" ADD CONSTRAINT "dataset_profiles_version_id_dataset_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."dataset_versions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "dataset_profiles_state" ON "dataset_profiles" USING btree ("state");
