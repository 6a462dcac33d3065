CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"account_id" text NOT NULL,
	"title" text NOT NULL,
	"model" text NOT NULL,
	"system" text NOT NULL,
	"messages" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE INDEX "chats_person" ON "chats" USING btree ("org_id","account_id","updated_at");
