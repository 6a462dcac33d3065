CREATE TABLE "card_holds" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"model" text NOT NULL,
	"gpus" integer NOT NULL,
	"price" bigint,
	"address" text,
	"organization_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"claimed_at" timestamp with time zone,
	"until" timestamp with time zone NOT NULL,
	"used_by" text,
	"instance" text
);

--> statement-breakpoint
CREATE INDEX "card_holds_until" ON "card_holds" USING btree ("until");
