CREATE TABLE "platform_alarms" (
	"name" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"begun_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "dashboards" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"title" text NOT NULL,
	"panels" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"editor" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "gpu_fault_nodes" (
	"node" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"taken_out_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gpu_fault_nodes_node_since_pk" PRIMARY KEY("node","since")
);

--> statement-breakpoint
CREATE INDEX "dashboards_org" ON "dashboards" USING btree ("org_id");
