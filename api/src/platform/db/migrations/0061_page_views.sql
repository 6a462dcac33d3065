CREATE TABLE "page_views" (
	"id" text PRIMARY KEY NOT NULL,
	"day" text NOT NULL,
	"page" text NOT NULL,
	"language" text NOT NULL,
	"views" bigint NOT NULL
);

