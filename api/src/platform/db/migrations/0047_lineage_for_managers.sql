ALTER TABLE "lineage_nodes" ADD COLUMN "managers_only" boolean DEFAULT false NOT NULL;
