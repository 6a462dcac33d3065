ALTER TABLE "task_runs" ADD COLUMN "is_tracked" boolean DEFAULT false NOT NULL;
