-- One table for the files of every kind of owner: those of models stay, under the same ids.
ALTER TABLE "model_files" RENAME TO "files";
--> statement-breakpoint
ALTER TABLE "files" RENAME CONSTRAINT "model_files_pkey" TO "files_pkey";
--> statement-breakpoint
ALTER TABLE "files" RENAME CONSTRAINT "model_files_digest_blobs_digest_fk" TO "files_digest_blobs_digest_fk";
--> statement-breakpoint
ALTER TABLE "files" DROP CONSTRAINT "model_files_version_id_model_versions_id_fk";
--> statement-breakpoint
ALTER TABLE "files" RENAME COLUMN "version_id" TO "owner_id";
--> statement-breakpoint
ALTER INDEX "model_files_digest" RENAME TO "files_digest";
--> statement-breakpoint
DROP INDEX "model_files_path";
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "owner_kind" text DEFAULT 'model' NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "owner_kind" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "org_id" text;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "state" text DEFAULT 'arriving' NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "next_part" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "last_part" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "spoiled_parts" integer[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "arrived_sha256" text;
--> statement-breakpoint
-- Pieces of 16 MiB were numbered by their place. The next number may be that of a piece which is just on its way: it is left out.
UPDATE "files" f SET
  "org_id" = m."organization_id",
  "state" = CASE v."state" WHEN 'ready' THEN 'ready' WHEN 'failed' THEN 'failed' ELSE 'arriving' END,
  "last_part" = (f."received_bytes" + 16777215) / 16777216,
  "next_part" = (f."received_bytes" + 16777215) / 16777216 + 2
FROM "model_versions" v JOIN "models" m ON m."id" = v."model_id" WHERE v."id" = f."owner_id";
--> statement-breakpoint
ALTER TABLE "files" ALTER COLUMN "org_id" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "files_path" ON "files" USING btree ("owner_kind","owner_id","path");
--> statement-breakpoint
CREATE INDEX "files_org" ON "files" USING btree ("org_id");
--> statement-breakpoint
ALTER TABLE "model_storage" RENAME TO "stored_hours";
--> statement-breakpoint
ALTER TABLE "stored_hours" ADD COLUMN "owner_kind" text DEFAULT 'model' NOT NULL;
--> statement-breakpoint
ALTER TABLE "stored_hours" ALTER COLUMN "owner_kind" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "stored_hours" DROP CONSTRAINT "model_storage_hour_org_id_pk";
--> statement-breakpoint
ALTER TABLE "stored_hours" ADD CONSTRAINT "stored_hours_hour_org_id_owner_kind_pk" PRIMARY KEY("hour","org_id","owner_kind");
