CREATE TABLE "credit_notes" (
	"id" text PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"cancels" integer,
	"org_id" text NOT NULL,
	"refund_id" text NOT NULL,
	"bill_id" text NOT NULL,
	"paid_at" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"recipient" jsonb NOT NULL,
	"issuer" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "credit_notes_number_unique" UNIQUE("number"),
	CONSTRAINT "credit_notes_sign" CHECK ("credit_notes"."amount" <> 0 AND ("credit_notes"."amount" > 0) = ("credit_notes"."kind" = 'refund')),
	CONSTRAINT "credit_notes_cancels" CHECK (("credit_notes"."cancels" IS NULL) = ("credit_notes"."kind" = 'refund'))
);

--> statement-breakpoint
CREATE UNIQUE INDEX "credit_notes_refund" ON "credit_notes" USING btree ("refund_id","kind");
--> statement-breakpoint
CREATE INDEX "credit_notes_org" ON "credit_notes" USING btree ("org_id","number");
--> statement-breakpoint
CREATE TRIGGER "credit_notes_only_grows" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_notes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
REVOKE UPDATE, DELETE, TRUNCATE ON "credit_notes" FROM PUBLIC, CURRENT_USER;
