CREATE TABLE "dataset_questions" (
	"dataset_id" text PRIMARY KEY NOT NULL,
	"questions" jsonb NOT NULL
);

--> statement-breakpoint
ALTER TABLE "dataset_questions" ADD CONSTRAINT "dataset_questions_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "public"."datasets"("id") ON DELETE cascade ON UPDATE no action;
