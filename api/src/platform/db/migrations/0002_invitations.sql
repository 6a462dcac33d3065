DROP INDEX "invitations_address";
--> statement-breakpoint
ALTER TABLE "invitations" ALTER COLUMN "email" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "account_id" text;
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "name" text;
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "state" text DEFAULT 'pending' NOT NULL;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending_address" ON "invitations" USING btree ("organization_id","email") WHERE "invitations"."state" = 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending_account" ON "invitations" USING btree ("organization_id","account_id") WHERE "invitations"."state" = 'pending';
--> statement-breakpoint
CREATE INDEX "invitations_of_address" ON "invitations" USING btree ("email");
--> statement-breakpoint
CREATE INDEX "invitations_of_account" ON "invitations" USING btree ("account_id");
