CREATE TABLE "collected_files" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"deployment" text NOT NULL,
	"dataset" text NOT NULL,
	"records" integer NOT NULL,
	"left_out" integer NOT NULL,
	"size_bytes" bigint NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"stored_at" timestamp with time zone
);

--> statement-breakpoint
ALTER TABLE "collected_files" ADD CONSTRAINT "collected_files_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "collected_files_deployment" ON "collected_files" USING btree ("org_id","deployment","last_at");
