ALTER TABLE "gpu_fault_losses" ADD COLUMN "resumed_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "gpu_fault_losses_uid" ON "gpu_fault_losses" USING btree ("uid");
