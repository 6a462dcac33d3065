ALTER TABLE "real_auths" ADD COLUMN "document" text DEFAULT 'idCard' NOT NULL;
--> statement-breakpoint
ALTER TABLE "real_auths" ADD COLUMN "document_country" text;
--> statement-breakpoint
ALTER TABLE "real_auths" ADD COLUMN "document_picture" text;
