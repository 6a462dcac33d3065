CREATE TABLE "evaluation_comparisons" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"subject" integer NOT NULL,
	"task" integer NOT NULL,
	"metric" text NOT NULL,
	"baseline" integer NOT NULL,
	"difference" double precision NOT NULL,
	"low" double precision NOT NULL,
	"high" double precision NOT NULL,
	"n" integer NOT NULL,
	"better" integer NOT NULL,
	"worse" integer NOT NULL,
	"verdict" text NOT NULL,
	CONSTRAINT "evaluation_comparisons_task_uid_run_subject_task_pk" PRIMARY KEY("task_uid","run","subject","task")
);

--> statement-breakpoint
CREATE TABLE "evaluation_loads" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"subject" integer NOT NULL,
	"concurrency" integer NOT NULL,
	"requests" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"tokens_per_second" double precision NOT NULL,
	"ttft_p50_ms" double precision,
	"ttft_p99_ms" double precision,
	"p50_ms" double precision,
	"p99_ms" double precision,
	CONSTRAINT "evaluation_loads_task_uid_run_subject_concurrency_pk" PRIMARY KEY("task_uid","run","subject","concurrency")
);

--> statement-breakpoint
CREATE TABLE "evaluation_runs" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"org_id" text NOT NULL,
	"work" text NOT NULL,
	"answering" jsonb NOT NULL,
	"subjects" jsonb NOT NULL,
	"tasks" jsonb NOT NULL,
	"baseline" integer,
	"state" text NOT NULL,
	"problem" text,
	"problem_args" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone,
	"examples" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"scored_at" timestamp with time zone,
	CONSTRAINT "evaluation_runs_task_uid_run_pk" PRIMARY KEY("task_uid","run")
);

--> statement-breakpoint
CREATE TABLE "evaluation_scores" (
	"task_uid" text NOT NULL,
	"run" integer NOT NULL,
	"subject" integer NOT NULL,
	"task" integer NOT NULL,
	"metric" text NOT NULL,
	"value" double precision NOT NULL,
	"low" double precision NOT NULL,
	"high" double precision NOT NULL,
	"n" integer NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"p50_ms" double precision,
	"p99_ms" double precision,
	"cost_micros" bigint,
	CONSTRAINT "evaluation_scores_task_uid_run_subject_task_pk" PRIMARY KEY("task_uid","run","subject","task")
);

--> statement-breakpoint
ALTER TABLE "task_answers" ADD COLUMN "model" text;
--> statement-breakpoint
ALTER TABLE "task_units" ADD COLUMN "model" text;
--> statement-breakpoint
ALTER TABLE "evaluation_runs" ADD CONSTRAINT "evaluation_runs_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "evaluation_runs_state" ON "evaluation_runs" USING btree ("state");
