CREATE TABLE "platform_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE INDEX "platform_notices_sent" ON "platform_notices" USING btree ("name","sent_at");
