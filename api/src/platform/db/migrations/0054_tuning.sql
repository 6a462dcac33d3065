CREATE TABLE "task_checkpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"step" bigint NOT NULL,
	"org_id" text NOT NULL,
	"state" text NOT NULL,
	"is_told" boolean DEFAULT false NOT NULL,
	"problem" text,
	"problem_args" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"kept_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "task_points" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"step" bigint NOT NULL,
	"values" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_points_task_uid_run_step_pk" PRIMARY KEY("task_uid","run","step")
);

--> statement-breakpoint
ALTER TABLE "task_runs" ADD COLUMN "checkpoints_of" text;
--> statement-breakpoint
ALTER TABLE "task_runs" ADD COLUMN "checkpoints_kept" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "task_runs" ADD COLUMN "trained" jsonb DEFAULT '{}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "model_versions" ADD COLUMN "made" jsonb;
--> statement-breakpoint
ALTER TABLE "model_versions" ADD COLUMN "template_hash" text;
--> statement-breakpoint
ALTER TABLE "task_checkpoints" ADD CONSTRAINT "task_checkpoints_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "task_points" ADD CONSTRAINT "task_points_task_uid_run_task_runs_task_uid_run_fk" FOREIGN KEY ("task_uid","run") REFERENCES "public"."task_runs"("task_uid","run") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "task_checkpoints_task" ON "task_checkpoints" USING btree ("task_uid","run","step");
--> statement-breakpoint
CREATE INDEX "task_checkpoints_state" ON "task_checkpoints" USING btree ("state");
