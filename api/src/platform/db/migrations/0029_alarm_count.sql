ALTER TABLE "platform_alarms" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;
