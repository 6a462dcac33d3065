CREATE TABLE "alert_mailboxes" (
	"org_id" text NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"language" text NOT NULL,
	"creator_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"unsubscribed_at" timestamp with time zone,
	CONSTRAINT "alert_mailboxes_org_id_address_pk" PRIMARY KEY("org_id","address")
);

