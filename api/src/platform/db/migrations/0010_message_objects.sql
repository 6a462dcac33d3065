ALTER TABLE "notices" ADD COLUMN "object" jsonb;
