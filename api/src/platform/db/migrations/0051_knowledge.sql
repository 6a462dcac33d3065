ALTER TABLE "dataset_versions" ADD COLUMN "knowledge" jsonb;
