ALTER TABLE "model_files" ADD COLUMN "source_tag" text;
