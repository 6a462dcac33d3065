ALTER TABLE "payments" DROP CONSTRAINT "payments_back";
--> statement-breakpoint
ALTER TABLE "bills" ADD COLUMN "refunded" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "bills" ADD COLUMN "charged_back" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "bills" ADD COLUMN "owed" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "bills_owed" ON "bills" USING btree ("org_id","at") WHERE "bills"."owed" > 0;
--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_went_back" CHECK ("bills"."refunded" >= 0 AND "bills"."charged_back" >= 0 AND "bills"."owed" >= 0);
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_back" CHECK ("payments"."refunded" >= 0);

--> statement-breakpoint
-- Until now a refund lowered its bill's `paid`. From now on `paid` is what arrived: it is read from the transfers again, which were right.
UPDATE "bills" b SET
	"paid" = booked.arrived,
	"refunded" = booked.refunded,
	"status" = CASE
		WHEN booked.is_under_way THEN 'refunding'
		WHEN booked.refunded >= booked.arrived THEN 'refunded'
		WHEN booked.arrived >= b."total" THEN 'paid'
		ELSE 'partially_paid' END
FROM (
	SELECT t."bill_id" AS id,
		sum(CASE WHEN t."type" = 'recharge' AND t."key" NOT LIKE 'refund/%' THEN p."amount" ELSE 0 END) AS arrived,
		sum(CASE WHEN t."type" = 'refund' THEN p."amount" WHEN t."key" LIKE 'refund/%' THEN -p."amount" ELSE 0 END) AS refunded,
		EXISTS (
			SELECT FROM "refunds" r JOIN "payments" y ON y."id" = r."payment_id"
			WHERE y."bill_id" = t."bill_id" AND r."state" IN ('asked', 'taken', 'sent')
				AND EXISTS (SELECT FROM "transfers" o WHERE o."key" = 'refund/' || r."id")
		) AS is_under_way
	FROM "transfers" t JOIN "postings" p ON p."transfer_id" = t."id"
	WHERE t."type" IN ('recharge', 'refund')
		AND t."bill_id" IN (SELECT "bill_id" FROM "transfers" WHERE "type" = 'refund')
	GROUP BY t."bill_id"
) booked WHERE b."id" = booked.id;
