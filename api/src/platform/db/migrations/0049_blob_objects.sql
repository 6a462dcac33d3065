ALTER TABLE "blobs" ADD COLUMN "object" text;
--> statement-breakpoint
CREATE UNIQUE INDEX "blobs_object" ON "blobs" USING btree ("object");
