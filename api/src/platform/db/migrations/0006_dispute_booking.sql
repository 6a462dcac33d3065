ALTER TABLE "payments" ADD COLUMN "dispute_booking" text;
--> statement-breakpoint
-- Staff may have adjusted wallets for disputes that were noted and never booked: they decide. An inquiry has moved no money.
UPDATE "payments" p SET "dispute_booking" = 'undecided'
WHERE p."dispute" NOT LIKE 'warning\_%' AND NOT EXISTS (SELECT FROM "disputes" d WHERE d."payment_id" = p."id");
