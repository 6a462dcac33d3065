CREATE TABLE "cluster_checks" (
	"id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"started_by" text NOT NULL,
	"reason" text NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"results" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"before" jsonb
);

--> statement-breakpoint
CREATE INDEX "cluster_checks_started" ON "cluster_checks" USING btree ("started_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "cluster_checks_running" ON "cluster_checks" USING btree ("state") WHERE "state" = 'running';
