CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"title" jsonb NOT NULL,
	"state" text NOT NULL,
	"components" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"updates" jsonb NOT NULL,
	"created_by" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "status_days" (
	"day" text NOT NULL,
	"component" text NOT NULL,
	"checks" integer NOT NULL,
	"passed" integer NOT NULL,
	"minute" bigint NOT NULL,
	"is_up" boolean NOT NULL,
	CONSTRAINT "status_days_day_component_pk" PRIMARY KEY("day","component")
);

--> statement-breakpoint
CREATE INDEX "incidents_started" ON "incidents" USING btree ("started_at");
