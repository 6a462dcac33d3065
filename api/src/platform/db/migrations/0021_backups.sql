CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"asked_by" text,
	"begun_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	"bytes" bigint,
	"rows" integer,
	"objects" integer,
	"failure" text
);

--> statement-breakpoint
CREATE TABLE "restores" (
	"backup_id" text PRIMARY KEY NOT NULL,
	"begun_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"findings" jsonb
);

