ALTER TABLE "alert_notices" ALTER COLUMN "alarm_id" DROP NOT NULL;
