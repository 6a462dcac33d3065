CREATE TABLE "discount_redemptions" (
	"code" text NOT NULL,
	"org_id" text NOT NULL,
	"account_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "discount_redemptions_code_org_id_pk" PRIMARY KEY("code","org_id"),
	CONSTRAINT "discount_redemptions_from_now" CHECK ("discount_redemptions"."valid_from" >= "discount_redemptions"."created_at")
);

--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"of" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"decision_reason" text,
	"posted_at" timestamp with time zone,
	CONSTRAINT "approvals_two_people" CHECK ("approvals"."decided_by" <> "approvals"."requested_by"),
	CONSTRAINT "approvals_decided" CHECK (("approvals"."state" = 'pending') = ("approvals"."decided_by" IS NULL))
);

--> statement-breakpoint
CREATE TABLE "book_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"started_by" text,
	"reason" text DEFAULT '' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"transfers" integer,
	"unsealed" integer,
	"head" jsonb,
	"balances" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"faults" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"fault_count" integer
);

--> statement-breakpoint
ALTER TABLE "discounts" ALTER COLUMN "org_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "discounts" ALTER COLUMN "source" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "type" text DEFAULT 'organization' NOT NULL;
--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "target" text;
--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "most_uses" integer;
--> statement-breakpoint
ALTER TABLE "discounts" ADD COLUMN "valid_to" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "slices" ADD COLUMN "discount_id" bigint;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "discount_id" text;
--> statement-breakpoint
CREATE INDEX "discount_redemptions_org" ON "discount_redemptions" USING btree ("org_id");
--> statement-breakpoint
CREATE INDEX "approvals_state" ON "approvals" USING btree ("state","requested_at");
--> statement-breakpoint
CREATE INDEX "approvals_org" ON "approvals" USING btree ("org_id","requested_at");
--> statement-breakpoint
CREATE INDEX "book_proofs_started" ON "book_proofs" USING btree ("started_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "book_proofs_running" ON "book_proofs" USING btree ("state") WHERE "state" = 'running';
--> statement-breakpoint
CREATE INDEX "discounts_target" ON "discounts" USING btree ("type","target","valid_from");
--> statement-breakpoint
CREATE INDEX "slices_month" ON "slices" USING brin ("from");
--> statement-breakpoint
CREATE INDEX "slices_discount" ON "slices" USING btree ("discount_id") WHERE "slices"."discount_id" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_forwards" CHECK ("discounts"."valid_to" > "discounts"."valid_from");
--> statement-breakpoint
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_one_target" CHECK (("discounts"."type" = 'organization') = ("discounts"."org_id" IS NOT NULL) AND ("discounts"."type" = 'organization') = ("discounts"."target" IS NULL));
--> statement-breakpoint
CREATE TRIGGER "discount_redemptions_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "discount_redemptions" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "discount_redemptions" FROM PUBLIC, CURRENT_USER;
