CREATE TABLE "lineage_edges" (
	"from_id" bigint NOT NULL,
	"to_id" bigint NOT NULL,
	"org_id" text NOT NULL,
	"via" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "lineage_edges_to_id_from_id_pk" PRIMARY KEY("to_id","from_id"),
	CONSTRAINT "lineage_edges_apart" CHECK ("lineage_edges"."from_id" <> "lineage_edges"."to_id")
);

--> statement-breakpoint
CREATE TABLE "lineage_nodes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lineage_nodes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" text NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"version" text,
	"uid" text NOT NULL,
	"digest" text NOT NULL,
	"name" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"gone_at" timestamp with time zone
);

--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_from_id_lineage_nodes_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."lineage_nodes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "lineage_edges" ADD CONSTRAINT "lineage_edges_to_id_lineage_nodes_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."lineage_nodes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "lineage_edges_from" ON "lineage_edges" USING btree ("from_id","org_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "lineage_nodes_uid" ON "lineage_nodes" USING btree ("kind","uid","digest");
--> statement-breakpoint
CREATE INDEX "lineage_nodes_ref" ON "lineage_nodes" USING btree ("org_id","kind","ref");
