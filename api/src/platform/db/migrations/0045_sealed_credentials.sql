CREATE TABLE "sealed_credentials" (
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sealed" text NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sealed_credentials_org_id_kind_name_pk" PRIMARY KEY("org_id","kind","name")
);

--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "source_path" text;
--> statement-breakpoint
ALTER TABLE "dataset_versions" ADD COLUMN "asked" jsonb;
--> statement-breakpoint
ALTER TABLE "sealed_credentials" ADD CONSTRAINT "sealed_credentials_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sealed_credentials" ADD CONSTRAINT "sealed_credentials_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- Tokens of the hub are sealed as before, and stay.
INSERT INTO "sealed_credentials" ("org_id", "kind", "name", "sealed", "creator_id", "created_at")
SELECT "organization_id", 'hub', 'hub', "sealed", "creator_id", "created_at" FROM "hub_tokens";
--> statement-breakpoint
DROP TABLE "hub_tokens" CASCADE;
