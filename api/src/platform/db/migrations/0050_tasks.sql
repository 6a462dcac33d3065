CREATE TABLE "task_answers" (
	"task_uid" text NOT NULL,
	"key" text NOT NULL,
	"unit" text NOT NULL,
	"org_id" text NOT NULL,
	"body" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_answers_task_uid_key_pk" PRIMARY KEY("task_uid","key")
);

--> statement-breakpoint
CREATE TABLE "task_outputs" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"kind" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"rows" bigint,
	CONSTRAINT "task_outputs_task_uid_run_name_pk" PRIMARY KEY("task_uid","run","name")
);

--> statement-breakpoint
CREATE TABLE "task_runs" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"org_id" text NOT NULL,
	"boot" text DEFAULT '' NOT NULL,
	"taken" bigint DEFAULT 0 NOT NULL,
	"units" bigint,
	"kept" bigint,
	"step" text,
	"done" bigint,
	"of" bigint,
	"said" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_runs_task_uid_run_pk" PRIMARY KEY("task_uid","run")
);

--> statement-breakpoint
CREATE TABLE "task_units" (
	"work" text NOT NULL,
	"unit" text NOT NULL,
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"part" text NOT NULL,
	"label" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"rows" bigint NOT NULL,
	"rejected" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_units_work_unit_pk" PRIMARY KEY("work","unit")
);

--> statement-breakpoint
ALTER TABLE "task_answers" ADD CONSTRAINT "task_answers_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_task_uid_run_task_runs_task_uid_run_fk" FOREIGN KEY ("task_uid","run") REFERENCES "public"."task_runs"("task_uid","run") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "task_runs" ADD CONSTRAINT "task_runs_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "task_answers_unit" ON "task_answers" USING btree ("task_uid","unit");
--> statement-breakpoint
CREATE INDEX "task_answers_at" ON "task_answers" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "task_units_task" ON "task_units" USING btree ("task_uid","state","unit");
