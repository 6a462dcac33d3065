CREATE TABLE "article_versions" (
	"id" text NOT NULL,
	"article_id" text NOT NULL,
	"number" integer NOT NULL,
	"title" jsonb NOT NULL,
	"content" jsonb NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "article_versions_article_id_number_pk" PRIMARY KEY("article_id","number"),
	CONSTRAINT "article_versions_id_unique" UNIQUE("id")
);

--> statement-breakpoint
CREATE TABLE "articles" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"kind" text NOT NULL,
	"position" integer NOT NULL,
	"title" jsonb NOT NULL,
	"latest" integer NOT NULL,
	"published" integer,
	"published_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL,
	CONSTRAINT "articles_slug_unique" UNIQUE("slug")
);

--> statement-breakpoint
CREATE TABLE "changed_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "feature_switches" (
	"name" text PRIMARY KEY NOT NULL,
	"is_open" boolean NOT NULL,
	"note" jsonb,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL
);

--> statement-breakpoint
CREATE TABLE "gateways" (
	"id" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "market_models" (
	"model" text PRIMARY KEY NOT NULL,
	"is_shown" boolean NOT NULL,
	"position" integer,
	"note" jsonb,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL
);

--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "given_up_by" text;
--> statement-breakpoint
ALTER TABLE "article_versions" ADD CONSTRAINT "article_versions_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "article_versions_created" ON "article_versions" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "mails_address" ON "mails" USING btree ("address");
