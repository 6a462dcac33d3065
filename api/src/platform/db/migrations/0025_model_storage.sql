CREATE TABLE "model_storage" (
	"hour" timestamp with time zone NOT NULL,
	"org_id" text NOT NULL,
	"bytes" bigint NOT NULL,
	"list" bigint NOT NULL,
	"net" bigint NOT NULL,
	"transfer_key" text,
	CONSTRAINT "model_storage_hour_org_id_pk" PRIMARY KEY("hour","org_id")
);

