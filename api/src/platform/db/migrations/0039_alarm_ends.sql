ALTER TABLE "alarms" ADD COLUMN "ended" text;
