ALTER TABLE "disputes" ADD COLUMN "turn" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "reversal_turn" integer DEFAULT 0 NOT NULL;
