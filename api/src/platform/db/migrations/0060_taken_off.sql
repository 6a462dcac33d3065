CREATE TABLE "taken_off" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "taken_off_kind_id_pk" PRIMARY KEY("kind","id")
);

