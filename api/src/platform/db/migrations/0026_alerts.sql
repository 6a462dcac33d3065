CREATE TABLE "alarm_flow" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alarm_flow_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"alarm_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"type" text NOT NULL,
	"what" text NOT NULL,
	"args" jsonb NOT NULL
);

--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" text PRIMARY KEY NOT NULL,
	"org_id" text NOT NULL,
	"policy_uid" text NOT NULL,
	"policy" text NOT NULL,
	"title" text NOT NULL,
	"kind" text NOT NULL,
	"object" text,
	"labels" jsonb NOT NULL,
	"metric" text NOT NULL,
	"level" text NOT NULL,
	"status" text NOT NULL,
	"value" double precision,
	"first_abnormal_at" timestamp with time zone NOT NULL,
	"fired_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"shielded_until" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "alert_contacts" (
	"org_id" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"sealed" text NOT NULL,
	"host" text NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_contacts_org_id_name_pk" PRIMARY KEY("org_id","name")
);

--> statement-breakpoint
CREATE TABLE "alert_cycles" (
	"period_seconds" integer PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL
);

--> statement-breakpoint
CREATE TABLE "alert_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"alarm_id" text NOT NULL,
	"org_id" text NOT NULL,
	"policy_uid" text NOT NULL,
	"transition" text NOT NULL,
	"channel" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"batch" text,
	"ended_at" timestamp with time zone,
	"failure" jsonb,
	"muted_at" timestamp with time zone
);

--> statement-breakpoint
CREATE TABLE "alert_series" (
	"policy_uid" text NOT NULL,
	"key" text NOT NULL,
	"org_id" text NOT NULL,
	"object" text,
	"labels" jsonb NOT NULL,
	"state" jsonb NOT NULL,
	"at" bigint NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"alarm_id" text,
	CONSTRAINT "alert_series_policy_uid_key_pk" PRIMARY KEY("policy_uid","key")
);

--> statement-breakpoint
CREATE TABLE "gpu_fault_losses" (
	"node" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"uid" text NOT NULL,
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"creator" text,
	"per_hour" bigint NOT NULL,
	"currency" text NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"credited_at" timestamp with time zone,
	CONSTRAINT "gpu_fault_losses_node_since_uid_pk" PRIMARY KEY("node","since","uid")
);

--> statement-breakpoint
ALTER TABLE "alarm_flow" ADD CONSTRAINT "alarm_flow_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "alert_notices" ADD CONSTRAINT "alert_notices_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "alarm_flow_alarm" ON "alarm_flow" USING btree ("alarm_id","seq");
--> statement-breakpoint
CREATE INDEX "alarms_org" ON "alarms" USING btree ("org_id","first_abnormal_at","id");
--> statement-breakpoint
CREATE INDEX "alarms_open" ON "alarms" USING btree ("policy_uid") WHERE "ended_at" IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "alert_notices_once" ON "alert_notices" USING btree ("alarm_id","transition","channel");
--> statement-breakpoint
CREATE INDEX "alert_notices_due" ON "alert_notices" USING btree ("due_at") WHERE "sent_at" IS NULL AND "ended_at" IS NULL;
--> statement-breakpoint
CREATE INDEX "alert_notices_sent" ON "alert_notices" USING btree ("policy_uid","channel","sent_at");
--> statement-breakpoint
CREATE INDEX "alert_series_alarm" ON "alert_series" USING btree ("alarm_id");
--> statement-breakpoint
CREATE INDEX "gpu_fault_losses_open" ON "gpu_fault_losses" USING btree ("began_at") WHERE "credited_at" IS NULL;
