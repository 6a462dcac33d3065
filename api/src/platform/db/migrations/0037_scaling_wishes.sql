CREATE TABLE "scaling_wishes" (
	"object_uid" text NOT NULL,
	"generation" bigint NOT NULL,
	"replicas" integer NOT NULL,
	"account_id" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "scaling_wishes_object_uid_generation_pk" PRIMARY KEY("object_uid","generation")
);

--> statement-breakpoint
ALTER TABLE "scaling_records" ADD COLUMN "generation" bigint;
--> statement-breakpoint
ALTER TABLE "scaling_records" ADD COLUMN "account_id" text;
--> statement-breakpoint
CREATE INDEX "scaling_wishes_at" ON "scaling_wishes" USING btree ("at");
