CREATE TABLE "registries" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"secret_uid" text NOT NULL,
	"server" text NOT NULL,
	"username" text NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "registries_organization_id_name_pk" PRIMARY KEY("organization_id","name")
);

--> statement-breakpoint
ALTER TABLE "registries" ADD CONSTRAINT "registries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "registries" ADD CONSTRAINT "registries_creator_id_accounts_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
