CREATE TABLE "scaling_records" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scaling_records_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"object_uid" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"replicas" integer NOT NULL,
	"because" text,
	"value" double precision
);

--> statement-breakpoint
CREATE INDEX "scaling_records_object" ON "scaling_records" USING btree ("object_uid","seq");
--> statement-breakpoint
CREATE INDEX "scaling_records_at" ON "scaling_records" USING btree ("at");
