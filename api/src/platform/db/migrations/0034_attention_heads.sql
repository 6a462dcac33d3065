ALTER TABLE "model_versions" ADD COLUMN "attention_heads" integer;
