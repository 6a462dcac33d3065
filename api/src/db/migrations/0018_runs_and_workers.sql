ALTER TABLE "meters" ADD COLUMN "run" integer;
--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "parts" text;
