CREATE TABLE "service_steps" (
	"service_uid" text NOT NULL,
	"step" bigint NOT NULL,
	"gateway" text NOT NULL,
	"counts" jsonb NOT NULL,
	CONSTRAINT "service_steps_service_uid_step_gateway_pk" PRIMARY KEY("service_uid","step","gateway")
);

--> statement-breakpoint
CREATE TABLE "service_traffic" (
	"service_uid" text NOT NULL,
	"gateway" text NOT NULL,
	"in_flight" integer NOT NULL,
	"waiting" integer NOT NULL,
	"per_second" double precision NOT NULL,
	"last_active_at" timestamp with time zone,
	"recent" jsonb NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "service_traffic_service_uid_gateway_pk" PRIMARY KEY("service_uid","gateway")
);

--> statement-breakpoint
CREATE INDEX "service_steps_step" ON "service_steps" USING btree ("step");
--> statement-breakpoint
CREATE INDEX "service_traffic_seen" ON "service_traffic" USING btree ("seen_at");
