ALTER TABLE "article_versions" ADD COLUMN "published_at" timestamp with time zone;
--> statement-breakpoint
UPDATE "article_versions" v SET "published_at" = a."published_at" FROM "articles" a WHERE a."id" = v."article_id" AND a."published" = v."number";
