ALTER TABLE "service_traffic" ADD COLUMN "flows" jsonb;
