CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"org_id" text NOT NULL,
	"status" text NOT NULL,
	"moves" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "disputes_payment" ON "disputes" USING btree ("payment_id");

--> statement-breakpoint
-- News about disputes and refunds was noted until now, and nothing booked: what the provider still keeps of it is taken again.
DELETE FROM "provider_events" WHERE "outcome" = 'payment' AND ("type" LIKE 'charge.dispute.%' OR "type" LIKE '%refund%');
