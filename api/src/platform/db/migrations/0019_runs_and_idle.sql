CREATE TABLE "idle_episodes" (
	"uid" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"warned_at" timestamp with time zone NOT NULL,
	"acted_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"currency" text NOT NULL,
	"per_hour" bigint NOT NULL,
	CONSTRAINT "idle_episodes_uid_since_pk" PRIMARY KEY("uid","since"),
	CONSTRAINT "idle_episodes_price" CHECK ("idle_episodes"."per_hour" >= 0)
);

--> statement-breakpoint
CREATE TABLE "idle_policies" (
	"org_id" text PRIMARY KEY NOT NULL,
	"does" text NOT NULL,
	"after_minutes" integer NOT NULL
);

--> statement-breakpoint
CREATE TABLE "idle_quiet" (
	"uid" text PRIMARY KEY NOT NULL,
	"since" jsonb NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "idle_visits" (
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "idle_visits_namespace_name_pk" PRIMARY KEY("namespace","name")
);

--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "run" integer;
--> statement-breakpoint
ALTER TABLE "meters" ADD COLUMN "parts" text;
--> statement-breakpoint
CREATE INDEX "idle_episodes_open" ON "idle_episodes" USING btree ("uid") WHERE "ended_at" IS NULL;
--> statement-breakpoint
CREATE INDEX "idle_episodes_org" ON "idle_episodes" USING btree ("org_id","warned_at");
