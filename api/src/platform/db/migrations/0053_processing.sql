ALTER TABLE "task_outputs" ADD COLUMN "role" text;
--> statement-breakpoint
ALTER TABLE "task_outputs" ADD COLUMN "dimensions" integer;
--> statement-breakpoint
ALTER TABLE "task_runs" ADD COLUMN "inputs" jsonb;
--> statement-breakpoint
ALTER TABLE "token_usage" ADD COLUMN "task" text;
--> statement-breakpoint
CREATE INDEX "token_usage_task" ON "token_usage" USING btree ("task","at");
