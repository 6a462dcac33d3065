CREATE TABLE "terminal_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"caller" jsonb NOT NULL,
	"namespace" text NOT NULL,
	"instance" text NOT NULL,
	"pod" text NOT NULL,
	"instance_uid" text NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "access_tickets" ADD COLUMN "session" text;
--> statement-breakpoint
ALTER TABLE "open_terminals" ADD COLUMN "session" text;
--> statement-breakpoint
CREATE INDEX "terminal_sessions_of" ON "terminal_sessions" USING btree ("namespace","instance","account_id");
--> statement-breakpoint
CREATE INDEX "terminal_sessions_seen" ON "terminal_sessions" USING btree ("seen_at");
