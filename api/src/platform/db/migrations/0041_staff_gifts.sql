ALTER TABLE "discounts" ADD COLUMN "approved_by" text;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "confirmed_by" text;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "approval" text;
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "approval" text;
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "cause" text DEFAULT 'above' NOT NULL;
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "detail" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "wish" jsonb;
