CREATE TABLE "article_votes" (
	"article_id" text PRIMARY KEY NOT NULL,
	"yes" bigint DEFAULT 0 NOT NULL,
	"no" bigint DEFAULT 0 NOT NULL
);

--> statement-breakpoint
CREATE TABLE "market_days" (
	"day" text NOT NULL,
	"model" text NOT NULL,
	"looks" integer NOT NULL,
	"available" integer NOT NULL,
	"minute" bigint NOT NULL,
	CONSTRAINT "market_days_day_model_pk" PRIMARY KEY("day","model")
);

--> statement-breakpoint
ALTER TABLE "article_votes" ADD CONSTRAINT "article_votes_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;
